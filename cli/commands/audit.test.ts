import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientEnvironment, runCommand } from '../../test/support/command-line.ts'
import { sharedFolder } from '../../test/support/folders.ts'
import { type TestApp, testApp } from '../../test/support/test-app.ts'

let app: TestApp
const directory = sharedFolder()
let log: string

beforeAll(async () => {
  app = await testApp()
  log = join(directory, 'audit.log')
  await app.root.put('/v1/sys/audit/file', { type: 'file', options: { file_path: log } })
  for (let n = 0; n < 5; n++) await app.root.get('/v1/sys/policies/acl/default')
})
afterAll(async () => {
  await app.close()
})

const run = (...args: string[]) =>
  runCommand(['audit', 'verify', ...args], {
    environment: clientEnvironment(app.url, app.rootToken),
    directory,
    home: directory,
  })

const stored = (name: string, lines: readonly string[]): string => {
  const path = join(directory, name)
  writeFileSync(path, lines.join('\n'))
  return path
}
const lines = (): string[] => readFileSync(log, 'utf8').split('\n')

test('audit verify: an unchanged log passes, with and without the server', async () => {
  expect(await run(log)).toMatchObject({ code: 0, out: expect.stringContaining('Nothing was changed or removed.') })
  const proven = await run('-device=file', '-format=json', log)
  expect(proven.code).toBe(0)
  expect(JSON.parse(proven.out)).toMatchObject({ ok: true, proven: true })
})

test('audit verify: a file without a hash chain fails', async () => {
  const { code, out, err } = await run(stored('foreign', ['{"type":"request"}', '{"type":"response"}', '']))
  expect([code, err]).toEqual([2, 'holdfast: No line is part of a chain, so nothing could be checked.\n'])
  expect(out).not.toContain('Nothing was changed')
})

test('audit verify: a removed line is reported with its place', async () => {
  const { code, out, err } = await run(stored('removed', lines().toSpliced(4, 1)))
  expect([code, out]).toEqual([2, 'Up to the first break: 5 lines, 1 chain.\n'])
  expect(err).toContain('removed:5: lines before it are missing')
})

test('audit verify: a truncated log and a rewritten log are detected with the server', async () => {
  const cut = stored('cut', [...lines().slice(0, 4), ''])
  expect((await run(cut)).code).toBe(0)
  expect(await run('--device', 'file', cut)).toMatchObject({
    code: 2,
    err: expect.stringContaining('the end is missing'),
  })
  const zeros = lines().map((line) =>
    line.replace(/"proof":"keyed-blake2b512:\w+"/, `"proof":"keyed-blake2b512:${'0'.repeat(128)}"`),
  )
  expect(await run('--device', 'file', stored('forged', zeros))).toMatchObject({
    code: 2,
    err: expect.stringContaining('not written by this device'),
  })
})

test('audit verify: a missing file and an unknown device are reported plainly', async () => {
  expect(await run(join(directory, 'nowhere'))).toMatchObject({ code: 1, err: expect.stringContaining('ENOENT') })
  expect(await run('--device', 'nowhere', log)).toMatchObject({ code: 2, err: expect.stringContaining('nowhere/') })
})
