import type { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ownApp } from '../../../../test/support/shared.ts'
import { saveSnapshot, snapshotPath } from '../../../../test/support/snapshot-calls.ts'

// Each archive is read and restored by threads of its own, which take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

/** A server that may work on one snapshot at a time, a snapshot of it, and how many threads were alive at most. */
async function oneAtATime() {
  const app = await ownApp({ settings: { concurrentSnapshots: 1 } })
  const headers = { 'X-Service-Token': app.rootToken }
  const archive = new Uint8Array(await saveSnapshot(app))
  const send = async (at: string, signal?: AbortSignal): Promise<number> =>
    (await fetch(`${app.url}${snapshotPath}${at}`, { method: 'POST', headers, body: archive, signal: signal ?? null }))
      .status
  let running = 0
  let most = 0
  const count = (worker: Worker): void => {
    running++
    most = Math.max(most, running)
    worker.once('exit', () => running--)
  }
  process.on('worker', count)
  onTestFinished(() => void process.off('worker', count))
  return { send, most: () => most, running: () => running }
}

const readings = ['/inspect', '/preview', '/verify']

test('inspect, preview, verify: as many run at once as are configured, the others wait', async () => {
  const { send, most } = await oneAtATime()
  const statuses = await Promise.all([...readings, ...readings].map((at) => send(at)))
  expect(statuses).toEqual(Array(6).fill(200))
  expect(most()).toBe(1)
})

test('restore: does not wait for those who read snapshots', async () => {
  const { send, most } = await oneAtATime()
  const ended: string[] = []
  const all = [...Array(4).fill('/verify'), ''].map(async (at) => {
    expect(await send(at)).toBe(200)
    ended.push(at)
  })
  await Promise.all(all)
  expect(ended.at(-1)).toBe('/verify')
  expect(most()).toBe(2)
})

test('inspect: whoever goes away while waiting leaves the line', async () => {
  const { send, running } = await oneAtATime()
  const first = send('/preview')
  await vi.waitFor(() => expect(running()).toBe(1), { interval: 1 })
  const leave = new AbortController()
  const second = send('/inspect', leave.signal).catch(() => 'gone')
  const third = send('/inspect')
  leave.abort()
  expect(await Promise.all([first, second, third])).toEqual([200, 'gone', 200])
})
