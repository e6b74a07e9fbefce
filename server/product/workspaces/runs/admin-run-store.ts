import type { Instant } from '../../../kernel/clock.ts'
import { removedIds } from '../../../kit/removals/index.ts'
import type { Queryable } from '../../../storage/open.ts'
import { containsInAnyCase } from '../../../storage/search.ts'
import type { Run } from './run.ts'
import { toRun } from './run-store.ts'

/** Which runs of the whole site are wanted. */
export type SiteFilter = {
  readonly statuses: readonly string[] | undefined
  readonly from: Instant | undefined
  readonly to: Instant | undefined
  /** The id of a run, or a part of the name of a workspace or organization. */
  readonly text: string | undefined
}

/** One page of the runs of all organizations, newest first, and how many there are. */
export async function listSiteRuns(
  db: Queryable,
  { statuses, from, to, text }: SiteFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ runs: Run[]; total: number }> {
  let all = db.selectFrom('runs').where('runs.organization_id', 'not in', removedIds(db, 'organization'))
  if (statuses) all = all.where('runs.status', 'in', statuses)
  if (from !== undefined) all = all.where('runs.created_at', '>=', from)
  if (to !== undefined) all = all.where('runs.created_at', '<=', to)
  if (text !== undefined)
    all = all.where(({ eb, or, selectFrom }) => {
      const workspaces = selectFrom('workspaces').select('workspaces.id')
      const organizations = selectFrom('organizations').select('organizations.id')
      return or([
        eb('runs.id', '=', text),
        eb('runs.workspace_id', 'in', workspaces.where(containsInAnyCase('workspaces.name', text))),
        eb('runs.organization_id', 'in', organizations.where(containsInAnyCase('organizations.name', text))),
      ])
    })
  const { total } = await all.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const newestFirst = all.selectAll('runs').orderBy('runs.created_at', 'desc').orderBy('runs.id', 'desc')
  const rows = await newestFirst.offset(offset).limit(limit).execute()
  return { runs: rows.map(toRun), total: Number(total) }
}

/** The names of these organizations, by id. */
export async function organizationNames(db: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('organizations').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
