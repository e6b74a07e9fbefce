import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { recordingLog } from '../../../test/support/recording-log.ts'
import { systemClock } from '../../kernel/clock.ts'
import { VersionTracker } from '../version-tracker.ts'
import { parseHosts } from './database-address.ts'
import { Primary } from './primary.ts'
import { VersionFeed } from './version-feed.ts'

const message = (type: string, ...parts: (string | Buffer)[]): Buffer => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const ready = message('Z', 'I')
const welcome = Buffer.concat([message('R', Buffer.alloc(4)), ready])
const done = Buffer.concat([message('C', 'SELECT 0\0'), ready])
const refusal = Buffer.concat([message('E', 'SERROR\0C25006\0Mcannot execute LISTEN during recovery\0\0'), ready])

/** Answers every query with nothing, but refuses LISTEN as a standby does and keeps connections open. */
async function standby(): Promise<{ url: string; open: Set<Socket>; refusedAt: number[] }> {
  const open = new Set<Socket>()
  const refusedAt: number[] = []
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    let isWelcome = false
    socket.on('data', (bytes) => {
      if (!isWelcome) socket.write(welcome)
      else if (bytes.includes('listen ')) {
        refusedAt.push(performance.now())
        socket.write(refusal)
      } else if (bytes[0] === 'Q'.charCodeAt(0)) socket.write(done)
      else socket.end()
      isWelcome = true
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return { url: `postgres://u@127.0.0.1:${(server.address() as AddressInfo).port}/d`, open, refusedAt }
}

test('versions: a server that refuses LISTEN is retried ever more slowly, without leaking connections', async () => {
  const { url, open, refusedAt } = await standby()
  const { log } = recordingLog()
  const settings = { schema: undefined, durable: true }
  const primary = new Primary(parseHosts(url), settings, { clock: systemClock, log, patience: 5_000 })
  const feed = new VersionFeed(primary, { schema: undefined, log, ask: async () => undefined })
  await feed.listen(new VersionTracker(feed))
  await expect.poll(() => refusedAt.length, { timeout: 15_000 }).toBe(4)
  await expect.poll(() => open.size).toBeLessThan(3)
  const [, , third = 0, fourth = 0] = refusedAt
  expect(fourth - third).toBeGreaterThan(600)
  await feed.close()
  await primary.close()
})

test('versions: after a failover to another server every version changes, even if the numbers are equal', async () => {
  const answers = [
    { visible: '2026-11-16 10:00:00+00 5:5:', versions: 'roles 5' },
    { visible: '2026-11-16 10:00:00+00 6:6:', versions: 'roles 5' },
    // A server that took over without the last writes of the other, and has made as many of its own since.
    { visible: '2026-11-16 11:00:00+00 7:7:', versions: 'roles 5' },
  ]
  const { log } = recordingLog()
  const settings = { schema: undefined, durable: true }
  const primary = new Primary(parseHosts('postgres://nowhere/d'), settings, { clock: systemClock, log, patience: 0 })
  const feed = new VersionFeed(primary, { schema: undefined, log, ask: async <R>() => answers.shift() as R })
  const tracker = new VersionTracker(feed)
  await tracker.refresh()
  const before = tracker.of('roles')
  await tracker.refresh()
  expect(tracker.of('roles')).toBe(before)
  await tracker.refresh()
  expect(tracker.of('roles')).not.toBe(before)
})
