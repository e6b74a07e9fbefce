import type { ExpressionBuilder } from 'kysely'
import { asSealed, type Sealed } from '../../../../../crypto/keyring.ts'
import { type Instant, instant } from '../../../../../kernel/clock.ts'
import { hotQuery } from '../../../../../storage/hot.ts'
import type { Queryable, Tx } from '../../../../../storage/open.ts'
import type { DescribedTables } from '../../../../../storage/tables.ts'
import { firstIdAt, type LoginKey, type RecordedLogin } from './login-record.ts'

/** Equal certificate logins of one minute. */
interface CertLoginRow {
  mount_id: string
  id: string
  at: number
  last_at: number
  count: number
  accepted: number
  role: string
  digest: string
  anchor: string
  reason: string
  /** Who it was and why it was refused in words, sealed. */
  facts: Uint8Array
  /** The certificates of a refused login as PEM, sealed. */
  chain: Uint8Array | null
}

declare module '../../../../../storage/tables.ts' {
  interface DescribedTables {
    cert_logins: CertLoginRow
  }
}

/** The table, for the places of what is sealed. */
export const loginTable = 'cert_logins'

/** A row with what is sealed in it. */
export type SealedLogin = RecordedLogin & { readonly facts: Sealed; readonly chain: Sealed | null }

const putRow = hotQuery('cert-logins.put', (db, row: CertLoginRow) =>
  db
    .insertInto('cert_logins')
    .values({
      mount_id: row.mount_id,
      id: row.id,
      at: row.at,
      last_at: row.last_at,
      count: row.count,
      accepted: row.accepted,
      role: row.role,
      digest: row.digest,
      anchor: row.anchor,
      reason: row.reason,
      facts: row.facts,
      chain: row.chain,
    })
    .onConflict((conflict) =>
      conflict.columns(['mount_id', 'id']).doUpdateSet((eb) => ({
        count: eb.ref('excluded.count'),
        last_at: eb.ref('excluded.last_at'),
      })),
    ),
)

/** Adds rows, or counts on in those that are there. */
export async function putLogins(tx: Tx, logins: readonly SealedLogin[]): Promise<void> {
  for (const login of logins) await putRow.runBeforeCommit(tx, toRow(login))
}

/** What a list of logins is narrowed by. */
export type LoginFilter = {
  readonly accepted?: boolean | undefined
  readonly role?: string | undefined
  readonly digest?: string | undefined
  readonly reason?: string | undefined
  readonly since?: Instant | undefined
}

const shownColumns = [
  'mount_id',
  'id',
  'at',
  'last_at',
  'count',
  'accepted',
  'role',
  'digest',
  'anchor',
  'reason',
  'facts',
] as const

/** A page of the logins of a mount, the newest first; `after` is the id of the last one of the page before. */
export async function pageOfLogins(
  db: Queryable,
  mountId: string,
  { after, limit, ...filter }: LoginFilter & { readonly after: string; readonly limit: number },
): Promise<Omit<SealedLogin, 'chain'>[]> {
  const { accepted, role, digest, reason, since } = filter
  let query = db.selectFrom('cert_logins').select(shownColumns).where('mount_id', '=', mountId)
  // The index of reasons has refusals only.
  const verdict = reason === undefined ? accepted : (accepted ?? false)
  if (verdict !== undefined) query = query.where('accepted', '=', verdict ? 1 : 0)
  if (role !== undefined) query = query.where('role', '=', role)
  if (digest !== undefined) query = query.where('digest', '=', digest)
  if (reason !== undefined) query = query.where('reason', '=', reason)
  if (since !== undefined) query = query.where('id', '>=', firstIdAt(since))
  if (after !== '') query = query.where('id', '<', after)
  return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toLogin)
}

/** One login with its certificates. */
export async function findLogin(db: Queryable, mountId: string, id: string): Promise<SealedLogin | undefined> {
  const found = db.selectFrom('cert_logins').selectAll().where('mount_id', '=', mountId).where('id', '=', id)
  const row = await found.executeTakeFirst()
  return row && { ...toLogin(row), chain: row.chain && asSealed(row.chain) }
}

/** Logins of a role since some time, by verdict. */
export type RoleCount = {
  readonly role: string
  readonly accepted: boolean
  readonly count: number
  readonly clients: number
  readonly lastAt: Instant
}

const totals = ({ fn }: ExpressionBuilder<DescribedTables, 'cert_logins'>) =>
  [fn.sum('count').as('logins'), fn.count('digest').distinct().as('clients'), fn.max('last_at').as('last_at')] as const

type Totals = { logins: string | number | bigint; clients: string | number | bigint; last_at: number }

const toTotals = ({ logins, clients, last_at }: Totals) => ({
  count: Number(logins),
  clients: Number(clients),
  lastAt: instant(Number(last_at)),
})

/** How many logins these roles accepted and refused since some time. */
export async function countByRole(
  db: Queryable,
  mountId: string,
  { roles, since }: { readonly roles: readonly string[]; readonly since: Instant },
): Promise<RoleCount[]> {
  const rows = await db
    .selectFrom('cert_logins')
    .where('mount_id', '=', mountId)
    .where('role', 'in', [...roles])
    .where('id', '>=', firstIdAt(since))
    .select((eb) => ['role', 'accepted', ...totals(eb)])
    .groupBy(['role', 'accepted'])
    .execute()
  return rows.map(({ role, accepted, ...rest }) => ({ role, accepted: accepted === 1, ...toTotals(rest) }))
}

