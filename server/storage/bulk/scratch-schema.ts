import type pg from 'pg'
import { sqlState } from '../database-errors.ts'
import { isShared, sessionsAreShared } from '../postgres/shared-sessions.ts'
import { connectForBulk, endOnFailure, type PostgresTarget } from './postgres-bulk.ts'
import { quoted } from './table-shape.ts'

/** A schema beside a store's, for one restore. */
type ScratchSchema = { readonly target: PostgresTarget; remove(): Promise<void> }

const prefixOf = (live: PostgresTarget): string => `${(live.schema ?? 'public').slice(0, 30)}_scratch_`

/** The lock of a scratch schema, by its name. Its owner holds it on a connection of its own, so it goes with the process. */
const ownerKey = "hashtext('holdfast-scratch-' || $1)"

/** Makes an empty schema. Nobody sweeps it until it is removed, or this process has ended. */
export async function createScratchSchema(live: PostgresTarget, suffix: string): Promise<ScratchSchema> {
  const schema = `${prefixOf(live)}${suffix}`
  const owner = await connectForBulk(live)
  await endOnFailure(owner, async () => {
    if (await isShared(owner, () => connectForBulk(live))) throw sessionsAreShared()
    await owner.query(`select pg_advisory_lock(${ownerKey})`, [schema])
    await owner.query(`create schema ${quoted(schema)}`)
  })
  return { target: { ...live, schema }, remove: () => removeOwn(live, schema, owner) }
}

/** Over another connection: that of the owner may have been lost, with a primary that failed say. */
async function removeOwn(live: PostgresTarget, schema: string, owner: pg.Client): Promise<void> {
  try {
    const client = await connectForBulk(live)
    try {
      await client.query(shortWait)
      await client.query(dropOf(schema))
    } finally {
      await client.end()
    }
  } finally {
    await owner.end()
  }
}

/** What a killed restore had begun may still go on for a while; nobody waits for that, the next sweep comes. */
const shortWait = "set lock_timeout = '2s'"

const dropOf = (schema: string): string => `drop schema if exists ${quoted(schema)} cascade`

/** Removes the scratch schemas whose restores have ended; returns how many there were. */
export async function sweepScratchSchemas(live: PostgresTarget): Promise<number> {
  const client = await connectForBulk(live)
  try {
    await client.query(shortWait)
    const { rows } = await client.query<{ name: string }>(
      'select nspname as name from pg_namespace where starts_with(nspname, $1)',
      [prefixOf(live)],
    )
    let removed = 0
    for (const { name } of rows) if (await removeAbandoned(client, name)) removed += 1
    return removed
  } finally {
    await client.end()
  }
}

/** False while its owner lives, or something still works on it. */
async function removeAbandoned(client: pg.Client, schema: string): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${ownerKey}) as taken`, [schema])
  if (!rows[0]?.taken) return false
  try {
    await client.query(dropOf(schema))
    return true
  } catch (thrown) {
    if (sqlState(thrown) === '55P03') return false
    throw thrown
  } finally {
    await client.query(`select pg_advisory_unlock(${ownerKey})`, [schema])
  }
}
