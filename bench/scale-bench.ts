import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres } from '../test/support/postgres-server.ts'
import type { Bench } from './harness/bench.ts'
import type { ChildServer } from './harness/child-server.ts'
import { median } from './harness/compare-rates.ts'
import { postgresCpu } from './harness/postgres-cpu.ts'
import { startProber } from './harness/prober.ts'
import { renderTable } from './harness/table.ts'
import { call } from './scale/call.ts'
import { fixedLoop, Model } from './scale/generator.ts'
import { carryOut, removalsOf } from './scale/removals.ts'
import { type Arm, type Asked, type Row, requests } from './scale/requests.ts'
import { openSql } from './scale/sql.ts'
import { isFilled, markUsedUp, type Place, prepareStore, startAt, workspaceOf } from './scale/store.ts'
import { percentile } from './snapshot/measures.ts'

/** How large the stores are and on which engines; the variables name others. */
const totals = (process.env.HOLDFAST_BENCH_ROWS ?? '1000,100000').split(',').map(Number)
const engines = (process.env.HOLDFAST_BENCH_ENGINES ?? 'sqlite,postgres').split(',')
/** Where filled stores are kept for another run, and the PostgreSQL that has theirs. */
const kept = process.env.HOLDFAST_BENCH_DATA
const address = process.env.HOLDFAST_BENCH_POSTGRES
/** Which rows are measured. */
const wanted = new RegExp(process.env.HOLDFAST_BENCH_ONLY ?? '')

const rounds = Number(process.env.HOLDFAST_BENCH_ROUNDS ?? 12)
/** A row of slow requests ends early, but not before its second round. */
const rowTime = 12_000
const probeRounds = 4
const warmUpRequests = 300
/** Milliseconds of a count after a change, besides the row's own, and of a probe; of a start, a ratio and MiB. */
const limits = { count: 150, probe: 30, probeRatio: 3, start: 1.5, memory: 250 }

