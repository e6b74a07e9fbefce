import { closeSync, createReadStream, openSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { Failure, textOf } from '../kernel/failure.ts'
import { openBulkReader } from '../storage/bulk/bulk.ts'
import { type ReadArchive, readArchive } from './archive-reader.ts'
import { loadArchive } from './load-archive.ts'
import { codec, formatVersion } from './state-format.ts'
import { StateWriter } from './state-writer.ts'
import type { Message, Task, Tasks } from './tasks.ts'
import type { Progress } from './types.ts'

/** Progress is told after so many more bytes. */
const progressStep = 4 * 1024 * 1024

const tell = (message: Message): void => parentPort?.postMessage(message)

let told = 0
const onProgress: Progress = ({ bytes, rows }) => {
  if (bytes - told < progressStep) return
  told = bytes
  tell({ kind: 'progress', bytes, rows })
}

async function take(task: Tasks['take']['task']): Promise<Tasks['take']['result']> {
  const reader = await openBulkReader(task.target)
  const file = openSync(task.file, 'wx', 0o600)
  try {
    const { engine } = task.target
    const header = { format: formatVersion, codec, engine, ...task.facts, migrations: reader.migrations }
    return { ...(await new StateWriter(file, header).writeAll(reader, onProgress)), header }
  } finally {
    closeSync(file)
    await reader.close()
  }
}

const check = (task: Tasks['check']['task']): Promise<ReadArchive> =>
  readArchive(createReadStream(task.file, { highWaterMark: 1024 * 1024 }))

function perform(task: Task): Promise<unknown> {
  switch (task.name) {
    case 'take':
      return take(task)
    case 'check':
      return check(task)
    case 'load':
      return loadArchive(task, onProgress)
  }
}

try {
  tell({ kind: 'result', value: await perform(workerData as Task) })
} catch (thrown) {
  const [failureKind, code] = thrown instanceof Failure ? [thrown.kind, thrown.code] : ['internal', 'archive.failed']
  const stack = thrown instanceof Error ? (thrown.stack ?? '') : ''
  tell({ kind: 'failure', failureKind, code, text: textOf(thrown), stack })
}
