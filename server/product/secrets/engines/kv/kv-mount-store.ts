import { sql } from 'kysely'
import { bit } from '../../../../storage/bits.ts'
import { hotQuery } from '../../../../storage/hot.ts'
import type { Queryable, Tx } from '../../../../storage/open.ts'
import { bumpVersion } from '../../../../storage/versions.ts'
import type { MountRules } from './kv.ts'

/** The settings of a mount that were written. */
interface KvMountRow {
  mount_id: string
  max_versions: number
  cas_required: number
  metadata_cas_required: number
  /** Milliseconds; 0 for never, below 0 if it is switched off. */
  delete_version_after: number
  history: number
}

/** What a mount holds, in parts, so that those who write at the same time wait for each other less often. */
interface KvTotalsRow {
  mount_id: string
  slot: number
  secrets: number
  versions: number
  bytes: number
}

declare module '../../../../storage/tables.ts' {
  interface DescribedTables {
    kv_mounts: KvMountRow
    kv_totals: KvTotalsRow
  }
}

/** The settings of a mount, if they were written. */
export async function findRules(db: Queryable, mountId: string): Promise<MountRules | undefined> {
  const row = await db.selectFrom('kv_mounts').selectAll().where('mount_id', '=', mountId).executeTakeFirst()
  return (
    row && {
      maxVersions: row.max_versions,
      casRequired: row.cas_required === 1,
      metadataCasRequired: row.metadata_cas_required === 1,
      deleteVersionAfter: row.delete_version_after,
      history: row.history === 1,
    }
  )
}

/** Stores the settings of a mount. */
export async function saveRules(tx: Tx, mountId: string, rules: MountRules): Promise<void> {
  const columns = {
    max_versions: rules.maxVersions,
    cas_required: bit(rules.casRequired),
    metadata_cas_required: bit(rules.metadataCasRequired),
    delete_version_after: rules.deleteVersionAfter,
    history: bit(rules.history),
  }
  await tx
    .insertInto('kv_mounts')
    .values({ mount_id: mountId, ...columns })
    .onConflict((conflict) => conflict.column('mount_id').doUpdateSet(columns))
    .execute()
  bumpVersion(tx, 'kv')
}

/** How many secrets, versions and bytes of values there are. */
export type Totals = { readonly secrets: number; readonly versions: number; readonly bytes: number }

const add = hotQuery('kv-totals.add', (db, row: KvTotalsRow) =>
  db
    .insertInto('kv_totals')
    .values({
      mount_id: row.mount_id,
      slot: row.slot,
      secrets: row.secrets,
      versions: row.versions,
      bytes: row.bytes,
    })
    .onConflict((conflict) =>
      conflict.columns(['mount_id', 'slot']).doUpdateSet({
        secrets: sql<number>`kv_totals.secrets + ${row.secrets}`,
        versions: sql<number>`kv_totals.versions + ${row.versions}`,
        bytes: sql<number>`kv_totals.bytes + ${row.bytes}`,
      }),
    ),
)

/** Secrets are spread over the parts by the first digit of their id, which is hexadecimal. */
const slotOf = (secretId: string): number => Number.parseInt(secretId.charAt(0), 16)

/** Counts what a write has added to a mount, or removed from it. */
export const addTotals = async (tx: Tx, mountId: string, secretId: string, by: Totals): Promise<void> =>
  add.runBeforeCommit(tx, { mount_id: mountId, slot: slotOf(secretId), ...by })

const subtractBelow = hotQuery(
  'kv-totals.subtract-below',
  (db, by: { mount_id: string; slot: number; secret_id: string; number: number }) => {
    const below = (what: string) =>
      sql<number>`(select coalesce(${sql.raw(what)}, 0) from kv_versions where mount_id = ${by.mount_id} and secret_id = ${by.secret_id} and number < ${by.number})`
    return db
      .updateTable('kv_totals')
      .set({
        versions: sql<number>`kv_totals.versions - ${below('count(*)')}`,
        bytes: sql<number>`kv_totals.bytes - ${below('sum(size)')}`,
      })
      .where('kv_totals.mount_id', '=', by.mount_id)
      .where('slot', '=', by.slot)
  },
)

/** Counts that the versions of a secret below a number are about to be removed. */
export const subtractVersions = async (tx: Tx, mountId: string, secretId: string, below: number): Promise<void> =>
  subtractBelow.runBeforeCommit(tx, {
    mount_id: mountId,
    slot: slotOf(secretId),
    secret_id: secretId,
    number: below,
  })

/** What a mount holds. */
export async function loadTotals(db: Queryable, mountId: string): Promise<Totals> {
  const row = await db
    .selectFrom('kv_totals')
    .select((eb) => [
      eb.fn.coalesce(eb.fn.sum('secrets'), sql.lit(0)).as('secrets'),
      eb.fn.coalesce(eb.fn.sum('versions'), sql.lit(0)).as('versions'),
      eb.fn.coalesce(eb.fn.sum('bytes'), sql.lit(0)).as('bytes'),
    ])
    .where('mount_id', '=', mountId)
    .executeTakeFirstOrThrow()
  return { secrets: Number(row.secrets), versions: Number(row.versions), bytes: Number(row.bytes) }
}

/** Removes the settings and figures of a mount that is gone. */
export async function deleteMountRows(tx: Tx, mountId: string): Promise<void> {
  await tx.deleteFrom('kv_mounts').where('mount_id', '=', mountId).execute()
  await tx.deleteFrom('kv_totals').where('mount_id', '=', mountId).execute()
  bumpVersion(tx, 'kv')
}
