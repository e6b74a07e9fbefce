import { type SelectQueryBuilder, sql } from 'kysely'
import { type Instant, instant } from '../../../../kernel/clock.ts'
import { hotQuery } from '../../../../storage/hot.ts'
import type { Queryable, Tx } from '../../../../storage/open.ts'
import { bumpVersion } from '../../../../storage/versions.ts'
import type { PathScope } from '../records/revoked-path-store.ts'

/**
 * Written into the statements: an index of some rows is used only if the statement itself shows that it asks for no
 * others, which a parameter does not.
 */
const [noParent, unmarked, marked] = [sql.lit(''), sql.lit(0), sql.lit(1)]

/** A token and its descendants if there are at most `most` of them; undefined if there are more. */
export async function findSmallFamily(tx: Tx, id: string, most: number): Promise<string[] | undefined> {
  const family = [id]
  for (let generation = [id]; generation.length > 0; ) {
    generation = await childrenOf(tx, generation, most + 1 - family.length)
    family.push(...generation)
    if (family.length > most) return undefined
  }
  return family
}

const onlyChildren = hotQuery('tokens.children', (db, by: { parent: string; most: number }) =>
  db
    .selectFrom('tokens')
    .select('id')
    .where('parent_id', '=', by.parent)
    .where('parent_id', '<>', noParent)
    .limit(by.most),
)

/** Up to `most` children of these tokens, dead or not. */
export async function childrenOf(tx: Tx, parents: readonly string[], most: number): Promise<string[]> {
  const [parent] = parents
  if (parents.length === 1 && parent !== undefined) {
    return (await onlyChildren.all(tx, { parent, most })).map((row) => row.id)
  }
  const rows = await tx
    .selectFrom('tokens')
    .select('id')
    .where('parent_id', 'in', [...parents])
    .where('parent_id', '<>', noParent)
    .limit(most)
    .execute()
  return rows.map((row) => row.id)
}

