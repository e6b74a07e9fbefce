import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { COMPILE_CACHE } from '../scripts/setup/root.mjs'
import type { Bench } from './harness/bench.ts'
import { median } from './harness/compare-rates.ts'
import { renderTable } from './harness/table.ts'

const main = new URL('../server/main.ts', import.meta.url).pathname
const rounds = 5

/**
 * Time from start to the first answered health request, and memory when idle, compared with a Node that does nothing.
 */
export const bench: Bench = {
  about: 'time from start to the first answered health request, and idle memory, against a Node that does nothing',
  async *run() {
    const empty: number[] = []
    const again: number[] = []
    const memory: number[] = []
    const bare: number[] = []
    for (let round = 0; round < rounds; round++) {
      bare.push(await bareNode())
      const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-start-'))
      empty.push((await startOnce(join(dataDir, 'd'))).ms)
      const second = await startOnce(join(dataDir, 'd'))
      again.push(second.ms)
      memory.push(second.megabytes)
      await rm(dataDir, { recursive: true, force: true })
    }
    const seconds = (values: number[]): string => `${(median(values) / 1000).toFixed(2)} s`
    const rows = [
      ['node -e 0', seconds(bare), ''],
      ['start to ready, empty store', seconds(empty), '<= 1.2 s'],
      ['start to ready, second start', seconds(again), 'about 1 s'],
      ['memory when idle', `${Math.round(median(memory))} MB`, '<= 150 MB'],
    ]
    yield renderTable(['work', `median of ${rounds}`, 'target'], rows)
  },
}

async function bareNode(): Promise<number> {
  const began = performance.now()
  const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' })
  await new Promise((resolve) => child.once('exit', resolve))
  return performance.now() - began
}

async function startOnce(dataDir: string): Promise<{ ms: number; megabytes: number }> {
  const port = 20_000 + (process.pid % 10_000)
  const environment = {
    // As the launcher of `npm start` does.
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    HOLDFAST_DATA_DIR: dataDir,
    HOLDFAST_LISTEN: '127.0.0.1:0',
    HOLDFAST_HTTP_LISTEN: `127.0.0.1:${port}`,
  }
  const began = performance.now()
  const child = spawn(process.execPath, [main, 'dev'], { stdio: 'ignore', env: { ...process.env, ...environment } })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await waitUntilHealthy(port)
  const ms = performance.now() - began
  // By then it has released the memory that only the start needed.
  await wait(4000)
  const megabytes = residentMegabytes(child.pid ?? 0)
  child.kill('SIGTERM')
  await ended
  return { ms, megabytes }
}

async function waitUntilHealthy(port: number): Promise<void> {
  for (let attempt = 0; attempt < 2000; attempt++) {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/sys/health`).catch(() => undefined)
    if (answer?.status === 200) return
    await wait(10)
  }
  throw new Error('The server did not become ready.')
}

/** Linux only; elsewhere the figure is 0. */
function residentMegabytes(pid: number): number {
  try {
    const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return (Number(line?.[1] ?? 0) * 1024) / 1_000_000
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}
