import type { Id } from '../../../../kernel/ids.ts'
import { type ColumnsOf, rowReader, rowWriter } from '../../../../kit/field-set.ts'
import { removeAllDependents } from '../../../../storage/cascade.ts'
import type { Queryable, Tx } from '../../../../storage/open.ts'
import { bumpVersion } from '../../../../storage/versions.ts'
import type { CountedProject, Project } from './project.ts'
import { projectDefaults, projectFacts, projectOverwrites, projectSettings } from './project-fields.ts'

/** A project: a group of workspaces with settings of its own. */
interface ProjectRow
  extends ColumnsOf<typeof projectSettings.fields>,
    ColumnsOf<typeof projectDefaults.fields>,
    ColumnsOf<typeof projectOverwrites.fields>,
    ColumnsOf<typeof projectFacts.fields> {
  id: string
  organization_id: string
}

declare module '../../../../storage/tables.ts' {
  interface DescribedTables {
    projects: ProjectRow
  }
}

const sets = [projectSettings, projectDefaults, projectOverwrites, projectFacts] as const

/** A project as its row keeps it. */
export const toProject: (row: ProjectRow) => Project = rowReader(sets, {
  id: (row) => row.id as Id<'prj'>,
  organizationId: (row) => row.organization_id,
})

const toProjectRow: (project: Project) => ProjectRow = rowWriter(sets, {
  id: (project) => project.id,
  organization_id: (project) => project.organizationId,
})

/** Projects with the numbers of their workspaces and teams. */
export const countedProjects = (db: Queryable) =>
  db
    .selectFrom('projects')
    .selectAll('projects')
    .select(({ selectFrom }) => [
      selectFrom('workspace_counts')
        .select('workspaces')
        .whereRef('workspace_counts.project_id', '=', 'projects.id')
        .as('workspaces'),
      selectFrom('team_project_access')
        .select(({ fn }) => fn.countAll<number>().as('teams'))
        .whereRef('team_project_access.project_id', '=', 'projects.id')
        .as('teams'),
    ])

/** A row of that query. */
type CountedRow = ProjectRow & { workspaces: number | null; teams: number | null }

/** The project of such a row. */
export const toCounted = (row: CountedRow): CountedProject => ({
  ...toProject(row),
  workspaceCount: Number(row.workspaces ?? 0),
  teamCount: Number(row.teams ?? 0),
})

/** The projects with these ids. */
export async function loadProjects(db: Queryable, ids: readonly string[]): Promise<CountedProject[]> {
  if (ids.length === 0) return []
  return (await countedProjects(db).where('projects.id', 'in', ids).execute()).map(toCounted)
}

/** Stores a new project. */
export async function insertProject(tx: Tx, project: Project): Promise<void> {
  await tx.insertInto('projects').values(toProjectRow(project)).execute()
  await bumpProjects(tx)
}

/** Stores what changed about a project. */
export async function updateProject(tx: Tx, project: Project): Promise<void> {
  const { id, ...columns } = toProjectRow(project)
  await tx.updateTable('projects').set(columns).where('id', '=', id).execute()
  await bumpProjects(tx)
}

/** Removes a project that has no workspaces; false when it has one, or is gone already. */
export async function deleteProject(tx: Tx, id: string): Promise<boolean> {
  await removeAllDependents(tx, 'projects', [id])
  const result = await tx
    .deleteFrom('projects')
    .where('id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('workspaces').select('workspaces.id').where('workspaces.project_id', '=', id))),
    )
    .executeTakeFirst()
  if (result.numDeletedRows !== 1n) return false
  await bumpProjects(tx)
  return true
}

/** Workspaces inherit from projects, and rights depend on them, so their versions change too. */
async function bumpProjects(tx: Tx): Promise<void> {
  for (const area of ['projects', 'workspaces', 'permissions'] as const) bumpVersion(tx, area)
}
