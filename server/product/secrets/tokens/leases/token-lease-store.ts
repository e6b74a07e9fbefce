import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Instant } from '../../../../kernel/clock.ts'
import { endOfFolder } from '../../../../kit/folder-keys.ts'
import type { ListPage, ListPlace } from '../../../../kit/list.ts'
import { hotQuery } from '../../../../storage/hot.ts'
import type { Queryable } from '../../../../storage/open.ts'
import { leasedTokens, livingAmong } from '../records/token-list-store.ts'

/** Where leases are listed, and when. */
type FiledAt = { readonly path: string; readonly now: Instant }

const leasePage = hotQuery('tokens.leases', (db, by: ListPlace & FiledAt) =>
  leasedTokens(db, by.now)
    .select('tokens.id')
    .where('path', '=', by.path)
    .where('tokens.id', '>', by.after)
    .orderBy('tokens.id')
    .limit(by.most),
)

/** A page of the hashes of the living tokens filed under exactly this path. */
export async function listTokensAt(db: Queryable, at: FiledAt, { after, most }: ListPlace): Promise<ListPage> {
  const { now } = at
  const rows = await leasePage.all(db, { ...at, after, most })
  const names = (await livingAmong(db, rows, now)).map((row) => row.id)
  return { names, next: rows.length < most ? undefined : rows.at(-1)?.id }
}

/** The folders directly below a folder that have living tokens, in order. The folder ends in a slash, or is empty. */
export async function listFolders(
  db: Queryable,
  { folder, now }: { readonly folder: string; readonly now: Instant },
): Promise<string[]> {
  const keys = new Set<string>()
  const keyOf = (path: string): string => `${path}/`.slice(folder.length).split('/', 1)[0] ?? ''
  for (let after = folder; ; await nextTurn()) {
    const paths = (await listPaths(db, folder, after)).sort((a, b) => a.place - b.place)
    const unknown = paths.filter(({ path }) => !keys.has(keyOf(path)))
    const first = unknown.map((row) => row.first)
    const rows = await leasedTokens(db, now).select('tokens.path').where('tokens.id', 'in', first).execute()
    const living = new Set((await livingAmong(db, rows, now)).map((row) => row.path))
    for (const { path, first } of unknown) {
      if (keys.has(keyOf(path))) continue
      if (living.has(path) || (await hasLiving(db, { path, now }, first))) keys.add(keyOf(path))
    }
    const last = paths.at(-1)
    if (paths.length < pathsAtOnce || last === undefined) return [...keys].map((key) => `${key}/`).sort()
    after = last.path
  }
}

/** Whether a path has a living token after this one. */
async function hasLiving(db: Queryable, at: FiledAt, first: string): Promise<boolean> {
  for (let next: string | undefined = first; next !== undefined; await nextTurn()) {
    const page: ListPage = await listTokensAt(db, at, { after: next, most: tokensAtOnce })
    if (page.names.length > 0) return true
    next = page.next
  }
  return false
}

const tokensAtOnce = 1_000
const pathsAtOnce = 200

/** The next paths below a folder under which tokens are filed, each with the first of these; skips through the index. */
const listPaths = (
  db: Queryable,
  folder: string,
  after: string,
): Promise<{ path: string; first: string; place: number }[]> => {
  const filed = (from: Queryable) => {
    const tokens = from
      .selectFrom('tokens')
      .where('tokens.revoked', '=', sql.lit(0))
      .where('expires_at', 'is not', null)
    return folder === '' ? tokens : tokens.where('tokens.path', '<', endOfFolder(folder))
  }
  const one = sql.lit(1)
  return db
    .withRecursive('seen', (seen) =>
      seen
        .selectNoFrom([
          filed(db).select('tokens.path').where('tokens.path', '>', after).orderBy('tokens.path').limit(one).as('path'),
          sql<number>`1`.as('place'),
        ])
        .unionAll(
          seen
            .selectFrom('seen')
            .select((eb) => [
              filed(db)
                .select('tokens.path')
                .where('tokens.path', '>', eb.ref('seen.path') as never)
                .orderBy('tokens.path')
                .limit(one)
                .as('path'),
              eb('seen.place', '+', 1).as('place'),
            ])
            .where('seen.path', 'is not', null)
            .where('seen.place', '<', pathsAtOnce),
        ),
    )
    .selectFrom('seen')
    .select((eb) => [
      'seen.path',
      'seen.place',
      filed(db)
        .select('tokens.id')
        .where('tokens.path', '=', eb.ref('seen.path') as never)
        .orderBy('tokens.id')
        .limit(one)
        .as('first'),
    ])
    .where('seen.path', 'is not', null)
    .execute() as Promise<{ path: string; first: string; place: number }[]>
}
