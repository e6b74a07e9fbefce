import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { endThread, newLatch } from './uninterrupted.ts'

const module = JSON.stringify(new URL('./uninterrupted.ts', import.meta.url).href)

/** Waits inside, then counts to a million; the endless loop after that is cut off. */
const counting = `import(${module}).then(({ uninterrupted }) => {
  const { parentPort, workerData } = require('node:worker_threads')
  const { counts, go } = workerData
  uninterrupted(() => {
    parentPort.postMessage('inside')
    Atomics.wait(go, 0, 0)
    for (let at = 0; at < 1e6; at += 1) Atomics.add(counts, 0, 1)
  })
  for (;;) uninterrupted(() => Atomics.add(counts, 1, 1))
})`

const shared = () => new Int32Array(new SharedArrayBuffer(8))

test('uninterrupted: endThread waits for the protected work of the thread to finish', async () => {
  const [latch, counts, go] = [newLatch(), shared(), shared()]
  const thread = new Worker(counting, { eval: true, workerData: { latch, counts, go } })
  await once(thread, 'message')
  const ended = endThread(thread, latch)
  Atomics.store(go, 0, 1)
  Atomics.notify(go, 0)
  await ended
  expect(counts[0]).toBe(1e6)
})

test('uninterrupted: endThread does not hang on a thread that died during protected work', async () => {
  const latch = newLatch()
  const dying = `import(${module}).then(({ uninterrupted }) => uninterrupted(() => process.exit(3)))`
  const thread = new Worker(dying, { eval: true, workerData: { latch } })
  await once(thread, 'exit')
  await endThread(thread, latch)
  expect(thread.threadId).toBe(-1)
})

/** Ends threads that do nothing but compress, at random moments. */
const compressing = `
  const { Worker } = require('node:worker_threads')
  const thread = "import(" + ${JSON.stringify(module)} + ").then(({ uninterrupted }) => { " +
    "require('node:worker_threads').parentPort.postMessage('begins'); const bytes = Buffer.alloc(100); " +
    "for (;;) uninterrupted(() => require('node:zlib').zstdCompressSync(bytes)) })"
  import(${module}).then(async ({ endThread, newLatch }) => {
    for (let ends = 0; ends < 100; ends += 1) {
      const latch = newLatch()
      const worker = new Worker(thread, { eval: true, workerData: { latch } })
      await new Promise((resolve) => worker.once('message', resolve))
      await new Promise((resolve) => setTimeout(resolve, ends % 5))
      await endThread(worker, latch)
    }
    console.log('alive')
  })`

test('uninterrupted: the process survives ending a hundred threads that compress', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', compressing])
  expect(stdout).toBe('alive\n')
})
