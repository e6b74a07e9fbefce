import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { ROOT } from '../../../../scripts/setup/root.mjs'
import { sharedFolder } from '../../../../test/support/folders.ts'
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
        errors: [expect.stringContaining('is in the directory of the program itself: choose a file outside of')],
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
  ['a database', 'holdfast.db', 'SQLite format 3\0 and pages'],
  ['a key', 'seal.key', 'c2VjcmV0\n'],
  ['JSON of another kind', 'dev.json', '{\n  "address": "https://127.0.0.1:8200"\n}\n'],
])(
  'audit: %s in the data directory gets 400 as file_path, also by a symlink, and stays unchanged',
  async (_name, name, content) => {
    const path = join(dataDir, name)
    await writeFile(path, content)
    await symlink(path, join(elsewhere, name))
    for (const way of [path, join(dataDir, 'none', '..', name), join(elsewhere, name)]) {
      expect(await enable(way, { skip_test: 'true' })).toMatchObject({
        status: 400,
        body: { errors: [expect.stringContaining('holds data of this server')] },
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
        body: { errors: [expect.stringContaining('holds data of the operating system')] },
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
      const errors = [
        expect.stringContaining("leads to '/proc/new.log', which is in a directory of the operating system"),
      ]
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