/** Removes tokens and their private stores; returns how many there were. */
export async function removeTokens(tx: Tx, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const result = await tx
    .deleteFrom('tokens')
    .where('id', 'in', [...ids])
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/**
 * Removes tokens together with children that were being made until now, for which the removal has waited; returns how
 * many.
 */
export async function removeWithNewChildren(tx: Tx, ids: readonly string[]): Promise<number> {
  let removed = 0
  for (let next = ids; next.length > 0; next = await childrenOf(tx, next, Number.MAX_SAFE_INTEGER)) {
    removed += await removeTokens(tx, next)
  }
  return removed
}

const removeCountedQuery = hotQuery('tokens.remove-used-up', (db, by: { id: string }) =>
  db.deleteFrom('tokens').where('id', '=', by.id).where('num_uses', '>', 0),
)

/** Removes a token with counted uses; returns whether it existed. Such a token has no children. */
export async function removeCountedToken(db: Queryable, id: string): Promise<boolean> {
  return (await removeCountedQuery.run(db, { id })) > 0
}

/** Declares tokens dead; they and their descendants stop working at once. */
export async function markDead(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx
    .updateTable('tokens')
    .set({ revoked: 1 })
    .where('id', 'in', [...ids])
    .execute()
}

/** Declares these tokens dead; returns how many there were. */
async function markSelected<D, T extends keyof D>(
  tx: Tx,
  chosen: SelectQueryBuilder<D, T, { id: string }>,
): Promise<number> {
  const result = await tx.updateTable('tokens').set({ revoked: 1 }).where('id', 'in', chosen).executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** Declares dead those of these tokens that are not yet; returns how many there were. */
export async function markLivingDead(tx: Tx, ids: readonly string[]): Promise<number> {
  bumpVersion(tx, 'tokens')
  return await markSelected(tx, unmarkedTokens(tx).where('id', 'in', [...ids]))
}

/** Tokens that have not been declared dead yet. */
const unmarkedTokens = (db: Queryable) =>
  db.selectFrom('tokens').select('tokens.id').where('tokens.revoked', '=', unmarked)

const idsOf = async (chosen: { execute(): Promise<{ id: string }[]> }): Promise<string[]> =>
  (await chosen.execute()).map((row) => row.id)

/**
 * Up to `most` tokens that have expired, the first ones first. These and others are chosen in the order of an index:
 * without one, PostgreSQL may rather read the table from its start.
 */
export const findExpired = (tx: Tx, now: Instant, most: number): Promise<string[]> =>
  idsOf(unmarkedTokens(tx).where('expires_at', '<=', now).orderBy('expires_at').limit(most))

/** Tokens with a lease: those without an end have none. */
const leasedTokens = (db: Queryable) => unmarkedTokens(db).where('expires_at', 'is not', null)

/** The tokens of the logins at a path, as far as they carry this login id. */
export type LoginScope = { readonly path: string; readonly loginId: string }

/** Up to `most` of these tokens. */
export const findByPath = (tx: Tx, { path, until }: PathScope, most: number): Promise<string[]> =>
  findFiled(tx, { path, most }, (tokens) => tokens.where('created_at', '<=', until))

/** Up to `most` of the tokens that logins at a path made with this login id. */
export const findByLogin = (tx: Tx, { path, loginId }: LoginScope, most: number): Promise<string[]> =>
  findFiled(tx, { path, most }, (tokens) => tokens.where('mount_id', '=', loginId))

/**
 * Tokens that came from a path or from below it. What is below `a` sorts between `a/` and `a0`, since `0` follows the
 * slash; others, such as those of `a-b`, sort between that and `a`, and would be passed by in every batch.
 */
async function findFiled(
  tx: Tx,
  { path, most }: { path: string; most: number },
  narrow: (tokens: ReturnType<typeof leasedTokens>) => ReturnType<typeof leasedTokens>,
): Promise<string[]> {
  const tokens = narrow(leasedTokens(tx)).orderBy('path').orderBy('created_at')
  const ofPath = await idsOf(tokens.where('path', '=', path).limit(most))
  if (ofPath.length === most) return ofPath
  const below = tokens.where('path', '>', `${path}/`).where('path', '<', `${path}0`)
  return [...ofPath, ...(await idsOf(below.limit(most - ofPath.length)))]
}

/** How many tokens a revocation by path is about. */
export async function countByPath(db: Queryable, { path, until }: PathScope): Promise<number> {
  const tokens = leasedTokens(db).clearSelect().where('created_at', '<=', until)
  const count = async (filed: typeof tokens): Promise<number> =>
    Number((await filed.select((eb) => eb.fn.countAll().as('tokens')).executeTakeFirstOrThrow()).tokens)
  const below = tokens.where('path', '>', `${path}/`).where('path', '<', `${path}0`)
  return (await count(tokens.where('path', '=', path))) + (await count(below))
}

/** How many children a token has. */
export async function countChildren(db: Queryable, parent: string): Promise<number> {
  const children = db.selectFrom('tokens').where('parent_id', '=', parent).where('parent_id', '<>', noParent)
  const { children: count } = await children.select((eb) => eb.fn.countAll().as('children')).executeTakeFirstOrThrow()
  return Number(count)
}

const lastFiled = hotQuery('tokens.last-filed', (db, by: { after: string; before: string }) =>
  leasedTokens(db)
    .clearSelect()
    .select(['path', 'created_at'])
    .where('path', '>=', by.after)
    .where('path', '<', by.before)
    .orderBy('path', 'desc')
    .orderBy('created_at', 'desc')
    .limit(sql.lit(1)),
)

/**
 * When the newest token of a path or from below it was created, by the clock of the node that created it; 0 if there is
 * none. The newest of each single path is the last one in the index, so that few rows are read. No path but itself sorts
 * before one that is followed by the first of all characters.
 */
export async function newestByPath(db: Queryable, path: string): Promise<Instant> {
  let newest = Number((await lastFiled.first(db, { after: path, before: `${path}\u0001` }))?.created_at ?? 0)
  for (let before = `${path}0`; ; ) {
    const last = await lastFiled.first(db, { after: `${path}/`, before })
    if (!last) return instant(newest)
    newest = Math.max(newest, Number(last.created_at))
    before = last.path
  }
}

/** Up to `most` tokens that were declared dead and are not yet removed, the oldest first. */
export const findDead = (tx: Tx, most: number): Promise<string[]> =>
  idsOf(tx.selectFrom('tokens').select('id').where('revoked', '=', marked).orderBy('created_at').limit(most))

/** Declares up to `most` children of dead tokens dead themselves; returns how many. */
export const markChildrenDead = async (tx: Tx, parents: readonly string[], most: number): Promise<number> =>
  parents.length === 0
    ? 0
    : await markSelected(
        tx,
        unmarkedTokens(tx)
          .where('parent_id', 'in', parents)
          .where('parent_id', '<>', noParent)
          .orderBy('parent_id')
          .limit(most),
      )

/** Makes up to `most` children of a token orphans; returns how many. */
export async function orphanChildren(tx: Tx, parent: string, most: number): Promise<number> {
  const children = tx.selectFrom('tokens').select('id').where('parent_id', '=', parent)
  const result = await tx
    .updateTable('tokens')
    .set({ parent_id: '', orphan: 1 })
    .where('id', 'in', children.where('parent_id', '<>', noParent).orderBy('revoked').limit(most))
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** Parents that are gone, by the children that they have left, and where to go on; undefined at the end. */
export async function findGoneParents(
  db: Queryable,
  { after, most }: { readonly after: string; readonly most: number },
): Promise<{ gone: string[]; next: string | undefined }> {
  const children = db.selectFrom('tokens').select('parent_id').where('parent_id', '>', after)
  const rows = await children.where('parent_id', '<>', noParent).orderBy('parent_id').limit(most).execute()
  const parents = [...new Set(rows.map((row) => row.parent_id))]
  const stored = await idsOf(db.selectFrom('tokens').select('id').where('id', 'in', parents))
  const next = rows.length < most ? undefined : parents.at(-1)
  return { gone: parents.filter((id) => !stored.includes(id)), next }
}

/**
 * How many stored tokens are alive, including those whose ancestors died a moment ago. Counting all and subtracting the
 * dead, which are few and have indexes, reads no rows.
 */
export async function countLiving(db: Queryable, now: Instant): Promise<number> {
  const tokens = db.selectFrom('tokens').select((eb) => eb.fn.countAll<number>().as('count'))
  const expired = tokens.where('revoked', '=', unmarked).where('expires_at', '<=', now)
  const revoked = tokens.where('revoked', '=', marked)
  const counts = await Promise.all([tokens, expired, revoked].map((query) => query.executeTakeFirstOrThrow()))
  const [all = 0, gone = 0, dead = 0] = counts.map(({ count }) => Number(count))
  return all - gone - dead
}
