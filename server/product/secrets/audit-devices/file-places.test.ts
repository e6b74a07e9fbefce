import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { ROOT } from '../../../../scripts/setup/root.mjs'
import { sharedFolder } from '../../../../test/support/folders.ts'
import { recordingLog } from '../../../../test/support/recording-log.ts'
import { ownApp } from '../../../../test/support/shared.ts'
import { type TestApp, testApp } from '../../../../test/support/test-app.ts'

let app: TestApp
const [dataDir, elsewhere] = [sharedFolder(), sharedFolder()]
beforeAll(async () => {
  app = await testApp({ settings: { dataDir } })
})
afterAll(() => app.close())
beforeEach(async () => void (await app.root.delete('/v1/sys/audit/file')))

const enable = (path: string, options: Record<string, string> = {}) =>
  app.root.post('/v1/sys/audit/file', { type: 'file', options: { file_path: path, ...options } })

/** A module that the program does not have yet; if a test fails, nothing is left of it. */
function newModule(): string {
  const path = join(ROOT, 'server', `planted-by-a-test-${process.pid}.ts`)
  onTestFinished(() => rm(path, { force: true }))
  return path
}

test('audit: code cannot be planted in the program with a prefix, not even through a symlink', async () => {
  const path = newModule()
  await symlink(join(ROOT, 'server'), join(elsewhere, 'program'))
  for (const way of [path, path.replace(join(ROOT, 'server'), join(elsewhere, 'program'))]) {
    expect(await enable(way, { prefix: 'globalThis.planted = true//' })).toMatchObject({
      status: 400,
      body: {
        errors: [expect.stringMatching(/lies in .*, which is closed.*local_paths\.allow/)],
      },
    })
  }
  expect(existsSync(path)).toBe(false)
  expect((await app.root.get('/v1/sys/audit')).body.data).toEqual({})
})

test('audit: a stored device whose file is in the program by now is not opened at the next start', async () => {
  const [path, link] = [newModule(), join(elsewhere, 'moved.log')]
  expect((await enable(link, { prefix: 'globalThis.planted = true//' })).status).toBe(204)
  await rm(link)
  await symlink(path, link)
  const started = await ownApp({ beside: app, settings: { dataDir } })
  expect((await started.root.get('/v1/sys/policies/acl/default')).status).toBe(500)
  expect(existsSync(path)).toBe(false)
})

test.each([
  ['a database', 'holdfast.db', 'SQLite format 3\0 and pages', 'is a file of the server itself'],
  ['an empty log of a database', 'other.db-wal', '', 'is a file of the server itself'],
  ['a key', 'seal.key', 'c2VjcmV0\n', 'is a file of the server itself'],
  ['JSON of another kind', 'facts', '{\n  "address": "https://127.0.0.1:8200"\n}\n', 'holds data of this server'],
])(
  'audit: %s in the data directory gets 400 as file_path, also by a symlink, and stays unchanged',
  async (_name, name, content, text) => {
    const path = join(dataDir, name)
    await writeFile(path, content)
    await symlink(path, join(elsewhere, name))
    for (const way of [path, join(dataDir, 'none', '..', name), join(elsewhere, name)]) {
      expect(await enable(way, { skip_test: 'true' })).toMatchObject({
        status: 400,
        body: { errors: [expect.stringContaining(text)] },
      })
    }
    expect(await readFile(path, 'utf8')).toBe(content)
    expect((await app.root.get('/v1/sys/audit')).body.data).toEqual({})
  },
)

test('audit: a log in the data directory can be enabled again and again, with any prefix', async () => {
  const path = join(dataDir, 'audit.log')
  await writeFile(path, '')
  for (const prefix of ['', '@cee: ', '']) {
    expect((await enable(path, { prefix })).status).toBe(204)
    await app.root.delete('/v1/sys/audit/file')
  }
})

// /proc/version cannot be written by anybody, so a failing test does no harm.
test.skipIf(process.platform !== 'linux')(
  'audit: a file of the operating system gets 400 as file_path, also by a symlink',
  async () => {
    await symlink('/proc/version', join(elsewhere, 'version'))
    for (const way of ['/proc/version', join(elsewhere, 'version')]) {
      expect(await enable(way, { skip_test: 'true' })).toMatchObject({
        status: 400,
        body: { errors: [expect.stringContaining('lies in /proc, which is closed')] },
      })
    }
  },
)

