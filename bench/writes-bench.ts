import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Awaitable } from '../server/kernel/awaitable.ts'
import { systemClock } from '../server/kernel/clock.ts'
import { randomIds } from '../server/kernel/ids.ts'
import { silentLog } from '../server/kernel/log.ts'
import { hotQuery, type Params } from '../server/storage/hot.ts'
import { migrate } from '../server/storage/migrate.ts'
import { type Db, openStore } from '../server/storage/open.ts'
import { inTransaction } from '../server/storage/transaction.ts'
import type { Bench } from './harness/bench.ts'
import { type Contender, compareRates, type Pace } from './harness/compare-rates.ts'
import { sharedCommits } from './harness/shared-commits.ts'
import { renderRates } from './harness/table.ts'
import { ownCpu } from './harness/usage.ts'

const callers = 64

/** Durable writes through the store against the simplest code that shares an fsync. */
export const bench: Bench = {
  about: 'durable writes of 64 callers against raw SQLite that commits in groups',
  async *run(pace) {
    yield `Rows of 1.5 KB, two indexes.\n\n${await compare(pace, 1_400)}`
    yield `Rows of 100 bytes, two indexes.\n\n${await compare(pace, 0)}`
  },
}

type Row = { kind: string; payload: string } & Record<(typeof zeros)[number], number>

const zeros = ['next_run_at', 'revision', 'lease_until', 'lease_ms', 'fence', 'attempts'] as const

const rowOf = (payloadBytes: number): Row => ({
  kind: 'bench',
  payload: 'x'.repeat(payloadBytes),
  ...(Object.fromEntries(zeros.map((column) => [column, 0])) as Record<(typeof zeros)[number], number>),
})

async function compare(pace: Pace, payloadBytes: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  const row = rowOf(payloadBytes)
  const stores = await Promise.all(
    Object.entries(storeWriters).map(([name, write]) => storeContender(folder, name, (db, key) => write(db, key, row))),
  )
  const raw = rawContender(join(folder, 'raw.db'), stores[0]?.schema ?? [], row)
  try {
    return renderRates(await compareRates([raw, ...stores], pace))
  } finally {
    for (const one of [raw, ...stores]) await one.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Closable = { close(): Awaitable<void> }

/** Inserts of one turn of the event loop in one transaction: no savepoints, no query builder, no other writers. */
function rawContender(file: string, schema: readonly string[], row: Row): Contender & Closable {
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  for (const statement of schema) database.exec(statement)
  const columns = Object.keys(row)
  const marks = columns.map(() => '?').join(', ')
  const insert = database.prepare(`insert into jobs (key, ${columns.join(', ')}) values (?, ${marks})`)
  const values = Object.values(row)
  const share = sharedCommits(database)
  const write = (key: string) => share(() => void insert.run(key, ...values))
  const empty = () => database.exec('delete from jobs')
  return { ...contender('raw SQLite, group commit', write, empty), close: () => database.close() }
}

const insertRow = hotQuery('bench.insert-row', (db, p: Params<Row & { key: string }>) =>
  db.insertInto('jobs').values({
    kind: p.kind,
    key: p.key,
    payload: p.payload,
    next_run_at: p.next_run_at,
    revision: p.revision,
    lease_until: p.lease_until,
    lease_ms: p.lease_ms,
    fence: p.fence,
    attempts: p.attempts,
  }),
)

const storeWriters: Record<string, (db: Db, key: string, row: Row) => Awaitable<unknown>> = {
  'inTransaction, hot query': (db, key, row) => inTransaction(db, (tx) => insertRow.run(tx, { ...row, key })),
  'inTransaction, query builder': (db, key, row) => {
    const values = { ...row, key }
    return inTransaction(db, (tx) => tx.insertInto('jobs').values(values).execute())
  },
  'single statement, hot query': (db, key, row) => insertRow.run(db, { ...row, key }),
}

/** A store of its own for each way to write. */
async function storeContender(folder: string, name: string, write: (db: Db, key: string) => Awaitable<unknown>) {
  const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.db`)
  const store = await openStore({ url: `sqlite:${file}`, log: silentLog, clock: systemClock })
  await migrate(store)
  const reader = new DatabaseSync(file, { readOnly: true })
  const schema = reader.prepare("select sql from sqlite_schema where tbl_name = 'jobs' and sql is not null").all()
  reader.close()
  const empty = () => store.db.deleteFrom('jobs').execute()
  return {
    ...contender(name, async (key) => write(store.db, key), empty),
    ...(name === 'inTransaction, hot query' ? { target: 0.7 } : {}),
    schema: schema.map(({ sql }) => String(sql)),
    close: () => store.close(),
  }
}

/** Every caller writes, waits until that is durable, and writes again. Each round begins with an empty table. */
function contender(name: string, write: (key: string) => Promise<unknown>, empty: () => unknown): Contender {
  const run = async (ms: number): Promise<number> => {
    await empty()
    const until = performance.now() + ms
    let count = 0
    const caller = async () => {
      while (performance.now() < until) {
        await write(randomIds.hex(24))
        count += 1
      }
    }
    await Promise.all(Array.from({ length: callers }, caller))
    return count
  }
  return { name, run, cpu: ownCpu }
}