/** Logins by the certificate of the role that they led to, since some time. */
export async function countByAnchor(
  db: Queryable,
  mountId: string,
  { anchors, since }: { readonly anchors: readonly string[]; readonly since: Instant },
): Promise<ReadonlyMap<string, Omit<RoleCount, 'role' | 'accepted'>>> {
  const rows = await db
    .selectFrom('cert_logins')
    .where('mount_id', '=', mountId)
    .where('accepted', '=', 1)
    .where('anchor', 'in', [...anchors])
    .where('id', '>=', firstIdAt(since))
    .select((eb) => ['anchor', ...totals(eb)])
    .groupBy('anchor')
    .execute()
  return new Map(rows.map(({ anchor, ...rest }) => [anchor, toTotals(rest)]))
}

/** A certificate that logged in since some time: how often, and its newest row. */
export type SeenClient = Omit<RoleCount, 'role' | 'accepted'> & { readonly newest: string }

/** The certificates that logged in since some time, the last ones first. */
export async function listClients(
  db: Queryable,
  mountId: string,
  filter: { readonly role?: string | undefined; readonly anchor?: string | undefined; since: Instant; limit: number },
): Promise<SeenClient[]> {
  let query = db
    .selectFrom('cert_logins')
    .where('mount_id', '=', mountId)
    .where('accepted', '=', 1)
    .where('id', '>=', firstIdAt(filter.since))
  if (filter.role !== undefined) query = query.where('role', '=', filter.role)
  if (filter.anchor !== undefined) query = query.where('anchor', '=', filter.anchor)
  const rows = await query
    .select((eb) => [eb.fn.max('id').as('newest'), ...totals(eb)])
    .groupBy('digest')
    .orderBy('newest', 'desc')
    .limit(filter.limit)
    .execute()
  return rows.map(({ newest, ...rest }) => ({ newest, ...toTotals(rest) }))
}

/** Logins by their ids. */
export async function loginsOf(
  db: Queryable,
  mountId: string,
  ids: readonly string[],
): Promise<Omit<SealedLogin, 'chain'>[]> {
  const rows = db.selectFrom('cert_logins').select(shownColumns).where('mount_id', '=', mountId)
  return (await rows.where('id', 'in', [...ids]).execute()).map(toLogin)
}

/** How many rows there are of each verdict. */
export async function countRows(db: Queryable): Promise<{ accepted: number; refused: number }> {
  const rows = await db
    .selectFrom('cert_logins')
    .select(({ fn }) => ['accepted', fn.countAll().as('rows')])
    .groupBy('accepted')
    .execute()
  const of = (verdict: number): number => Number(rows.find(({ accepted }) => accepted === verdict)?.rows ?? 0)
  return { accepted: of(1), refused: of(0) }
}

/** Deletes up to `limit` rows from before this time; returns how many. */
export const deleteLoginsBefore = (tx: Tx, before: Instant, limit: number): Promise<number> =>
  deleteSome(tx, { below: firstIdAt(before), limit })

/** Deletes up to `limit` rows of a verdict beyond the newest `kept`; returns how many. */
export async function deleteLoginsBeyond(
  tx: Tx,
  { accepted, kept }: { readonly accepted: boolean; readonly kept: number },
  limit: number,
): Promise<number> {
  const verdict = accepted ? 1 : 0
  const first = tx.selectFrom('cert_logins').select('id').where('accepted', '=', verdict)
  const beyond = await first.orderBy('id', 'desc').offset(kept).limit(1).executeTakeFirst()
  return beyond ? await deleteSome(tx, { verdict, below: `${beyond.id}~`, limit }) : 0
}

async function deleteSome(
  tx: Tx,
  { verdict, below, limit }: { readonly verdict?: number; readonly below: string; readonly limit: number },
): Promise<number> {
  const verdicts = verdict === undefined ? [0, 1] : [verdict]
  let deleted = 0
  for (const each of verdicts) {
    const old = tx.selectFrom('cert_logins').select(['mount_id', 'id']).where('accepted', '=', each)
    const rows = await old
      .where('id', '<', below)
      .orderBy('id')
      .limit(limit - deleted)
      .execute()
    for (const { mount_id, id } of rows)
      await tx.deleteFrom('cert_logins').where('mount_id', '=', mount_id).where('id', '=', id).execute()
    deleted += rows.length
  }
  return deleted
}

/** Removes up to `limit` rows of a mount that is gone; returns how many are left. */
export async function removeSomeLogins(tx: Tx, mountId: string, limit: number): Promise<number> {
  const own = () => tx.selectFrom('cert_logins').where('mount_id', '=', mountId)
  const ids = (await own().select('id').limit(limit).execute()).map(({ id }) => id)
  await tx.deleteFrom('cert_logins').where('mount_id', '=', mountId).where('id', 'in', ids).execute()
  const { rows } = await own()
    .select(({ fn }) => fn.countAll().as('rows'))
    .executeTakeFirstOrThrow()
  return Number(rows)
}

const toRow = (login: SealedLogin): CertLoginRow => ({
  mount_id: login.mountId,
  id: login.id,
  at: login.at,
  last_at: login.lastAt,
  count: login.count,
  accepted: login.accepted ? 1 : 0,
  role: login.role,
  digest: login.digest,
  anchor: login.anchor,
  reason: login.reason,
  facts: login.facts,
  chain: login.chain,
})

const toLogin = (row: Omit<CertLoginRow, 'chain'>): Omit<SealedLogin, 'chain'> => ({
  ...keyOf(row),
  id: row.id,
  at: instant(row.at),
  lastAt: instant(row.last_at),
  count: row.count,
  facts: asSealed(row.facts),
})

const keyOf = (row: Omit<CertLoginRow, 'chain'>): LoginKey => ({
  mountId: row.mount_id,
  accepted: row.accepted === 1,
  role: row.role,
  digest: row.digest,
  anchor: row.anchor,
  reason: row.reason,
})
