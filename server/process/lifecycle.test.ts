import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

type Started = { child: ChildProcess; line(): Promise<string>; ended: Promise<number | null> }

/** Runs in a separate process, so that the signals do not reach the test runner. */
async function start(server: string, options: string): Promise<Started> {
  const script = `
    import { runUntilStopped, stoppableAfter } from ${JSON.stringify(import.meta.resolve('./lifecycle.ts'))}
    const say = (text) => process.stdout.write(text + '\\n')
    const log = { info: (_, m) => say(m), warn: (_, m) => say(m), error: (_, m) => say(m), debug: () => {}, child: () => log }
    const keepAlive = setInterval(() => {}, 1000)
    const ended = runUntilStopped(${server}, { log, hangup: 'reload', delayMs: 0, graceMs: 5000, duplicateSignalMs: 0, ...${options} })
    say('up')
    process.exit(await ended)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const lines: string[] = []
  let wake = (): void => undefined
  child.stdout?.on('data', (data) => {
    lines.push(...String(data).trim().split('\n'))
    wake()
  })
  const line = async (): Promise<string> => {
    while (lines.length === 0) await new Promise<void>((resolve) => (wake = resolve))
    return lines.shift() ?? ''
  }
  expect(await line()).toBe('up')
  return { child, line, ended }
}

const quick =
  '{ reload: async () => say("looked again"), announceStop: () => say("announced"), close: async () => say("closed") }'
const never = '{ reload: async () => {}, announceStop: () => {}, close: () => new Promise(() => {}) }'

async function lines(line: Started['line'], count: number): Promise<string[]> {
  const read: string[] = []
  while (read.length < count) read.push(await line())
  return read
}

test.each(['SIGTERM', 'SIGINT'] as const)('lifecycle: %s closes the server and ends with 0', async (signal) => {
  const { child, line, ended } = await start(quick, '{}')
  child.kill(signal)
  expect(await lines(line, 4)).toEqual(['stopping', 'announced', 'closed', 'stopped'])
  expect(await ended).toBe(0)
})

test('lifecycle: SIGHUP reloads, and the server goes on', async () => {
  const { child, line, ended } = await start(quick, '{}')
  child.kill('SIGHUP')
  expect([await line(), await line()]).toEqual(['looked again', 'reloaded'])
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
})

test('lifecycle: a reload that fails leaves the server running', async () => {
  const { child, line, ended } = await start(
    '{ reload: async () => { throw new Error("no file") }, announceStop: () => {}, close: async () => {} }',
    '{}',
  )
  child.kill('SIGHUP')
  expect(await line()).toBe('reload failed, the old files stay in use')
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
})

test('lifecycle: SIGHUP stops the server if hangup is "stop"', async () => {
  const { child, ended } = await start(quick, '{ hangup: "stop" }')
  child.kill('SIGHUP')
  expect(await ended).toBe(0)
})

test('lifecycle: a close that does not finish is abandoned after the grace period', async () => {
  const { child, line, ended } = await start(never, '{ graceMs: 50 }')
  child.kill('SIGTERM')
  expect([await line(), await line()]).toEqual(['stopping', 'stopped with work unfinished'])
  expect(await ended).toBe(0)
})

test('lifecycle: repeated signals right after the first are ignored as copies', async () => {
  const server = `stoppableAfter(${quick}, new Promise((resolve) => process.once('SIGUSR2', resolve)))`
  const { child, line, ended } = await start(server, '{ duplicateSignalMs: 60000 }')
  child.kill('SIGTERM')
  expect(await lines(line, 2)).toEqual(['stopping', 'announced'])
  child.kill('SIGTERM')
  child.kill('SIGINT')
  child.kill('SIGUSR2')
  expect([await line(), await line()]).toEqual(['closed', 'stopped'])
  expect(await ended).toBe(0)
})

test('lifecycle: a second signal exits at once with 130', async () => {
  const { child, line, ended } = await start(never, '{ graceMs: 60000 }')
  child.kill('SIGINT')
  expect(await line()).toBe('stopping')
  child.kill('SIGINT')
  expect(await ended).toBe(130)
})

test('lifecycle: a stop during setup closes the server after setup, whether it succeeds or fails', async () => {
  for (const outcome of ['resolve()', 'reject(new Error("no seed"))']) {
    const server = `stoppableAfter(${quick}, new Promise((resolve, reject) => process.once('SIGUSR2', () => { say('set up'); ${outcome} })))`
    const { child, line, ended } = await start(server, '{}')
    child.kill('SIGTERM')
    expect(await lines(line, 2)).toEqual(['stopping', 'announced'])
    child.kill('SIGUSR2')
    expect([await line(), await line(), await line()]).toEqual(['set up', 'closed', 'stopped'])
    expect(await ended).toBe(0)
  }
})

test('lifecycle: a failing close exits with 1', async () => {
  const failing = '{ reload: async () => {}, announceStop: () => {}, close: async () => { throw new Error("x") } }'
  const { child, ended } = await start(failing, '{}')
  child.kill('SIGTERM')
  expect(await ended).toBe(1)
})

/** Whether nothing else is said for some time. */
const isQuiet = async (line: Started['line'], milliseconds: number): Promise<boolean> =>
  (await Promise.race([line(), setTimeout(milliseconds, true)])) === true

test('lifecycle: with a delay the server is told at once and closed after it', async () => {
  const { child, line, ended } = await start(quick, '{ delayMs: 1000 }')
  const begun = performance.now()
  child.kill('SIGTERM')
  expect(await lines(line, 2)).toEqual(['stopping', 'announced'])
  expect(await lines(line, 2)).toEqual(['closed', 'stopped'])
  expect(performance.now() - begun).toBeGreaterThan(950)
  expect(await ended).toBe(0)
})

test('lifecycle: the delay is not part of the grace period', async () => {
  const { child, line, ended } = await start(quick, '{ delayMs: 500, graceMs: 250 }')
  child.kill('SIGTERM')
  expect(await lines(line, 4)).toEqual(['stopping', 'announced', 'closed', 'stopped'])
  expect(await ended).toBe(0)
})

test('lifecycle: a second signal ends the delay, and a third does not wait for requests', async () => {
  const closing =
    '{ reload: async () => {}, announceStop: () => {}, close: () => { say("closing"); return new Promise(() => {}) } }'
  const { child, line, ended } = await start(closing, '{ delayMs: 60000, graceMs: 60000 }')
  child.kill('SIGTERM')
  expect(await line()).toBe('stopping')
  child.kill('SIGTERM')
  expect(await line()).toBe('closing')
  child.kill('SIGTERM')
  expect(await ended).toBe(143)
})

test('lifecycle: a copy of the first signal does not end the delay', async () => {
  const { child, line } = await start(quick, '{ delayMs: 60000, duplicateSignalMs: 60000 }')
  child.kill('SIGTERM')
  expect(await lines(line, 2)).toEqual(['stopping', 'announced'])
  child.kill('SIGTERM')
  expect(await isQuiet(line, 300)).toBe(true)
})
