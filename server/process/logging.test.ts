import { hostname } from 'node:os'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Config, loadConfig } from '../config/index.ts'
import { failure } from '../kernel/failure.ts'
import { secret } from '../kernel/secret.ts'
import { openLog, renderLogLine } from './serve.ts'

function configOf(environment: Record<string, string> = {}): Config {
  const loaded = loadConfig({ mode: 'dev', environment })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  return loaded.config
}

function capture(environment: Record<string, string> = {}, isTTY = false) {
  const lines: string[] = []
  const { log, flush } = openLog(configOf(environment), { write: (line) => lines.push(line), isTTY })
  return { log, lines, flush }
}

test('log: lines are JSON with time, level, node, process, message and fields', () => {
  const { log, lines } = capture()
  log.child({ crl: 'root' }).info({ revoked: 812 }, 'crl refreshed')
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    time: expect.stringMatching(/^\d{4}-.+Z$/),
    level: 'info',
    node: hostname(),
    pid: process.pid,
    msg: 'crl refreshed',
    crl: 'root',
    revoked: 812,
  })
})

test('log: a terminal in dev mode gets text, unless JSON is asked for', () => {
  const human = capture({}, true)
  human.log.info({ crl: 'root' }, 'crl refreshed')
  expect(human.lines[0]).toMatch(/crl refreshed/)
  expect(() => JSON.parse(human.lines[0] ?? '')).toThrow(SyntaxError)
  const machine = capture({ HOLDFAST_LOG_FORMAT: 'json' }, true)
  machine.log.info({}, 'x')
  expect(JSON.parse(machine.lines[0] ?? '')).toMatchObject({ msg: 'x' })
})

test('log: lines below the level are not written', () => {
  const { log, lines } = capture({ HOLDFAST_LOG_LEVEL: 'warn' })
  log.info({}, 'quiet')
  log.warn({}, 'loud')
  expect(lines).toHaveLength(1)
})

test('log: secrets are redacted, by type and by field name, however deep they are', () => {
  const { log, lines } = capture()
  const nested = { list: [{ token: 'hunter2', inner: { secret_key: 'hunter2' } }] }
  log.error({ value: secret('hunter2'), token: 'hunter2', body: { password: 'hunter2' }, nested }, 'x')
  log.error({ error: Object.assign(new Error('y'), { request: { headers: { authorization: 'hunter2' } } }) }, 'x')
  expect(lines.join()).not.toContain('hunter2')
  expect(lines[0]).toContain('[redacted]')
})

test('log: addresses are written without their credentials, wherever they stand', () => {
  const { log, lines } = capture()
  const url = 'https://me:hunter2@h/x?token=hunter2'
  log.error({ url, nested: { list: [url] }, error: new Error(url, { cause: new Error(url) }) }, 'x')
  log.warn({ error: failure('upstream', 'x', url, { cause: new Error(url) }) }, 'x')
  expect(lines.join()).not.toContain('hunter2')
  expect(JSON.parse(lines[0] ?? '').url).toBe('https://me:[redacted]@h/x?token=[redacted]')
})

test('log: an expected failure is logged with its cause and without a stack; an internal one has a stack', () => {
  const { log, lines } = capture()
  log.warn(
    { error: failure('unavailable', 'x', 'Try again.', { cause: new Error('Nothing listens there.') }) },
    'failed',
  )
  log.warn({ error: failure('internal', 'x', 'A fault of ours.') }, 'failed')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ error: 'Try again. (Nothing listens there.)' })
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({ error: { stack: expect.stringContaining('logging.test.ts') } })
})

test('log: errors are logged with stack, causes and properties, and secrets are redacted', () => {
  const { log, lines } = capture()
  const inner = Object.assign(new TypeError('inner'), { cause: undefined as unknown })
  const outer = new Error('outer', { cause: inner })
  inner.cause = outer
  log.error({ error: Object.assign(outer, { code: '23505', token: 'hunter2', type: 'x' }) }, 'failed')
  log.error({ error: new AggregateError([new Error('one'), new Error('two')], 'all') }, 'failed')
  const [first, second] = lines.map((line) => JSON.parse(line).error)
  expect(first).toMatchObject({ type: 'Error', message: 'outer: inner', code: '23505', token: '[redacted]' })
  expect(first.stack).toMatch(/outer[\s\S]+caused by: TypeError: inner/)
  expect(second).toMatchObject({ type: 'AggregateError', message: 'all', errors: ['one', 'two'] })
})

test('log: a failure that repeats is written once, then counted; other lines are not held back', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { log, lines, flush } = capture()
  const fail = (device: string, request: string, bodies: number) =>
    log.error({ request, device, bodies, error: new Error('disk full') }, 'not written')
  const shown = () =>
    lines.splice(0).map((line) => {
      const { msg, device, request, repeated } = JSON.parse(line)
      return [msg, device, request, repeated]
    })
  for (const n of [1, 2, 3]) fail('a', `r${n}`, n)
  fail('b', 'r4', 4)
  for (const n of [1, 2]) log.error({ request: `r${n}`, status: 500 }, 'request')
  expect(shown()).toEqual([
    ['not written', 'a', 'r1', undefined],
    ['not written', 'b', 'r4', undefined],
    ['request', undefined, 'r1', undefined],
    ['request', undefined, 'r2', undefined],
  ])
  vi.advanceTimersByTime(10_000)
  expect(shown()).toEqual([['not written', 'a', 'r3', 2]])
  fail('a', 'r5', 5)
  fail('b', 'r6', 6)
  expect(shown()).toEqual([['not written', 'b', 'r6', undefined]])
  flush()
  expect(shown()).toEqual([['not written', 'a', 'r5', 1]])
})

test('log: so many different failures are remembered; further ones are all written', () => {
  const { log, lines } = capture()
  for (let n = 0; n < 1_200; n++) for (const again of ['x', 'x']) log.warn({ error: `${n}`, again }, 'failed')
  expect(lines).toHaveLength(1_000 + 2 * 200)
})

test('log line: time, level, node, message, fields, and the stack of an error below', () => {
  const line = JSON.stringify({
    level: 'error',
    time: '2026-11-15T02:07:11.123Z',
    node: 'web-1',
    pid: 4711,
    msg: 'failed',
    n: 1,
    name: 'two words',
    error: { message: 'boom', stack: 'Error: boom\n    at here' },
  })
  expect(renderLogLine(line, false)).toBe(
    '02:07:11 error web-1[4711] failed n=1 name="two words" error=boom\nError: boom\n    at here\n',
  )
})
