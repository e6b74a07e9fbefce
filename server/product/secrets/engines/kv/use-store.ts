import { sql } from 'kysely'
import { type Instant, instant } from '../../../../kernel/clock.ts'
import { hotQuery } from '../../../../storage/hot.ts'
import type { Queryable, Tx } from '../../../../storage/open.ts'
import type { Use } from './use.ts'

/** What an entity has done to a secret, and how often. */
interface KvUseRow {
  mount_id: string
  secret_id: string
  /** Empty for tokens without entity. */
  entity_id: string
  operation: string
  display_name: string
  /** The version that was touched last. */
  version: number
  first_at: number
  last_at: number
  count: number
}

declare module '../../../../storage/tables.ts' {
  interface DescribedTables {
    kv_uses: KvUseRow
  }
}

const put = hotQuery('kv-uses.put', (db, row: KvUseRow) =>
  db
    .insertInto('kv_uses')
    .columns([
      'mount_id',
      'secret_id',
      'entity_id',
      'operation',
      'display_name',
      'version',
      'first_at',
      'last_at',
      'count',
    ])
    .expression((eb) =>
      eb
        .selectFrom('kv_secrets')
        .select([
          'kv_secrets.mount_id',
          'kv_secrets.id',
          sql<string>`cast(${row.entity_id} as text)`.as('entity_id'),
          sql<string>`cast(${row.operation} as text)`.as('operation'),
          sql<string>`cast(${row.display_name} as text)`.as('display_name'),
          sql<number>`cast(${row.version} as bigint)`.as('version'),
          sql<number>`cast(${row.first_at} as bigint)`.as('first_at'),
          sql<number>`cast(${row.last_at} as bigint)`.as('last_at'),
          sql<number>`cast(${row.count} as bigint)`.as('count'),
        ])
        .where('kv_secrets.id', '=', row.secret_id)
        .forShare(),
    )
    .onConflict((conflict) =>
      conflict.columns(['mount_id', 'secret_id', 'entity_id', 'operation']).doUpdateSet((eb) => ({
        display_name: eb.ref('excluded.display_name'),
        version: eb.ref('excluded.version'),
        last_at: eb.ref('excluded.last_at'),
        count: sql<number>`kv_uses.count + excluded.count`,
      })),
    ),
)

/** Counts uses of secrets that still exist. */
export async function putUses(tx: Tx, uses: readonly Use[]): Promise<void> {
  for (const use of uses)
    await put.runBeforeCommit(tx, {
      mount_id: use.mountId,
      secret_id: use.secretId,
      entity_id: use.entityId,
      operation: use.operation,
      display_name: use.displayName,
      version: use.version,
      first_at: use.firstAt,
      last_at: use.lastAt,
      count: use.count,
    })
}

/** Who has used a secret, the latest first. */
export async function findUses(db: Queryable, mountId: string, secretId: string): Promise<Use[]> {
  const rows = await db
    .selectFrom('kv_uses')
    .selectAll()
    .where('mount_id', '=', mountId)
    .where('secret_id', '=', secretId)
    .orderBy('last_at', 'desc')
    .orderBy('entity_id')
    .orderBy('operation')
    .execute()
  return rows.map((row) => ({
    mountId: row.mount_id,
    secretId: row.secret_id,
    entityId: row.entity_id,
    operation: row.operation as Use['operation'],
    displayName: row.display_name,
    version: row.version,
    firstAt: instant(row.first_at) satisfies Instant,
    lastAt: instant(row.last_at),
    count: row.count,
  }))
}

/** Removes what is known about the uses of a secret. */
export async function deleteUses(tx: Tx, mountId: string, secretId: string): Promise<void> {
  await tx.deleteFrom('kv_uses').where('mount_id', '=', mountId).where('secret_id', '=', secretId).execute()
}

/** Removes up to `limit` uses of a mount that is gone; returns how many. */
export async function removeSomeUses(tx: Tx, mountId: string, limit: number): Promise<number> {
  const some = tx.selectFrom('kv_uses').select('secret_id').where('mount_id', '=', mountId).limit(limit)
  const removed = await tx
    .deleteFrom('kv_uses')
    .where('mount_id', '=', mountId)
    .where('secret_id', 'in', some)
    .executeTakeFirst()
  return Number(removed.numDeletedRows)
}
