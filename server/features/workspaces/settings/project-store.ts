import { hotQuery } from '../../../storage/hot.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import type { ProjectRow } from '../../../storage/tables/organizations.ts'
import type { ExecutionMode } from '../../organizations/index.ts'
import type { ProjectDefaults } from '../workspace-rules.ts'

const toDefaults = (row: ProjectRow): ProjectDefaults => ({
  id: row.id,
  name: row.name,
  organizationId: row.organization_id,
  autoDestroyActivityDuration: row.auto_destroy_activity_duration,
  defaultExecutionMode: row.default_execution_mode as ExecutionMode,
  defaultAgentPoolId: row.default_agent_pool_id,
  overwritesExecutionMode: row.overwrites_execution_mode === 1,
  overwritesAgentPool: row.overwrites_agent_pool === 1,
})

const byId = hotQuery<{ id: string }, ProjectRow>('workspaces.project-by-id', (db, { id }) =>
  db.selectFrom('projects').selectAll().where('id', '=', id),
)

/** What a project decides for its workspaces. */
export async function loadProjectDefaults(db: Queryable, id: string): Promise<ProjectDefaults | undefined> {
  const row = await byId.first(db, { id })
  return row && toDefaults(row)
}

/** What a project decides, which cannot change before the transaction ends. */
export async function holdProjectDefaults(tx: Tx, id: string): Promise<ProjectDefaults | undefined> {
  const row = await tx.selectFrom('projects').selectAll().where('id', '=', id).forShare().executeTakeFirst()
  return row && toDefaults(row)
}

/** The duration of a project, which cannot change before the transaction ends; undefined when the project is gone. */
export async function holdProjectDuration(
  tx: Tx,
  id: string,
): Promise<Pick<ProjectDefaults, 'autoDestroyActivityDuration'> | undefined> {
  const row = await tx
    .selectFrom('projects')
    .select('auto_destroy_activity_duration')
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
  return row && { autoDestroyActivityDuration: row.auto_destroy_activity_duration }
}