/** What a request costs while there are more and more of everything. */
export const bench: Bench = {
  about: `processor time of requests with ${totals.join(' and ')} workspaces and tokens, and how long others wait`,
  async *run() {
    const folder = kept ?? mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
    try {
      if (engines.includes('sqlite')) yield* onSqlite(folder)
      if (engines.includes('postgres')) yield* onPostgres(folder)
    } finally {
      if (kept === undefined) rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function* onSqlite(folder: string): AsyncIterable<string> {
  const places = totals.map((total) => {
    const own = join(folder, `sqlite-${total}`)
    return { folder: own, url: `sqlite:${join(own, 'holdfast.db')}`, total }
  })
  yield* measureAll('SQLite', places, () => 0)
}

async function* onPostgres(folder: string): AsyncIterable<string> {
  const own = address === undefined ? await startPostgres({ shared_buffers: '1GB', max_wal_size: '8GB' }) : undefined
  const url = address ?? own?.url ?? ''
  try {
    const places: Place[] = []
    for (const total of totals) places.push(await databaseFor(url, folder, total))
    yield* measureAll('PostgreSQL', places, await postgresCpu(url))
  } finally {
    await own?.stop()
  }
}

/** A database of its own for a store; it is there already if its data was kept. */
async function databaseFor(url: string, folder: string, total: number): Promise<Place> {
  const name = `scale_${total}`
  const place = {
    folder: join(folder, `postgres-${total}`),
    url: Object.assign(new URL(url), { pathname: name }).href,
    total,
  }
  if (isFilled(place)) return place
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`drop database if exists ${name}`)
  await client.query(`create database ${name}`)
  await client.end()
  return place
}

/** Microseconds of processor time that the database has used outside of the server. */
type DatabaseCpu = () => number

async function* measureAll(engine: string, places: readonly Place[], databaseCpu: DatabaseCpu): AsyncIterable<string> {
  const arms: Arm[] = []
  try {
    const starts: string[][] = []
    let least = Number.POSITIVE_INFINITY
    for (const place of places) {
      const facts = await prepareStore(place)
      const begin = performance.now()
      const server = await startAt(place)
      const seconds = (performance.now() - begin) / 1_000
      const cpu = (await server.cpu()) / 1_000
      await sleep(4_000)
      const memory = (await server.memory()) / 2 ** 20
      least = Math.min(least, cpu)
      starts.push([
        count(place.total),
        seconds.toFixed(2),
        `${cpu.toFixed(0)} ${mark(cpu <= limits.start * least)}`,
        `${memory.toFixed(0)} ${mark(memory <= limits.memory)}`,
      ])
      const prober = await startProber(Number(server.facts.port))
      arms.push({ place, facts, server, prober, model: new Model(place.total), extra: undefined })
    }
    yield `${engine}: start.\n\n${renderTable(['workspaces', 'seconds to ready', 'CPU ms', 'MiB after 4 s'], starts)}`
    for (const { server } of arms) await warmUp(server)
    for (const [title, rows] of Object.entries(requests)) {
      const measured: string[][] = []
      for (const row of rows.filter(({ name }) => wanted.test(name)))
        measured.push(await measureRow(row, arms, databaseCpu))
      if (measured.length > 0) yield `${engine}: ${title}.\n\n${renderTable(headOf(places), measured)}`
    }
    const memory = await Promise.all(arms.map(async ({ server }) => ((await server.memory()) / 2 ** 20).toFixed(0)))
    yield `${engine}: memory after all requests: ${memory.join(' / ')} MiB.`
    for (const arm of arms) yield* removeAll(engine, arm, databaseCpu)
  } finally {
    for (const { server, prober } of arms) {
      prober.stop()
      await server.stop()
    }
  }
}

const count = (total: number): string => total.toLocaleString('en')
const milliseconds = (time: number): string => time.toFixed(time < 10 ? 1 : 0)

const headOf = (places: readonly Place[]): string[] => [
  'CPU ms of a request',
  ...places.map(({ total }) => count(total)),
  'ratio',
  'limit',
  'after a change',
  'probe p99 ms, idle',
  'fixed loop ms',
]

/** Has hot code compiled. */
async function warmUp(server: ChildServer): Promise<void> {
  for (let n = 0; n < warmUpRequests; n++) await call(server, '/api/v2/organizations/big/workspaces')
}

const p99 = (times: readonly number[]): number =>
  percentile(
    times.toSorted((a, b) => a - b),
    0.99,
  )

/** What the rounds of a row have measured on one arm, in milliseconds. */
type Samples = { readonly first: number[]; readonly again: number[] }

/** The p99 of probes beside requests, and while nothing else is asked. */
type Waits = { readonly beside: number; readonly idle: number }

/** Measures a row on all arms in turns, first without probes, which would be counted in. */
async function measureRow(row: Row, arms: readonly Arm[], databaseCpu: DatabaseCpu): Promise<string[]> {
  const samples = arms.map((): Samples => ({ first: [], again: [] }))
  const loops: number[] = []
  try {
    const until = performance.now() + rowTime
    for (let round = 0; round <= rounds && (round <= 2 || performance.now() < until); round++) {
      loops.push(fixedLoop())
      for (const [index, arm] of arms.entries()) {
        const asked = await askAnew(row, arm)
        const first = await cpuOf(arm, databaseCpu, () => fetchPage(arm, asked, 20))
        const again = await cpuOf(arm, databaseCpu, () => fetchPage(arm, asked, 19))
        // The first round has code compiled that no request before it has run.
        if (round === 0) continue
        samples[index]?.first.push(first)
        samples[index]?.again.push(again)
      }
    }
    return cellsOf(row, samples, { loop: median(loops), waits: await waitsBeside(row, arms.at(-1) as Arm) })
  } catch (error) {
    return [row.name, (error as Error).message]
  }
}

/** How long others wait beside requests of a row, in turns with nothing for as long. */
async function waitsBeside(row: Row, arm: Arm): Promise<Waits> {
  const [beside, idle]: [number[], number[]] = [[], []]
  for (let round = 0; round < probeRounds; round++) {
    const asked = await askAnew(row, arm)
    const begin = performance.now()
    const times = await arm.prober.during(async () => {
      for (const size of [20, 19]) await fetchPage(arm, asked, size)
    })
    beside.push(...times)
    idle.push(...(await arm.prober.during(() => sleep(performance.now() - begin))))
  }
  return { beside: p99(beside), idle: p99(idle) }
}

function cellsOf(
  { name, limit, isCounted, unchanged }: Row,
  samples: readonly Samples[],
  { loop, waits: { beside, idle } }: { readonly loop: number; readonly waits: Waits },
): string[] {
  const times = samples.map(({ again }) => median(again))
  const largest = times.at(-1) ?? Number.NaN
  const changed = median(samples.at(-1)?.first ?? [])
  const mostChanged = limit && limit + (isCounted ? limits.count : 0)
  return [
    name,
    ...times.map(milliseconds),
    (largest / (times[0] ?? Number.NaN)).toFixed(2),
    limit ? `≤ ${limit} ${mark(largest <= limit)}` : '',
    unchanged ? '' : `${milliseconds(changed)}${mostChanged ? ` ${mark(changed <= mostChanged)}` : ''}`,
    `${milliseconds(beside)} / ${milliseconds(idle)} ${mark(beside <= Math.max(limits.probe, limits.probeRatio * idle))}`,
    milliseconds(loop),
  ]
}

const mark = (isMet: boolean): string => (isMet ? '✓' : '✗')

/** What a request of the row asks for this time, usually after something was changed. */
async function askAnew(row: Row, arm: Arm): Promise<Asked> {
  if (!row.unchanged) await change(arm)
  return row.ask(arm)
}

/** Creates or deletes a workspace that most filters find, so that nothing that is remembered helps. */
async function change(arm: Arm): Promise<void> {
  if (arm.extra !== undefined) {
    await call(arm.server, `/api/v2/workspaces/${arm.extra}`, { verb: 'DELETE' })
    arm.extra = undefined
    arm.model.remove()
    return
  }
  const project = Math.floor(Math.random() * arm.facts.projectIds.length)
  const extra = { name: `network-dev-${Math.floor(Math.random() * 1e9)}`, a: `a${10 + project}`, env: 'v7' }
  const body = workspaceOf({ ...extra, tags: ['half', extra.a], projectId: arm.facts.projectIds[project] ?? '' })
  const text = await call(arm.server, '/api/v2/organizations/big/workspaces', { verb: 'POST', body })
  arm.extra = JSON.parse(text).data.id
  arm.model.add({ ...extra, project })
}

async function fetchPage({ server }: Arm, { path, total, verb, token }: Asked, size: number): Promise<void> {
  const target = path(size)
  const text = await call(server, target, { verb, token })
  if (total === undefined) return
  const found = JSON.parse(text).meta.pagination['total-count']
  if (found !== total()) throw new Error(`${target} counts ${found} instead of ${total()}.`)
}

async function cpuOf({ server }: Arm, databaseCpu: DatabaseCpu, work: () => Promise<unknown>): Promise<number> {
  const before = (await server.cpu()) + databaseCpu()
  await work()
  return ((await server.cpu()) + databaseCpu() - before) / 1_000
}

/** Removes what is large in a store, which has to be filled anew after that. */
async function* removeAll(engine: string, arm: Arm, databaseCpu: DatabaseCpu): AsyncIterable<string> {
  const sql = await openSql(arm.place.url)
  const rows: string[][] = []
  for (const removal of (await removalsOf(arm, sql)).filter(({ name }) => wanted.test(name))) {
    markUsedUp(arm.place)
    let result = { answered: Number.NaN, gone: Number.NaN }
    let cpu = Number.NaN
    const times = await arm.prober.during(async () => {
      cpu = await cpuOf(arm, databaseCpu, async () => {
        result = await carryOut(arm, sql, removal)
      })
    })
    rows.push([
      removal.name,
      result.answered.toFixed(2),
      result.gone.toFixed(1),
      (cpu / 1_000).toFixed(1),
      milliseconds(p99(times)),
      milliseconds(Math.max(...times)),
    ])
  }
  await sql.close()
  const head = ['removal', 'answered s', 'gone s', 'CPU s', 'probe p99 ms', 'longest ms']
  if (rows.length > 0) yield `${engine}: removals among ${count(arm.place.total)}.\n\n${renderTable(head, rows)}`
}
