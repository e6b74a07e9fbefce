import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { systemClock } from '../server/kernel/clock.ts'
import { randomIds } from '../server/kernel/ids.ts'
import { silentLog } from '../server/kernel/log.ts'
import { hotQuery, type Params } from '../server/storage/hot.ts'
import { migrate } from '../server/storage/migrate.ts'
import { type Db, openStore } from '../server/storage/open.ts'
import { inTransaction } from '../server/storage/transaction.ts'

/** Durable writes per second of one way to write, and against raw SQLite in the same run. */
export type WriteRate = { name: string; perSecond: number; ratio: number }

type Contender = { name: string; write(key: string): Promise<unknown>; rates: number[]; close(): Promise<void> | void }

const callers = 64
const writesPerTurn = 12_800
const turns = 7

/** What is written: a row of 1.5 KB under a random key, with one more index. */
const row = {
  kind: 'bench',
  next_run_at: 0,
  payload: JSON.stringify('x'.repeat(1_400)),
  revision: 0,
  lease_until: 0,
  lease_ms: 0,
  fence: 0,
  attempts: 0,
}

/** The least that shares an fsync: inserts of one turn of the event loop in one transaction, without savepoints. */
function rawContender(file: string, schema: readonly string[]): Contender {
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  for (const statement of schema) database.exec(statement)
  const columns = Object.keys(row)
  const marks = columns.map(() => '?').join(', ')
  const insert = database.prepare(`insert into jobs (key, ${columns.join(', ')}) values (?, ${marks})`)
  const values = Object.values(row)
  let waiting: { key: string; resolve(): void }[] = []
  const commit = () => {
    const group = waiting
    waiting = []
    database.exec('begin immediate')
    for (const { key } of group) insert.run(key, ...values)
    database.exec('commit')
    for (const { resolve } of group) resolve()
  }
  const write = (key: string) =>
    new Promise<void>((resolve) => {
      if (waiting.push({ key, resolve }) === 1) setImmediate(commit)
    })
  return { name: 'raw group commit', write, rates: [], close: () => database.close() }
}

const insertRow = hotQuery('bench.insert-row', (db, p: Params<{ key: string }>) =>
  db.insertInto('jobs').values({ ...row, key: p.key }),
)

const storeWriters: Record<string, (db: Db, key: string) => Promise<unknown>> = {
  'inTransaction, hot query': (db, key) => inTransaction(db, (tx) => insertRow.run(tx, { key })),
  'inTransaction, query builder': (db, key) =>
    inTransaction(db, (tx) =>
      tx
        .insertInto('jobs')
        .values({ ...row, key })
        .execute(),
    ),
  'single statement, hot query': (db, key) => insertRow.run(db, { key }),
}

/** A store of its own for each way to write, so that none works on a larger table. */
async function storeContender(folder: string, name: string): Promise<Contender & { schema: string[] }> {
  const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.db`)
  const store = await openStore({ url: `sqlite:${file}`, log: silentLog, clock: systemClock })
  await migrate(store)
  const reader = new DatabaseSync(file, { readOnly: true })
  const schema = reader.prepare("select sql from sqlite_schema where tbl_name = 'jobs' and sql is not null").all()
  reader.close()
  const write = storeWriters[name] as (db: Db, key: string) => Promise<unknown>
  return {
    name,
    write: (key: string) => write(store.db, key),
    rates: [],
    close: () => store.close(),
    schema: schema.map(({ sql }) => String(sql)),
  }
}

/** Every caller writes, waits until that is durable, and writes again. */
async function writesPerSecond(write: Contender['write']): Promise<number> {
  const startedAt = performance.now()
  const caller = async () => {
    for (let done = 0; done < writesPerTurn / callers; done++) await write(randomIds.hex(24))
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return writesPerTurn / ((performance.now() - startedAt) / 1_000)
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** Measures durable writes of 64 callers, in turns so that noise meets all, and prints the ratios. */
export async function run(print: (line: string) => void = console.log): Promise<WriteRate[]> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  const contenders: Contender[] = []
  try {
    const stores = await Promise.all(Object.keys(storeWriters).map((name) => storeContender(folder, name)))
    const raw = rawContender(join(folder, 'raw.db'), stores[0]?.schema ?? [])
    contenders.push(raw, ...stores)
    for (let turn = 0; turn < turns; turn++) {
      for (const one of contenders) one.rates.push(await writesPerSecond(one.write))
    }
    const rates = contenders.map(({ name, rates: own }) => ({
      name,
      perSecond: median(own),
      ratio: median(own.map((rate, turn) => rate / (raw.rates[turn] ?? Number.NaN))),
    }))
    for (const { name, perSecond, ratio } of rates) {
      print(
        `durable writes, ${callers} callers, ${name}: ${perSecond.toFixed(0)} per second, ratio ${ratio.toFixed(2)}`,
      )
    }
    return rates
  } finally {
    for (const one of contenders) await one.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) await run()
