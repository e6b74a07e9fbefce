import { DatabaseSync } from 'node:sqlite'
import type { ChildServer } from '../harness/child-server.ts'
import { type Contender, compareRates, type Pace } from '../harness/compare-rates.ts'
import { startHoldfast } from '../harness/holdfast-server.ts'
import { openClient, requestBytes } from '../harness/raw-load.ts'
import { renderRates } from '../harness/table.ts'
import { GeneratedState } from './generated-state.ts'
import { StateClient } from './state-client.ts'

const versionsEach = 10
const connections = 16

/** An identifier that follows from a number; identifiers contain no zeros. */
const idOf = (prefix: string, number: string): string =>
  `'${prefix}-' || replace(substr(cast(10000000000000000 + ${number} as text), 2), '0', 'Z')`

/** Copies rows of a table, with some columns made of the number `n`. */
function copyRows(
  database: DatabaseSync,
  table: string,
  where: string,
  count: number,
  made: Record<string, string>,
): void {
  const columns = database
    .prepare(`pragma table_info(${table})`)
    .all()
    .map(({ name }) => String(name))
  const values = columns.map((column) => made[column] ?? column)
  database.exec(`insert into ${table} (${columns.join(', ')})
    with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${count - 1})
    select ${values.join(', ')} from numbers, ${table} where ${where}`)
}

/** Makes this many workspaces with ten versions of state each, as copies of one; returns their ids. */
async function fillWorkspaces(server: ChildServer, stateClient: StateClient, count: number): Promise<string[]> {
  const id = await stateClient.lockedWorkspace('template')
  const version = await stateClient.upload(id, new GeneratedState(1_000))
  await stateClient.call('POST', `/workspaces/${id}/actions/unlock`)
  const database = new DatabaseSync(`${server.facts.dataDir}/holdfast.db`, { timeout: 10_000 })
  database.exec('pragma foreign_keys = off; begin immediate')
  const name = `'copy-' || n`
  copyRows(database, 'workspaces', `id = '${id}'`, count, {
    id: idOf('ws', 'n'),
    name,
    name_key: name,
    current_state_version_id: idOf('sv', `(n * ${versionsEach} + ${versionsEach - 1})`),
  })
  // The summary of a version is sealed for its own row, so copies have none; this is the same on both sides.
  copyRows(database, 'state_versions', `id = '${version}'`, count * versionsEach, {
    id: idOf('sv', 'n'),
    workspace_id: idOf('ws', `(n / ${versionsEach})`),
    ordinal: `n % ${versionsEach} + 1`,
    summary: 'null',
  })
  database.exec('commit')
  const ids = database.prepare(`select id from workspaces where name like 'copy-%' order by random() limit 20000`).all()
  database.close()
  return ids.map((row) => String(row.id))
}

/** Asks for the current state of workspaces, one after another. */
function currentStateReader(
  server: ChildServer,
  stateClient: StateClient,
  ids: readonly string[],
  name: string,
  target?: number,
): Contender {
  const requests = (n: number): Buffer =>
    requestBytes('GET', `/api/v2/workspaces/${ids[n % ids.length]}/current-state-version`, stateClient.headers)
  const run = async (ms: number): Promise<number> => {
    const client = openClient({ port: server.facts.port, requests, connections })
    const done = await client.run(ms)
    client.close()
    return done
  }
  return { name, run, target, cpu: server.cpu }
}

/**
 * What reading the current state of a workspace costs when there are very many: for the same few repeatedly, which
 * shows the effect of size alone, and for one after another, none of which is cached.
 */
export async function compareManyWorkspaces(pace: Pace): Promise<string> {
  const [small, large] = [await startHoldfast(), await startHoldfast()] as const
  try {
    const few = await StateClient.open(small)
    const many = await StateClient.open(large)
    const ids = await fillWorkspaces(large, many, 100_000)
    const sides = [
      currentStateReader(small, few, await fillWorkspaces(small, few, 100), 'of 100 workspaces'),
      currentStateReader(large, many, ids.slice(0, 100), 'of 100 workspaces among 100,000', 0.9),
      currentStateReader(large, many, ids, `of ${ids.length.toLocaleString('en')} workspaces among 100,000`, 0.9),
    ]
    return `current-state-version, ${versionsEach} versions each.\n\n${renderRates(await compareRates(sides, pace))}`
  } finally {
    for (const server of [small, large]) await server.stop()
  }
}
