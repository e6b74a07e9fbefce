import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { expect, onTestFinished } from 'vitest'
import { loadConfig } from '../../server/config/index.ts'
import { instant, systemClock } from '../../server/kernel/clock.ts'
import { silentLog } from '../../server/kernel/log.ts'
import { startServer } from '../../server/start.ts'
import type { StoreOptions } from '../../server/storage/open.ts'
import { type Client, testClient } from './client.ts'
import { type Engine, emptyDatabase } from './databases.ts'
import { ownFolder } from './folders.ts'

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

/** An hour after the stores were made: none of their tokens has ended. */
const clock = { ...systemClock, now: () => instant(Date.UTC(2026, 10, 19, 5, 47)) }

/** A server on this database, with the seal key of the earlier one. */
export async function earlierServer(
  engine: Engine,
  { url, schema }: Pick<StoreOptions, 'url' | 'schema'>,
): Promise<Client> {
  const directory = ownFolder()
  writeFileSync(join(directory, 'seal.key'), `${earlierStores[engine].sealKey}\n`, { mode: 0o600 })
  const storage = schema ? `${url}?options=-c%20search_path%3D${schema}` : url
  const place = ['--data-dir', directory, '--storage', storage, '--listen', 'off', '--http-listen', '127.0.0.1:0']
  const loaded = loadConfig({ mode: 'dev', args: [...place, '--root-token', 'root'], environment: {} })
  if (!loaded.ok) throw new Error('The configuration is wrong.')
  const server = await startServer(loaded.config, silentLog, { clock, runJobs: false })
  onTestFinished(() => server.close())
  const { http = '' } = await server.listen()
  return testClient({ url: http, token: 'root' })
}

/** What the calls that made the store have left behind, sealed values and keyed hashes included. */
export async function expectEarlierData(engine: Engine, root: Client) {
  const { userToken, serviceToken, workspace } = earlierStores[engine]
  const ann = root.as(userToken)
  const found = await ann.get(`/api/v2/workspaces/${workspace}`)
  expect(found.body.data.attributes).toMatchObject({ name: 'network', description: 'of before', locked: true })
  const variables = await ann.get(`/api/v2/workspaces/${workspace}/vars`)
  expect(variables.body.data.map((each: { attributes: { value: string } }) => each.attributes.value)).toEqual([
    'north',
    null,
  ])
  const state = await ann.get(`/api/v2/workspaces/${workspace}/current-state-version`)
  const { pathname, search } = new URL(state.body.data.attributes['hosted-state-download-url'])
  expect((await ann.get(pathname + search)).body).toMatchObject({ outputs: { address: { value: '10.0.0.1' } } })
  expect((await root.as(serviceToken).get('/v1/cubbyhole/note')).body.data).toEqual({ text: 'of before' })
  expect((await root.get('/v1/auth/cert/certs/web')).body.data).toMatchObject({ token_policies: ['reader'] })
}
