import { closeSync, createReadStream, openSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../../kernel/clock.ts'
import { Failure, failure, textOf } from '../../kernel/failure.ts'
import { silentLog } from '../../kernel/log.ts'
import { openBulkLoader, openBulkReader, prepareTables, replaceTables, swapFiles } from '../../storage/bulk/bulk.ts'
import { compareDatabases } from '../../storage/bulk/sqlite-compare.ts'
import type { BulkTarget, Column } from '../../storage/bulk/table-shape.ts'
import { decodeTuple } from '../../storage/bulk/tuples.ts'
import { readArchive } from '../format/archive-reader.ts'
import { codec, formatVersion } from '../format/state-format.ts'
import { decodeOrRefuse } from '../format/state-reader.ts'
import { StateWriter } from '../format/state-writer.ts'
import { unreadable } from '../refusals.ts'
import type { SealRow } from '../seal-store.ts'
import { translateDiskFull } from '../spool.ts'
import { loadArchive } from './load-archive.ts'
import type { CheckedArchive, Message, Task, Tasks } from './tasks.ts'
import { lowerThreadPriority } from './thread-priority.ts'

const post = (message: Message): void => parentPort?.postMessage(message)

async function take(task: Tasks['take']['task']): Promise<Tasks['take']['result']> {
  // Unlike a restore, a snapshot can take its time: nobody waits for it.
  lowerThreadPriority()
  const reader = await openBulkReader(task.target)
  const file = openSync(task.file, 'wx', 0o600)
  try {
    const { engine } = task.target
    const header = { format: formatVersion, codec, engine, ...task.facts, migrations: reader.migrations }
    return { ...(await new StateWriter(file, header).writeAll(reader)), header }
  } finally {
    closeSync(file)
    await reader.close()
  }
}

async function check(task: Tasks['check']['task']): Promise<CheckedArchive> {
  let seal: SealRow | undefined
  const archive = await readArchive(createReadStream(task.file, { highWaterMark: 1024 * 1024 }), {
    wants: (name) => task.withRows || name === 'seal',
    table: async ({ name, columns }, tuples) => {
      for await (const buffer of tuples) {
        if (name === 'seal') seal ??= decodeSeal(buffer, columns)
      }
    },
  })
  return { ...archive, seal }
}

/** The first of the rows, before anything is known of the table: the keys must be in it. */
function decodeSeal(buffer: Buffer, columns: readonly Column[]): SealRow {
  const values = decodeOrRefuse(() => decodeTuple(buffer, 0, columns)).map((value) =>
    value instanceof Uint8Array ? Buffer.from(value) : value,
  )
  const row: Partial<SealRow> = Object.fromEntries(columns.map(({ name }, index) => [name, values[index] ?? null]))
  if (row.wrapped instanceof Uint8Array) return row as SealRow
  throw unreadable('its keys are not where they belong')
}

/** Asks for a buffer only when the one before has been used, since each is good no longer. */
async function* oneByOne(tuples: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer> {
  yield* tuples
}

/** Only old archives need it, so what it takes is loaded only then. */
async function migrateTables(target: BulkTarget): Promise<void> {
  const { migrate } = await import('../../storage/migrate.ts')
  const { openStore } = await import('../../storage/open.ts')
  const place =
    target.engine === 'sqlite' ? { url: `sqlite:${target.file}` } : { ...target, schema: target.schema ?? '' }
  const store = await openStore({ ...place, clock: systemClock, log: silentLog, durability: 'off' })
  try {
    await migrate(store)
  } finally {
    await store.close()
  }
}

async function compare({ live, current, archived }: Tasks['compare']['task']): Promise<Tasks['compare']['result']> {
  const reader = await openBulkReader(live)
  const loader = await openBulkLoader({ engine: 'sqlite', file: current })
  try {
    for (const table of reader.tables) await loader.load(table, oneByOne(reader.tuples(table)))
    await loader.finish()
  } finally {
    await loader.close()
    await reader.close()
  }
  return compareDatabases(current, archived)
}

async function perform(task: Task): Promise<unknown> {
  switch (task.name) {
    case 'take':
      return take(task)
    case 'check':
      return check(task)
    case 'load':
      return loadArchive(task)
    case 'compare':
      return compare(task)
    case 'migrate':
      return migrateTables(task.target)
    case 'prepare':
      return prepareTables(task.live, task.scratch, task.plan)
    case 'swap':
      return swapFiles(task.live, task.scratch, task.plan)
    case 'replace':
      return replaceTables(task.live, task.scratch, task.plan)
  }
}

try {
  post({ kind: 'result', value: await perform(workerData as Task) })
} catch (caught) {
  const thrown = translateDiskFull(caught)
  const known = thrown instanceof Failure ? thrown : failure('internal', 'archive.failed', textOf(thrown))
  const stack = thrown instanceof Error ? (thrown.stack ?? '') : ''
  const { kind: failureKind, code, message: text, extras } = known
  post({ kind: 'failure', failureKind, code, text, stack, retryAfter: extras.retryAfter })
}
