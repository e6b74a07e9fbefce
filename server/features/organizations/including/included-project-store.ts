import type { Queryable } from '../../../storage/open.ts'
import type { ProjectRow } from '../../../storage/tables/organizations.ts'

/** A project and the number of its workspaces. */
export type IncludedProject = ProjectRow & { readonly workspaces: number }

/** The projects with these ids, each with the number of its workspaces. */
export async function loadIncludedProjects(db: Queryable, ids: readonly string[]): Promise<IncludedProject[]> {
  const rows = await db
    .selectFrom('projects')
    .leftJoin('workspace_counts', 'workspace_counts.project_id', 'projects.id')
    .selectAll('projects')
    .select('workspace_counts.workspaces')
    .where('projects.id', 'in', ids)
    .execute()
  return rows.map((row) => ({ ...row, workspaces: row.workspaces ?? 0 }))
}
