import { execFileSync, spawnSync } from 'node:child_process'
import { createReadStream, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PostgresPrograms, startPostgres } from '../test/support/postgres-server.ts'
import type { Bench } from './harness/bench.ts'
import { type ChildServer, startChildServer } from './harness/child-server.ts'
import { median } from './harness/compare-rates.ts'
import { renderTable } from './harness/table.ts'
import { benchRootToken } from './servers/holdfast.ts'
import { memoryDuring, percentile, restore, run, save, startAsking, timed } from './snapshot/measures.ts'
import { fillPostgres, fillSqlite } from './snapshot/rows.ts'

/** How many rows; `HOLDFAST_BENCH_ROWS` names other counts. */
const counts = (process.env.HOLDFAST_BENCH_ROWS ?? '100000,1000000').split(',').map(Number)
const rounds = Number(process.env.HOLDFAST_BENCH_ROUNDS ?? 3)
const target = 1

/** Snapshots of the whole server under requests, against the fastest copy each engine makes by itself. */
export const bench: Bench = {
  about: 'snapshot and restore under requests, against VACUUM INTO and pg_dump -Fc -Z1 / pg_restore',
  run: async () => {
    const parts: string[] = []
    for (const rows of counts) {
      parts.push(await onSqlite(rows))
      parts.push(await onPostgres(rows))
    }
    return parts
  },
}

const program = new URL('./servers/holdfast.ts', import.meta.url)

/** What each engine offers to compare with, in milliseconds. */
type Rival = { name: string; copy: () => Promise<unknown>; putBack?: () => Promise<unknown> }

async function onSqlite(rows: number): Promise<string> {
  const server = await startChildServer(program, {})
  const file = join(String(server.facts.dataDir), 'holdfast.db')
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-copy-'))
  try {
    fillSqlite(file, rows)
    const into = join(folder, 'copy.db')
    const script = `new (require('node:sqlite').DatabaseSync)(${JSON.stringify(file)}).exec(${JSON.stringify(`vacuum into '${into}'`)})`
    const copy = async () => {
      rmSync(into, { force: true })
      await run(process.execPath, ['-e', script], join(folder, 'none'))
    }
    return await measure(`SQLite, ${rows} rows`, server, folder, { name: 'VACUUM INTO', copy })
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
    rmSync(String(server.facts.dataDir), { recursive: true, force: true })
  }
}

async function onPostgres(rows: number): Promise<string> {
  const native = nativePrograms()
  const postgres = await startPostgres({ shared_buffers: '256MB', max_wal_size: '4GB' }, native)
  const server = await startChildServer(program, { environment: { HOLDFAST_STORAGE: postgres.url } })
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-copy-'))
  try {
    await fillPostgres(postgres.url, rows)
    const title = `PostgreSQL${native ? '' : ' (no pg_dump of its version on PATH)'}, ${rows} rows`
    return await measure(title, server, folder, native && pgDump(postgres.url, folder))
  } finally {
    await server.stop()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
    rmSync(String(server.facts.dataDir), { recursive: true, force: true })
  }
}

function pgDump(url: string, folder: string): Rival {
  const [file, none] = [join(folder, 'dump'), join(folder, 'none')]
  const scratch = url.replace(/\/postgres$/, '/putback')
  return {
    name: 'pg_dump -Fc -Z1 / pg_restore',
    copy: () => run('pg_dump', ['-Fc', '-Z1', '-d', url, '-f', file], none),
    putBack: async () => {
      await run(
        'psql',
        ['-q', '-d', url, '-c', 'drop database if exists putback', '-c', 'create database putback'],
        none,
      )
      await run('pg_restore', ['-d', scratch, '--no-owner', file], none)
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

async function measure(title: string, server: ChildServer, folder: string, rival: Rival | undefined): Promise<string> {
  const { port } = server.facts
  const archive = join(folder, 'a.snap')
  const saving = () => save(port, benchRootToken, archive)
  const restoring = () => restore(port, benchRootToken, createReadStream(archive))
  await saving()
  const asking = startAsking(port, benchRootToken)
  const during: Record<'rival' | 'save' | 'restore' | 'putBack', number[]> = {
    rival: [],
    save: [],
    restore: [],
    putBack: [],
  }
  const [quiet, busy, mending]: number[][] = [[], [], []]
  const memory: number[] = []
  for (let round = 0; round < rounds; round++) {
    asking.take()
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    quiet?.push(percentile(asking.take(), 0.99))
    if (rival) during.rival.push(await timed(rival.copy))
    asking.take()
    memory.push(await memoryDuring(server, async () => during.save.push(await timed(saving))))
    busy?.push(percentile(asking.take(), 0.99))
    if (rival?.putBack) during.putBack.push(await timed(rival.putBack))
    asking.take()
    memory.push(await memoryDuring(server, async () => during.restore.push(await timed(restoring))))
    mending?.push(percentile(asking.take(), 0.99))
  }
  await asking.stop()
  const seconds = (times: number[]) => (times.length === 0 ? '' : (median(times) / 1000).toFixed(2))
  const ratioTo = (times: number[], others: number[], least?: number) => {
    if (others.length === 0) return ''
    const ratio = median(times.map((time, round) => time / (others[round] ?? Number.NaN)))
    return `${ratio.toFixed(2)}${least === undefined ? '' : ratio <= least ? ' ✓' : ' ✗'}`
  }
  const isDump = rival?.putBack !== undefined
  const table = renderTable(
    ['', 'seconds', 'ratio', 'memory + MiB', 'request p99 ms'],
    [
      ['no snapshot', '', '', '', median(quiet ?? []).toFixed(1)],
      ...(rival ? [[rival.name, seconds(during.rival), '1', '', '']] : []),
      [
        'snapshot',
        seconds(during.save),
        ratioTo(during.save, during.rival, isDump ? target : undefined),
        most(memory, 0),
        median(busy ?? []).toFixed(1),
      ],
      ...(isDump ? [['pg_restore', seconds(during.putBack), '1', '', '']] : []),
      [
        'restore',
        seconds(during.restore),
        ratioTo(during.restore, during.putBack),
        most(memory, 1),
        median(mending ?? []).toFixed(1),
      ],
    ],
  )
  const size = (statSync(archive).size / 2 ** 20).toFixed(1)
  return `${title}; archive of ${size} MiB; median of ${rounds} rounds.\n\n${table}`
}

/** Memory was noted after each snapshot and each restore in turn. */
const most = (memory: readonly number[], turn: 0 | 1): string =>
  Math.max(...memory.filter((_value, index) => index % 2 === turn)).toFixed(0)
