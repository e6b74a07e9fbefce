import { sql } from 'kysely'
import type { Awaitable } from '../../kernel/awaitable.ts'
import type { Instant } from '../../kernel/clock.ts'
import { hotQuery } from '../../storage/hot.ts'
import type { Queryable, Tx } from '../../storage/open.ts'
import type { Author, ChangePlace, Members, RecordedChange } from './change-rules.ts'

/** One change; `before` and `after` are JSON objects of what changed. Empty ids mean that none is concerned. */
interface ChangeRow {
  id: string
  /** Grows with time; the order in which changes are listed. */
  position: number
  organization_id: string
  workspace_id: string
  subject_type: string
  subject_id: string
  subject_name: string
  action: string
  actor_kind: string
  actor_id: string
  actor_name: string
  token_id: string
  request_id: string
  created_at: number
  before: string | null
  after: string | null
}

declare module '../../storage/tables.ts' {
  interface DescribedTables {
    change_log: ChangeRow
  }
}

/** Which changes are asked for. */
export type ChangeFilter = {
  readonly organizationId: string
  readonly workspaceId?: string | undefined
  readonly subjectType?: string | undefined
  readonly subjectId?: string | undefined
  /** Types of resources that are left out. */
  readonly exceptTypes?: readonly string[] | undefined
}

const append = hotQuery('change-log.append', (db, row: ChangeRow) => db.insertInto('change_log').values(columnsOf(row)))

/**
 * Changes of one workspace are in the order in which they were made, whatever the clocks of the nodes say: a request
 * that changes a workspace has written its row before, and so locked out all others. A request may have waited for that
 * longer than readers look back, so no change takes a place before those of its organization that can be read already.
 */
const appendToWorkspace = hotQuery('change-log.append-to-workspace', (db, row: ChangeRow) =>
  db.insertInto('change_log').values({
    ...columnsOf(row),
    position: sql<number>`coalesce((
      select position + 1 from change_log
      where organization_id = ${row.organization_id} and position >= ${row.position}
      order by position desc limit 1
    ), ${row.position})`,
  }),
)

/** Names each column: while a hot query is built, its parameters are placeholders that cannot be spread. */
const columnsOf = (row: ChangeRow): ChangeRow => ({
  id: row.id,
  position: row.position,
  organization_id: row.organization_id,
  workspace_id: row.workspace_id,
  subject_type: row.subject_type,
  subject_id: row.subject_id,
  subject_name: row.subject_name,
  action: row.action,
  actor_kind: row.actor_kind,
  actor_id: row.actor_id,
  actor_name: row.actor_name,
  token_id: row.token_id,
  request_id: row.request_id,
  created_at: row.created_at,
  before: row.before,
  after: row.after,
})

/** Appends a change. */
export const insertChange = (tx: Tx, change: RecordedChange): Awaitable<void> =>
  (change.workspaceId === undefined ? append : appendToWorkspace).runBeforeCommit(tx, toRow(change))

const toRow = (change: RecordedChange): ChangeRow => ({
  id: change.id,
  position: change.position,
  organization_id: change.organizationId,
  workspace_id: change.workspaceId ?? '',
  subject_type: change.subject.type,
  subject_id: change.subject.id,
  subject_name: change.subject.name,
  action: change.action,
  actor_kind: change.author.kind,
  actor_id: change.author.id,
  actor_name: change.author.name,
  token_id: change.author.tokenId,
  request_id: change.author.requestId,
  created_at: change.at,
  before: change.before ? JSON.stringify(change.before) : null,
  after: change.after ? JSON.stringify(change.after) : null,
})

/** Changes of an organization before a place, newest first. Several processes may have used the same position. */
export async function listChanges(
  db: Queryable,
  filter: ChangeFilter,
  { before, limit }: { readonly before: ChangePlace | undefined; readonly limit: number },
): Promise<RecordedChange[]> {
  let query = db
    .selectFrom('change_log')
    .selectAll()
    .where('organization_id', '=', filter.organizationId)
    .orderBy('position', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (filter.workspaceId !== undefined) query = query.where('workspace_id', '=', filter.workspaceId)
  if (filter.subjectType !== undefined) query = query.where('subject_type', '=', filter.subjectType)
  if (filter.subjectId !== undefined) query = query.where('subject_id', '=', filter.subjectId)
  if (filter.exceptTypes?.length) query = query.where('subject_type', 'not in', filter.exceptTypes)
  if (before) {
    query = query.where((eb) => eb(eb.refTuple('position', 'id'), '<', eb.tuple(before.position, before.id)))
  }
  return (await query.execute()).map(toChange)
}

/** A row as the change it keeps. */
export const toChange = (row: ChangeRow): RecordedChange => ({
  id: row.id,
  position: row.position,
  organizationId: row.organization_id,
  ...(row.workspace_id === '' ? {} : { workspaceId: row.workspace_id }),
  subject: { type: row.subject_type, id: row.subject_id, name: row.subject_name },
  action: row.action,
  author: {
    kind: row.actor_kind as Author['kind'],
    id: row.actor_id,
    name: row.actor_name,
    tokenId: row.token_id,
    requestId: row.request_id,
  },
  at: row.created_at as Instant,
  ...(row.before === null ? {} : { before: JSON.parse(row.before) as Members }),
  ...(row.after === null ? {} : { after: JSON.parse(row.after) as Members }),
})
