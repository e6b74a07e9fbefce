import { execFileSync, spawnSync } from 'node:child_process'
import { createReadStream, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type PostgresPrograms, startPostgres } from '../test/support/postgres-server.ts'
import type { Bench } from './harness/bench.ts'
import type { ChildServer } from './harness/child-server.ts'
import { median } from './harness/compare-rates.ts'
import { startHoldfast } from './harness/holdfast-server.ts'
import { renderTable } from './harness/table.ts'
import { peakMemoryDuring } from './harness/usage.ts'
import { benchRootToken } from './servers/holdfast.ts'
import { measureTime, percentile, restore, runProgram, startFetcher, startProbing } from './snapshot/measures.ts'
import { fillPostgres, fillSqlite } from './snapshot/rows.ts'

/** How many rows, how often and where; the variables name others. */
const counts = (process.env.HOLDFAST_BENCH_ROWS ?? '100000,1000000').split(',').map(Number)
const rounds = Number(process.env.HOLDFAST_BENCH_ROUNDS ?? 3)
const engines = (process.env.HOLDFAST_BENCH_ENGINES ?? 'sqlite,postgres').split(',')
/** The limits of a snapshot: its time relative to the baseline, MiB above the usual, and p99 relative to the usual. */
const limits = { time: 1, memory: 128, p99: 2 }
const quietTime = 4_000

/** Snapshots of the whole server under requests, against the fastest copy each engine makes by itself. */
export const bench: Bench = {
  about: 'snapshot and restore under requests, against VACUUM INTO and pg_dump -Fc -Z1 / pg_restore',
  async *run() {
    for (const rows of counts) {
      if (engines.includes('sqlite')) yield await onSqlite(rows)
      if (engines.includes('postgres')) yield await onPostgres(rows)
    }
  },
}

/** What each engine offers to compare with, in milliseconds. */
type Rival = { name: string; copy: () => Promise<unknown>; restore?: () => Promise<unknown> }

