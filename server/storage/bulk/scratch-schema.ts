import { connectForBulk, type PostgresTarget } from './postgres-bulk.ts'
import { quoted } from './table-shape.ts'

/** Scratch schemas older than this belong to nobody any more, in milliseconds. */
const abandonedAfter = 24 * 3_600_000

const prefixOf = (live: PostgresTarget): string => `${(live.schema ?? 'public').slice(0, 30)}_scratch_`

/** Makes an empty schema beside a store's; its name tells when. */
export async function createScratchSchema(live: PostgresTarget, now: number, suffix: string): Promise<PostgresTarget> {
  const schema = `${prefixOf(live)}${now.toString(36)}_${suffix}`
  await execute(live, `create schema ${quoted(schema)}`)
  return { ...live, schema }
}

/** Removes a scratch schema with all that is in it. */
export const dropScratchSchema = (scratch: PostgresTarget): Promise<void> =>
  execute(scratch, `drop schema if exists ${quoted(scratch.schema ?? '')} cascade`)

async function execute(target: PostgresTarget, sql: string): Promise<void> {
  const client = await connectForBulk(target)
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** Removes the scratch schemas of restores that never ended. */
export async function sweepScratchSchemas(live: PostgresTarget, now: number): Promise<number> {
  const client = await connectForBulk(live)
  try {
    const { rows } = await client.query<{ name: string }>(
      'select nspname as name from pg_namespace where starts_with(nspname, $1)',
      [prefixOf(live)],
    )
    const old = rows.filter(({ name }) => now - timeOf(name, prefixOf(live)) > abandonedAfter)
    for (const { name } of old) await client.query(`drop schema if exists ${quoted(name)} cascade`)
    return old.length
  } finally {
    await client.end()
  }
}

const timeOf = (name: string, prefix: string): number =>
  Number.parseInt(name.slice(prefix.length).split('_')[0] ?? '', 36)
