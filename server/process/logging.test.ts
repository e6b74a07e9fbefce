import { expect, test } from 'vitest'
import { type Config, loadConfig } from '../config/index.ts'
import { failure } from '../kernel/failure.ts'
import { secret } from '../kernel/secret.ts'
import { renderLogLine } from './log-line.ts'
import { openLog } from './logging.ts'

function configOf(environment: Record<string, string> = {}): Config {
  const loaded = loadConfig({ mode: 'dev', environment })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  return loaded.config
}

function capture(environment: Record<string, string> = {}, isTTY = false) {
  const lines: string[] = []
  const { log } = openLog(configOf(environment), { write: (line) => lines.push(line), isTTY })
  return { log, lines }
}

test('log: lines are JSON with time, level, message and fields', () => {
  const { log, lines } = capture()
  log.child({ crl: 'root' }).info({ revoked: 812 }, 'crl refreshed')
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    time: expect.stringMatching(/^\d{4}-.+Z$/),
    level: 'info',
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

test('log line: time, level, message, fields, and the stack of an error below', () => {
  const line = JSON.stringify({
    level: 'error',
    time: '2026-11-15T02:07:11.123Z',
    msg: 'failed',
    n: 1,
    name: 'two words',
    error: { message: 'boom', stack: 'Error: boom\n    at here' },
  })
  expect(renderLogLine(line, false)).toBe(
    '02:07:11 error failed n=1 name="two words" error=boom\nError: boom\n    at here\n',
  )
})