async function onSqlite(rows: number): Promise<string> {
  const server = await startHoldfast()
  const file = join(String(server.facts.dataDir), 'holdfast.db')
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-copy-'))
  try {
    fillSqlite(file, rows)
    const into = join(folder, 'copy.db')
    const script = `new (require('node:sqlite').DatabaseSync)(${JSON.stringify(file)}).exec(${JSON.stringify(`vacuum into '${into}'`)})`
    const copy = async () => {
      rmSync(into, { force: true })
      await runProgram(process.execPath, ['-e', script], join(folder, 'none'))
    }
    return await measure(`SQLite, ${rows} rows`, server, folder, { name: 'VACUUM INTO', copy })
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function onPostgres(rows: number): Promise<string> {
  const native = nativePrograms()
  const postgres = await startPostgres({ shared_buffers: '256MB', max_wal_size: '4GB' }, native)
  const server = await startHoldfast({ HOLDFAST_STORAGE: postgres.url })
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-copy-'))
  try {
    await fillPostgres(postgres.url, rows)
    const title = `PostgreSQL${native ? '' : ' (no pg_dump of its version on PATH)'}, ${rows} rows`
    return await measure(title, server, folder, native && pgDump(postgres.url, folder))
  } finally {
    await server.stop()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function pgDump(url: string, folder: string): Rival {
  const [file, none] = [join(folder, 'dump'), join(folder, 'none')]
  const scratch = url.replace(/\/postgres$/, '/putback')
  return {
    name: 'pg_dump -Fc -Z1 / pg_restore',
    copy: () => runProgram('pg_dump', ['-Fc', '-Z1', '-d', url, '-f', file], none),
    restore: async () => {
      await runProgram(
        'psql',
        ['-q', '-d', url, '-c', 'drop database if exists putback', '-c', 'create database putback'],
        none,
      )
      await runProgram('pg_restore', ['-d', scratch, '--no-owner', file], none)
    },
  }
}

/** A server of the same version as the `pg_dump` on the path, which copies from no other. */
function nativePrograms(): PostgresPrograms | undefined {
  if (spawnSync('pg_dump', ['--version']).status !== 0) return undefined
  const version = /(\d+)\./.exec(execFileSync('pg_dump', ['--version'], { encoding: 'utf8' }))?.[1]
  const folder = `/usr/lib/postgresql/${version}/bin`
  const programs = { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') }
  return existsSync(programs.postgres) && existsSync(programs.initdb) ? programs : undefined
}

/** Measurements, one figure per round: milliseconds, and MiB for memory. */
type Measurements = Record<
  'quiet' | 'rival' | 'save' | 'busy' | 'saveMemory' | 'putBack' | 'restore' | 'mending' | 'restoreMemory',
  number[]
>

const noMeasurements = (): Measurements => ({
  quiet: [],
  rival: [],
  save: [],
  busy: [],
  saveMemory: [],
  putBack: [],
  restore: [],
  mending: [],
  restoreMemory: [],
})

async function measure(title: string, server: ChildServer, folder: string, rival: Rival | undefined): Promise<string> {
  const { port } = server.facts
  const archive = join(folder, 'a.snap')
  const fetcher = startFetcher(port, benchRootToken, archive)
  await fetcher.save()
  const prober = startProbing(port, benchRootToken)
  const seen = noMeasurements()
  for (let round = 0; round < rounds; round++) await measureRound(seen, { server, prober, fetcher, archive, rival })
  await prober.stop()
  fetcher.stop()
  const size = (statSync(archive).size / 2 ** 20).toFixed(1)
  return `${title}; archive of ${size} MiB; median of ${rounds} rounds.\n\n${render(seen, rival)}`
}

type Round = {
  server: ChildServer
  prober: ReturnType<typeof startProbing>
  fetcher: ReturnType<typeof startFetcher>
  archive: string
  rival: Rival | undefined
}

async function measureRound(seen: Measurements, { server, prober, fetcher, archive, rival }: Round): Promise<void> {
  const { port } = server.facts
  const p99 = () => percentile(prober.take(), 0.99)
  prober.take()
  // Memory that the same requests take without a snapshot is not counted.
  const usual = await peakMemoryDuring(server, () => sleep(quietTime))
  seen.quiet.push(p99())
  if (rival) seen.rival.push(await measureTime(rival.copy))
  prober.take()
  const saved = await peakMemoryDuring(server, async () => seen.save.push(await measureTime(fetcher.save)))
  seen.saveMemory.push(mebibytesAbove(saved, usual))
  seen.busy.push(p99())
  if (rival?.restore) seen.putBack.push(await measureTime(rival.restore))
  prober.take()
  const restoring = () => measureTime(() => restore(port, benchRootToken, createReadStream(archive)))
  const restored = await peakMemoryDuring(server, async () => seen.restore.push(await restoring()))
  seen.restoreMemory.push(mebibytesAbove(restored, usual))
  seen.mending.push(p99())
}

const mebibytesAbove = (bytes: number, usual: number): number => Math.max(0, bytes - usual) / 2 ** 20

function render(seen: Measurements, rival: Rival | undefined): string {
  const seconds = (times: number[]) => (median(times) / 1000).toFixed(2)
  const milliseconds = (times: number[]) => median(times).toFixed(1)
  const mebibytes = (amounts: number[]) => Math.max(...amounts).toFixed(0)
  const isDump = rival?.restore !== undefined
  const head = ['', 'seconds', 'ratio', 'memory + MiB', 'request p99 ms', 'p99 ratio']
  const times = ratiosOf(seen.save, seen.rival)
  const delays = ratiosOf(seen.busy, seen.quiet)
  return renderTable(head, [
    ['no snapshot', '', '', '', milliseconds(seen.quiet), '1'],
    ...(rival ? [[rival.name, seconds(seen.rival), '1', '', '', '']] : []),
    [
      'snapshot',
      seconds(seen.save),
      isDump ? `${ratio(times)}${describeWithin(times, limits.time)}` : ratio(times),
      `${mebibytes(seen.saveMemory)}${describeWithin(seen.saveMemory, limits.memory)}`,
      milliseconds(seen.busy),
      `${ratio(delays)}${describeWithin(delays, limits.p99)}`,
    ],
    ...(isDump ? [['pg_restore', seconds(seen.putBack), '1', '', '', '']] : []),
    [
      'restore',
      seconds(seen.restore),
      ratio(ratiosOf(seen.restore, seen.putBack)),
      mebibytes(seen.restoreMemory),
      milliseconds(seen.mending),
      ratio(ratiosOf(seen.mending, seen.quiet)),
    ],
  ])
}

/** For each round, the ratio of one figure to another. */
const ratiosOf = (figures: readonly number[], others: readonly number[]): number[] =>
  others.map((other, round) => (figures[round] ?? Number.NaN) / other)

const ratio = (found: readonly number[]): string => (found.length === 0 ? '' : median(found).toFixed(2))

/** In how many of the rounds a limit was met. */
const describeWithin = (figures: readonly number[], limit: number): string =>
  `, ${figures.filter((figure) => figure <= limit).length} of ${figures.length} within ${limit}`
