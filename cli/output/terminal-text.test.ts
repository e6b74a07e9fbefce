import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientEnvironment, runCommand } from '../../test/support/command-line.ts'
import { type TestApp, testApp } from '../../test/support/test-app.ts'
import { withSafeTerminals, withVisibleControls } from './terminal-text.ts'

let app: TestApp

beforeAll(async () => {
  app = await testApp()
  await app.root.put('/v1/cubbyhole/escapes', { title: hostile, 'key\u001b[2J': 'wiped' })
})
afterAll(() => app.close())

const hostile = '\u001b]0;PWNED\u0007\u001b[31mred\u009b0m'
const visible = '\\u001b]0;PWNED\\u0007\\u001b[31mred\\u009b0m'

const run = (args: readonly string[], isOutputTerminal: boolean) =>
  runCommand(args, { environment: clientEnvironment(app.url, app.rootToken), isTerminal: true, isOutputTerminal })

test('terminal text: control characters are written out, line breaks and tabs stay', () => {
  expect(withVisibleControls(hostile)).toBe(visible)
  expect(withVisibleControls('a\tb\nc\r\nd äöü 💡')).toBe('a\tb\nc\r\nd äöü 💡')
  expect(withVisibleControls('kept\rover\b\u007f\0')).toBe('kept\\u000dover\\u0008\\u007f\\u0000')
})

test.each([
  [['read', 'cubbyhole/escapes']],
  [['read', 'cubbyhole/escapes', '--field', 'title']],
  [['read', 'cubbyhole/escapes', '--format', 'json']],
  [['read', 'cubbyhole/escapes', '--format', 'yaml']],
])('terminal text: %j shows stored control characters written out', async (args) => {
  const { code, out } = await run(args, true)
  expect(code).toBe(0)
  expect(out).toContain('PWNED')
  expect(out.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
})

test('terminal text: JSON on a terminal is the same data', async () => {
  const { out } = await run(['read', 'cubbyhole/escapes', '--format', 'json'], true)
  expect(JSON.parse(out).data).toEqual({ title: hostile, 'key\u001b[2J': 'wiped' })
})

test('terminal text: a pipe or file gets the value as it is stored', async () => {
  expect((await run(['read', 'cubbyhole/escapes', '--field', 'title'], false)).out).toBe(hostile)
})

test('terminal text: errors are written out too, while progress may return to the start of its line', async () => {
  const { err } = await run(['read', 'cubbyhole/escapes', '--field', 'no\u001b[31m'], false)
  expect(err).toContain("There is no field 'no\\u001b[31m'. There are: ")
  expect(err).toContain('key\\u001b[2J')
  let written = ''
  const nothing = { environment: {}, directory: '', home: '', readInput: async () => '', isOutputTerminal: true }
  const io = withSafeTerminals({ ...nothing, isTerminal: true, out: () => undefined, err: (text) => (written += text) })
  io.err('\rsave [==  ]\u001b[31m')
  expect(written).toBe('\rsave [==  ]\\u001b[31m')
})
