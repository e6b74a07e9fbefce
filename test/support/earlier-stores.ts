import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import type { StoreOptions } from '../../server/storage/open.ts'
import { type Engine, emptyDatabase } from './databases.ts'

/** What is known about a store that an earlier version has made. */
type EarlierStore = {
  readonly sealKey: string
  readonly userToken: string
  readonly serviceToken: string
  readonly workspace: string
}

const folder = join(import.meta.dirname, '../data/stores')

/** The secrets of each store of `test/data/stores`, and the id of its workspace. */
export const earlierStores: Readonly<Record<Engine, EarlierStore>> = JSON.parse(
  readFileSync(join(folder, 'stores.json'), 'utf8'),
)

/** The file of the archive that the earlier version has taken. */
export const earlierArchive = (engine: Engine): string => join(folder, `${engine}.snap`)

/** A copy of the store as the earlier version has left it. */
export async function earlierDatabase(engine: Engine): Promise<StoreOptions> {
  const { options, remove } = await emptyDatabase(engine)
  onTestFinished(remove)
  if (engine === 'sqlite') {
    writeFileSync(options.url.replace('sqlite:', ''), gunzipSync(readFileSync(join(folder, 'sqlite.db.gz'))))
    return options
  }
  const dump = gunzipSync(readFileSync(join(folder, 'postgres.sql.gz'))).toString()
  const client = new pg.Client({ connectionString: options.url })
  await client.connect()
  await client.query(dump.replaceAll('public.', `${options.schema}.`)).finally(() => client.end())
  return options
}
