import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../test/support/test-app.ts'
import { runCommandLine } from '../program.ts'

let app: TestApp

beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

async function run(args: string[]): Promise<{ code: number; out: string; err: string }> {
  const ended = { code: 0, out: '', err: '' }
  const io = {
    out: (text: string) => {
      ended.out += text
    },
    err: (text: string) => {
      ended.err += text
    },
    environment: { HOLDFAST_ADDR: app.url, HOLDFAST_TOKEN: app.rootToken },
    directory: tmpdir(),
    home: tmpdir(),
    readInput: async () => '',
    isTerminal: false,
  }
  ended.code = await runCommandLine(io, args)
  return ended
}

test('read: a text is shown as it is', async () => {
  const { code, out } = await run(['read', 'sys/metrics', 'format=prometheus'])
  expect(code).toBe(0)
  expect(out).toMatch(/^# HELP .*\n(?:.*\n)+$/)
})

test('read: a file is not shown, and the command that saves it is named', async () => {
  expect(await run(['read', 'sys/storage/raft/snapshot'])).toEqual({
    code: 1,
    out: '',
    err: "holdfast: What came is a file (application/gzip), which is not shown. 'holdfast snapshot save' saves snapshots.\n",
  })
})
