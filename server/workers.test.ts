import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { afterEach, expect, test, vi } from 'vitest'
import { mintCa, mintIntermediate, mintLeaf, mintServer } from '../test/support/certificates.ts'
import { openRaw } from '../test/support/raw-connection.ts'

const script = new URL('../test/support/programs/worker-program.ts', import.meta.url).pathname

// Each test starts several processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGKILL')
  }
})

/** Runs the program in a process group of its own, as a shell or a service manager would. */
function run(settings: Record<string, unknown>) {
  const child = spawn(process.execPath, [script, JSON.stringify(settings)], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const lines: string[] = []
  child.stdout.setEncoding('utf8').on('data', (text: string) => lines.push(...text.trim().split('\n')))
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  const said = async (pattern: RegExp, count = 1): Promise<string[]> => {
    for (let tries = 0; tries < 1000; tries++) {
      const found = lines.filter((line) => pattern.test(line))
      if (found.length >= count) return found
      await pause(10)
    }
    throw new Error(`Waited for ${count} times ${pattern}; it said:\n${lines.join('\n')}`)
  }
  const port = async (): Promise<number> => Number((await said(/^port/))[0]?.split(' ')[1])
  const ask = async (path: string): Promise<string> => {
    const connection = await openRaw(await port())
    connection.write(`LIST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    const { body } = await connection.next()
    connection.close()
    return body
  }
  return { child, lines, exited, said, port, ask }
}

const pidOf = (line: string | undefined): number => Number(/pid=(\d+)/i.exec(line ?? '')?.[1])

test('workers: with a count of 1 there is no second process', async () => {
  const { child, said, ask, exited } = run({ count: 1 })
  const [started] = await said(/^ready/)
  expect(pidOf(started)).toBe(child.pid)
  expect(await ask('/pid')).toBe(String(child.pid))
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
})

test('workers: several share one port, and only one of them is marked as first', async () => {
  const { child, said, ask, exited } = run({ count: 3 })
  const started = await said(/^ready/, 3)
  expect(started[0]).toContain('first')
  expect(started.filter((line) => line.includes('first'))).toHaveLength(1)
  const pids = new Set<string>()
  for (let i = 0; i < 9; i++) pids.add(await ask('/pid'))
  expect(pids).toEqual(new Set(started.map((line) => String(pidOf(line)))))
  expect(pids.has(String(child.pid))).toBe(false)
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
})

test.each(['SIGTERM', 'SIGINT'] as const)('workers: %s lets requests finish, sent to one or to all', async (signal) => {
  for (const isToAll of [false, true]) {
    const { child, said, exited, port } = run({ count: 2 })
    await said(/^ready/, 2)
    const connection = await openRaw(await port())
    connection.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
    await said(/^slow begins/)
    process.kill(isToAll ? -Number(child.pid) : Number(child.pid), signal)
    expect((await connection.next()).body).toBe('slow')
    expect(await exited, `sent to ${isToAll ? 'all' : 'one'}`).toBe(0)
    expect(await said(/^stopping/, 2)).toHaveLength(2)
  }
})

test('workers: a worker too busy to handle a signal to the group is not signalled a second time', async () => {
  const { child, said, exited, port } = run({ count: 2 })
  await said(/^ready/, 2)
  const connection = await openRaw(await port())
  connection.write('GET /busy HTTP/1.1\r\nHost: x\r\n\r\n')
  await said(/^busy begins/)
  process.kill(-Number(child.pid), 'SIGTERM')
  expect((await connection.next()).body).toBe('busy')
  expect(await exited).toBe(0)
  expect(await said(/^stopping/, 2)).toHaveLength(2)
})

test('workers: a worker that is busy after a signal to the group is not signalled a second time', async () => {
  const { child, said, exited, port } = run({ count: 2, isBusyWhenStopping: true })
  await said(/^ready/, 2)
  const connection = await openRaw(await port())
  connection.write('GET /slow/2500 HTTP/1.1\r\nHost: x\r\n\r\n')
  await said(/^slow begins/)
  process.kill(-Number(child.pid), 'SIGTERM')
  expect((await connection.next()).body).toBe('slow')
  expect(await exited).toBe(0)
  expect(await said(/^stopping/, 2)).toHaveLength(2)
})

test('workers: a worker that hangs is killed after the grace period, and the exit code is 1', async () => {
  const { child, said, exited } = run({ count: 2, graceMs: 300, hangs: true })
  await said(/^ready/, 2)
  child.kill('SIGTERM')
  expect(await exited).toBe(1)
})

test('workers: a crashed worker is replaced, the others keep serving, and the new one is not first', async () => {
  const { child, said, ask, exited } = run({ count: 2 })
  const started = await said(/^ready/, 2)
  process.kill(pidOf(started[0]), 'SIGKILL')
  await said(/ended unexpectedly/)
  expect(await ask('/pid')).toBe(String(pidOf(started[1])))
  const after = await said(/^ready/, 3)
  expect(after[2]).toMatch(/number=1/)
  expect(after[2]).not.toContain('first')
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
})

test('workers: a worker that no longer answers is replaced, and its connections are closed', async () => {
  const { child, said, port, exited, lines } = run({ count: 2, beatMs: 500 })
  const started = (await said(/^ready/, 2)).map(pidOf)
  const connection = await openRaw(await port())
  connection.write('GET /pid HTTP/1.1\r\nHost: x\r\n\r\n')
  const hung = Number((await connection.next()).body)
  process.kill(hung, 'SIGSTOP')
  connection.write('GET /pid HTTP/1.1\r\nHost: x\r\n\r\n')
  await connection.closed()
  expect(pidOf((await said(/^worker no longer answers/))[0])).toBe(hung)
  expect((await said(/^ready/, 3)).map(pidOf).slice(0, 2)).toEqual(started)
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
  expect(lines.filter((line) => line.includes('no longer answers'))).toHaveLength(1)
})

test('workers: neither a busy worker nor a node that was stopped as a whole is taken for hung', async () => {
  const { child, said, port, exited, lines } = run({ count: 2, beatMs: 500 })
  await said(/^ready/, 2)
  const connection = await openRaw(await port())
  connection.write('GET /busy HTTP/1.1\r\nHost: x\r\n\r\n')
  expect((await connection.next()).body).toBe('busy')
  process.kill(-Number(child.pid), 'SIGSTOP')
  await pause(2_500)
  process.kill(-Number(child.pid), 'SIGCONT')
  connection.write('GET /slow/1200 HTTP/1.1\r\nHost: x\r\n\r\n')
  expect((await connection.next()).body).toBe('slow')
  connection.close()
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
  expect(lines.filter((line) => line.includes('no longer answers'))).toEqual([])
})

test('workers: a question of one worker is answered by all others, also with undefined', async () => {
  const { child, said, port, exited } = run({ count: 3 })
  const pids = new Map((await said(/^ready/, 3)).map((line) => [Number(/number=(\d)/.exec(line)?.[1]), pidOf(line)]))
  const connection = await openRaw(await port())
  const get = async (path: string): Promise<string> => {
    connection.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    return (await connection.next()).body
  }
  const asker = Number(await get('/pid'))
  const others = [...pids].filter(([, pid]) => pid !== asker).sort(([a], [b]) => a - b)
  expect(await get('/ask/who')).toBe(others.map(([number, pid]) => `${number} pid=${pid} bytes=true`).join(', '))
  expect(await get('/ask/nothing')).toBe(others.map(([number]) => `${number} pid=undefined bytes=undefined`).join(', '))
  connection.close()
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
})

test('workers: a worker that does not answer in time is left out, or represented by what it said before', async () => {
  const { child, said, exited, port } = run({ count: 2, silent: 1 })
  const started = await said(/^ready/, 2)
  const [first, second] = [1, 2].map((number) => pidOf(started.find((line) => line.includes(`number=${number}`))))
  const clients = new Map<number, (path: string) => Promise<string>>()
  while (clients.size < 2) {
    const connection = await openRaw(await port())
    const get = async (path: string): Promise<string> => {
      connection.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
      return (await connection.next()).body
    }
    clients.set(Number(await get('/pid')), get)
  }
  const [ofFirst, ofSecond] = [clients.get(first ?? 0), clients.get(second ?? 0)]
  expect(await ofSecond?.('/ask/who')).toBe('')
  // When it asks, it says what it would answer.
  expect(await ofFirst?.('/ask/who')).toBe(`2 pid=${second} bytes=true`)
  expect(await ofSecond?.('/ask/who')).toBe(`1 pid=${first} bytes=true`)
  expect(await ofSecond?.('/ask/other')).toBe('1 pid=undefined bytes=undefined')
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
})

test('workers: a connection that is on its way to one that dies is closed', async () => {
  const { child, said, port, exited } = run({ count: 2 })
  const [stopped] = (await said(/^ready/, 2)).map(pidOf)
  process.kill(Number(stopped), 'SIGSTOP')
  const connections = await Promise.all([1, 2, 3].map(async () => await openRaw(await port())))
  for (const connection of connections) connection.write('GET /pid HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  // One of them was given to the process that takes none.
  await vi.waitFor(() => expect(connections.filter(({ socket }) => socket.destroyed)).toHaveLength(2))
  process.kill(Number(stopped), 'SIGKILL')
  await Promise.all(connections.map((connection) => connection.closed()))
  await said(/^ready/, 3)
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
})

test.runIf(process.platform === 'linux')(
  'workers: a worker that dies before a message reaches it harms no other',
  async () => {
    const { child, said, port, exited } = run({ count: 2 })
    const started = (await said(/^ready/, 2)).map(pidOf)
    const connection = await openRaw(await port())
    connection.write('GET /pid HTTP/1.1\r\nHost: x\r\n\r\n')
    const speaker = Number((await connection.next()).body)
    // The supervisor reads the message first, and then learns that its receiver has died.
    child.kill('SIGSTOP')
    await expect.poll(() => stateOf(child.pid), { interval: 10 }).toBe('T')
    connection.write('GET /say/last HTTP/1.1\r\nHost: x\r\n\r\n')
    await connection.next()
    const listener = started.find((pid) => pid !== speaker) ?? 0
    process.kill(listener, 'SIGKILL')
    await expect.poll(() => stateOf(listener), { interval: 10 }).toBe('Z')
    child.kill('SIGCONT')
    await said(/^ready/, 3)
    connection.close()
    child.kill('SIGTERM')
    expect(await exited).toBe(0)
  },
)

test('workers: a worker that keeps crashing is restarted with growing delays', async () => {
  const { child, said, exited } = run({ count: 2, crashes: 2 })
  await said(/delayMs=400/)
  const delays = (await said(/ended unexpectedly/)).map((line) => Number(/delayMs=(\d+)/.exec(line)?.[1]))
  expect(delays.slice(0, 3)).toEqual([100, 200, 400])
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
})

test('workers: if the first worker cannot start, all end and its exit code is passed on', async () => {
  const { exited, said } = run({ count: 3, failsToStart: true })
  expect(await exited).toBe(3)
  expect(await said(/^cannot start/)).toHaveLength(1)
})

test('workers: each SIGHUP reloads every worker once, sent to the parent or to the group', async () => {
  const { child, said, lines, exited } = run({ count: 2 })
  await said(/^ready/, 2)
  child.kill('SIGHUP')
  await said(/^reloaded/, 2)
  process.kill(-Number(child.pid), 'SIGHUP')
  await said(/^reloaded/, 4)
  child.kill('SIGHUP')
  await said(/^reloaded/, 6)
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
  expect(lines.filter((line) => line.startsWith('reloaded'))).toHaveLength(6)
})

test('workers: a SIGHUP sent to one worker does not make it skip the next one for all', async () => {
  const { child, said, lines, exited } = run({ count: 2 })
  const started = await said(/^ready/, 2)
  process.kill(pidOf(started[1]), 'SIGHUP')
  await said(/^reloaded/)
  await pause(1_500)
  child.kill('SIGHUP')
  await said(/^reloaded/, 3)
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
  expect(lines.filter((line) => line.startsWith('reloaded'))).toHaveLength(3)
})

test('workers: SIGHUP stops all workers if hangup is "stop"', async () => {
  const { child, said, exited } = run({ count: 2, hangup: 'stop' })
  await said(/^ready/, 2)
  child.kill('SIGHUP')
  expect(await exited).toBe(0)
})

test('workers: a message reaches every other worker and not its sender', async () => {
  const { child, said, ask, exited } = run({ count: 3 })
  const started = await said(/^ready/, 3)
  await Promise.all(Array.from({ length: 30 }, (_, i) => ask(`/say/${i}`)))
  const spoken = new Map((await said(/^said/, 30)).map((line) => [line.split(' ')[1], pidOf(line)]))
  const heard = await said(/^heard .* bytes=true/, 60)
  expect(heard).toHaveLength(60)
  for (const [text, speaker] of spoken) {
    const hearers = heard.filter((line) => line.split(' ')[1] === text).map(pidOf)
    const others = started.map(pidOf).filter((pid) => pid !== speaker)
    expect(hearers.sort()).toEqual(others.sort())
  }
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
})

test('workers: when the supervisor is killed, all workers end', async () => {
  const { child, said, exited } = run({ count: 2 })
  const started = await said(/^ready/, 2)
  child.kill('SIGKILL')
  await exited
  for (const line of started)
    await expect.poll(() => isAlive(pidOf(line)), { interval: 10, timeout: 10_000 }).toBe(false)
})

test('workers: a port in use is reported once, and all processes end', async () => {
  const holder = run({ count: 1 })
  const port = await holder.port()
  const { exited, said } = run({ count: 2, port })
  expect(await exited).toBe(3)
  expect(await said(/already in use/)).toHaveLength(1)
})

test.each(['TLSv1.2', 'TLSv1.3'] as const)(
  'workers: every worker sees the whole chain of a %s client',
  async (version) => {
    const root = mintCa()
    const above = mintIntermediate(root)
    const server = mintServer(root)
    const leaf = mintLeaf(above)
    const { child, said, port, exited } = run({ count: 2, tls: { cert: server.chainPem, key: server.keyPem } })
    await said(/^ready/, 2)
    const seen = new Map<string, Set<string>>()
    const sessions: Buffer[] = []
    for (let i = 0; i < 16; i++) {
      // Connections are distributed in turn, so one session belongs to this worker and the other to its sibling.
      const session = sessions.at(i % 2 === 0 ? -2 : -1)
      const fixed = { minVersion: version, maxVersion: version, session }
      const connection = await openRaw(await port(), { ca: root.pem, cert: leaf.chainPem, key: leaf.keyPem, ...fixed })
      const socket = connection.socket as TLSSocket
      sessions[i] = socket.getSession() ?? Buffer.alloc(0)
      socket.on('session', (ticket: Buffer) => sessions.splice(i, 1, ticket))
      connection.write('GET /chain HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
      const [pid = '', resumed = '', intermediates] = (await connection.next()).body.split(' ')
      await connection.closed()
      expect(intermediates).toBe('1')
      seen.set(resumed, (seen.get(resumed) ?? new Set()).add(pid))
    }
    expect(seen.get('true')?.size).toBeGreaterThan(0)
    expect(seen.get('false')?.size).toBe(2)
    child.kill('SIGTERM')
    expect(await exited).toBe(0)
  },
)

/** The state of a process in Linux: `T` if it is stopped, `Z` if it has ended and was not reaped yet. */
const stateOf = (pid: number | undefined): string | undefined =>
  /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
