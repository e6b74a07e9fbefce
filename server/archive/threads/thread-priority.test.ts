import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { getPriority } from 'node:os'
import { expect, test } from 'vitest'

const module = new URL('./thread-priority.ts', import.meta.url).href

/** In a process of its own, since a priority that was lowered cannot be raised again. */
const script = `
  const { Worker } = require('node:worker_threads')
  const inThread = "import(" + ${JSON.stringify(JSON.stringify(module))} + ").then(({ lowerThreadPriority }) => { lowerThreadPriority(); " +
    "const thread = Number(require('node:path').basename(require('node:fs').readlinkSync('/proc/thread-self'))); " +
    "require('node:worker_threads').parentPort.postMessage(require('node:os').getPriority(thread)) })"
  new Worker(inThread, { eval: true }).once('message', (lowered) => {
    console.log(JSON.stringify({ process: require('node:os').getPriority(process.pid), thread: lowered }))
  })`

test.runIf(existsSync('/proc/thread-self'))(
  'thread priority: lowerThreadPriority lowers the priority of its thread, not of the process',
  () => {
    const usual = getPriority()
    const told = JSON.parse(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }))
    expect(told).toEqual({ process: usual, thread: Math.min(usual + 10, 19) })
  },
)
