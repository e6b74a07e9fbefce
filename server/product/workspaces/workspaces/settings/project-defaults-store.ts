import { hotQuery } from '../../../../storage/hot.ts'
import type { Queryable, Tx } from '../../../../storage/open.ts'
import type { DescribedTables } from '../../../../storage/tables.ts'
import { toProject } from '../../../people/organizations/index.ts'
import type { ProjectDefaults } from '../workspace.ts'

const byId = hotQuery<{ id: string }, DescribedTables['projects']>('workspaces.project-by-id', (db, { id }) =>
  db.selectFrom('projects').selectAll().where('id', '=', id),
)

/** What a project decides for its workspaces. */
export async function loadProjectDefaults(db: Queryable, id: string): Promise<ProjectDefaults | undefined> {
  const row = await byId.first(db, { id })
  return row && toProject(row)
}

/** What a project decides, which cannot change before the transaction ends. */
export async function lockProjectDefaultsForShare(tx: Tx, id: string): Promise<ProjectDefaults | undefined> {
  const row = await tx.selectFrom('projects').selectAll().where('id', '=', id).forShare().executeTakeFirst()
  return row && toProject(row)
}

/** The duration of a project, which cannot change before the transaction ends; undefined when the project is gone. */
export async function lockProjectDurationForShare(
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