// Nobody can make files in /proc, so a failing test does no harm.
test.skipIf(process.platform !== 'linux')(
  'audit: a new file in a folder from which a link leads into the operating system gets 400',
  async () => {
    await symlink('/proc', join(elsewhere, 'proc'))
    await symlink(join(elsewhere, 'proc', 'new.log'), join(elsewhere, 'dangling.log'))
    for (const way of [join(elsewhere, 'proc', 'new.log'), join(elsewhere, 'dangling.log')]) {
      const errors = [expect.stringContaining("leads to '/proc/new.log', and that lies in /proc, which is closed")]
      expect(await enable(way, { skip_test: 'true' })).toMatchObject({ status: 400, body: { errors } })
    }
    expect((await app.root.get('/v1/sys/audit')).body.data).toEqual({})
    await symlink(elsewhere, join(elsewhere, 'here'))
    expect((await enable(join(elsewhere, 'here', 'new.log'))).status).toBe(204)
  },
)

test('audit: a file outside of the data directory may have other content, but not with a prefix', async () => {
  const path = join(elsewhere, 'shared.log')
  await writeFile(path, 'something else was here\n')
  const refusal = { status: 400, body: { errors: [expect.stringContaining('begins with something else: choose')] } }
  expect(await enable(path, { prefix: '@daily id #' })).toMatchObject(refusal)
  expect((await enable(path)).status).toBe(204)
  await app.root.delete('/v1/sys/audit/file')
  expect(await enable(path, { prefix: '@daily id #' })).toMatchObject(refusal)
})

test('audit: a directory inside the data directory gets 400', async () => {
  const path = join(dataDir, 'folder')
  await mkdir(path)
  const errors = [expect.stringContaining('it is neither a file nor a character device')]
  expect(await enable(path)).toMatchObject({ status: 400, body: { errors } })
})

test('audit: a new file below /dev or in the folders of people gets 400, and a device that exists works', async () => {
  for (const way of ['/dev/new-by-a-test', '/root/.ssh/authorized_keys', '/var/spool/cron/root', '/home/new/audit.log'])
    expect(await enable(way, { skip_test: 'true' })).toMatchObject({
      status: 400,
      body: { errors: [expect.stringContaining('which is closed')] },
    })
  expect((await enable('/dev/null')).status).toBe(204)
})

test('audit: server mode takes only files below the roots of the setting, and goes on with one from before', async () => {
  const [open, other] = [join(elsewhere, 'open'), join(elsewhere, 'other')]
  for (const folder of [open, other]) await mkdir(folder)
  expect((await enable(join(other, 'old.log'))).status).toBe(204)
  const { log, text } = recordingLog()
  const settings = { dataDir, mode: 'server', localPaths: [open], nodeName: 'served' } as const
  const served = await ownApp({ beside: app, settings, log })
  const put = (name: string, path: string) =>
    served.root.put(`/v1/sys/audit/${name}`, { type: 'file', options: { file_path: path } })
  expect((await served.root.get('/v1/sys/mounts')).status).toBe(200)
  expect(text()).toMatch(/"device":"file\/".*lies outside of the folders that are open.*could not be enabled anew/)
  const outside = await put('outside', join(other, 'new.log'))
  expect(outside).toMatchObject({ status: 400, body: { errors: [expect.stringContaining(`a folder below ${open}`)] } })
  expect(outside.body.errors[0]).toContain('local_paths.allow')
  await symlink(other, join(open, 'out'))
  expect((await put('linked', join(open, 'out', 'new', 'audit.log'))).status).toBe(400)
  expect(existsSync(join(other, 'new'))).toBe(false)
  for (const path of [join(open, 'a', 'new.log'), join(dataDir, 'served.log'), 'discard', '/dev/null']) {
    expect((await put('fine', path)).status).toBe(204)
    await served.root.delete('/v1/sys/audit/fine')
  }
})
