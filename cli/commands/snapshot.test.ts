import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { startJobs } from '../../server/jobs/runner.ts'
import type { Job } from '../../server/kit/job.ts'
import { verifyJobKind } from '../../server/product/snapshots/schedule/schedule.ts'
import { snapshotJobs } from '../../server/product/snapshots/schedule/schedule-actions.ts'
import { clientEnvironment, runCommand } from '../../test/support/command-line.ts'
import { ownFolder, sharedFolder } from '../../test/support/folders.ts'
import { ownApp } from '../../test/support/shared.ts'
import { type TestApp, testApp } from '../../test/support/test-app.ts'

// The server restores in threads of its own, which take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

let app: TestApp
let other: TestApp
const directory = sharedFolder()

beforeAll(async () => {
  app = await testApp()
  other = await testApp()
})
afterAll(async () => {
  await Promise.all([app.close(), other.close()])
})

const run = (args: readonly string[], server = app, isTerminal = false) =>
  runCommand(['snapshot', ...args], {
    environment: clientEnvironment(server.url, server.rootToken),
    directory,
    home: directory,
    isTerminal,
  })

const configure = (name: string, fields: object) =>
  app.root.post(`/v1/sys/storage/raft/snapshot-auto/config/${name}`, {
    interval: '24h',
    storage_type: 'local',
    local_max_space: 10_000_000,
    ...fields,
  })

const policy = (server: TestApp, name: string) =>
  server.root.post(`/v1/sys/policies/acl/${name}`, { policy: 'path "a" { capabilities = ["read"] }' })

test('save: --name without --config is refused before a snapshot is taken', async () => {
  const ended = await run(['save', 'named.snap', '--name', 'holdfast-snapshot-1603898241699731000.snap'])
  expect(ended).toMatchObject({ code: 1, out: '', err: expect.stringContaining('--name needs --config') })
  expect(existsSync(join(directory, 'named.snap'))).toBe(false)
})

test('snapshot save, inspect, verify, preview and restore', async () => {
  await policy(app, 'first')
  const saved = await run(['save', 'one.snap', '-format=json'], app, true)
  expect(saved.code).toBe(0)
  expect(saved.err).toMatch(/Saving one\.snap \[=+\] 100%/)
  const file = join(directory, 'one.snap')
  expect(JSON.parse(saved.out)).toMatchObject({ size: statSync(file).size })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  // Detected before the server is called.
  expect((await run(['save', 'one.snap', '--address', 'http://127.0.0.1:1'])).err).toContain('exists already')
  await policy(app, 'second')
  expect((await run(['inspect', 'one.snap'])).out).toMatch(/same_keys +true[\s\S]*policies +\d/)
  expect((await run(['verify', 'one.snap'])).out).toMatch(/ok +true/)
  expect((await run(['restore', '--preview', 'one.snap'])).out).toMatch(/policies +\d+ +\d+ +0 +1 +0/)
  const restored = await run(['restore', 'one.snap', '--yes', '-format=json'])
  expect(restored.code).toBe(0)
  expect(JSON.parse(restored.out)).toMatchObject({ same_cluster: true, sealed: false })
  expect((await app.root.get('/v1/sys/policies/acl/second')).status).toBe(404)
  expect((await app.root.get('/v1/sys/policies/acl/first')).status).toBe(200)
})

test('snapshot restore: another server needs --force, and stays unsealed with the old seal key', async () => {
  await policy(app, 'carried')
  await run(['save', 'two.snap'])
  expect(await run(['restore', '--yes', 'two.snap'], other)).toMatchObject({
    code: 2,
    err: expect.stringContaining('seal keys'),
  })
  writeFileSync(join(directory, 'old.key'), readFileSync(join(app.deps.settings.dataDir, 'seal.key')))
  const flags = ['--yes', '--force', '--seal-key', 'old.key', '--revoke-tokens', '-format=json']
  const forced = await run(['restore', ...flags, 'two.snap'], other)
  expect(JSON.parse(forced.out)).toMatchObject({ sealed: false, same_cluster: false, tokens_revoked: false })
  expect(forced.err).toContain('another installation')
  expect([forced.code, forced.err]).toEqual([2, expect.stringContaining('restored, but its tokens have not been')])
  expect((await other.root.as(app.rootToken).get('/v1/sys/policies/acl/carried')).status).toBe(200)
})

test('snapshot restore: audit devices that cannot be opened are named by the preview and explain the 500', async () => {
  const [real, drill] = [await ownApp(), await ownApp()]
  const folder = ownFolder()
  const options = { file_path: join(folder, 'logs', 'audit.log') }
  expect((await real.root.put('/v1/sys/audit/file', { type: 'file', options })).status).toBe(204)
  await run(['save', 'audited.snap'], real)
  expect((await real.root.delete('/v1/sys/audit/file')).status).toBe(204)
  rmSync(join(folder, 'logs'), { recursive: true })
  const preview = () => run(['restore', '--preview', 'audited.snap'], drill)
  expect((await preview()).err).not.toContain('audit devices')
  writeFileSync(join(folder, 'logs'), 'a file in its place')
  const seen = await preview()
  expect([seen.code, seen.err]).toEqual([
    0,
    expect.stringMatching(/Audit devices .* cannot be opened here: file\/\..*500/),
  ])
  writeFileSync(join(directory, 'real.key'), readFileSync(join(real.deps.settings.dataDir, 'seal.key')))
  const restored = await run(['restore', '--yes', '--force', '--seal-key', 'real.key', 'audited.snap'], drill)
  expect(restored).toMatchObject({ code: 2, err: expect.stringMatching(/with 500[\s\S]*disable-audit-device/) })
})

test('snapshot restore: nothing happens without a yes, typed or given', async () => {
  await run(['save', 'asked.snap'])
  await policy(app, 'later')
  const isThere = async () => (await app.root.get('/v1/sys/policies/acl/later')).status === 200
  const typed = (line: string) => {
    const keyboard = Object.assign(new PassThrough(), { setRawMode: () => undefined })
    keyboard.end(line)
    const environment = clientEnvironment(app.url, app.rootToken)
    return runCommand(['snapshot', 'restore', 'asked.snap'], { environment, directory, home: directory, keyboard })
  }
  const unasked = await run(['restore', 'asked.snap'])
  expect(unasked).toMatchObject({ code: 1, out: '', err: expect.stringContaining('Add --yes') })
  for (const line of ['', 'yes, please\n']) {
    const { code, out, err } = await typed(line)
    expect([line, code, out]).toEqual([line, 1, ''])
    expect(err).toMatch(/policies +\d+ +\d+ +0 +1 +0[\s\S]*This replaces everything that http.*\n.*Type yes to go on: /)
    expect(err).toMatch(/holdfast: Nothing was done\.\n$/)
  }
  expect(await isThere()).toBe(true)
  expect((await typed('yes\n')).code).toBe(0)
  expect(await isThere()).toBe(false)
})

test('snapshot restore: a key file without a key is named', async () => {
  writeFileSync(join(directory, 'ca.pem'), 'first line\nsecond line\n')
  writeFileSync(join(directory, 'any.snap'), '')
  const { code, err } = await run(['restore', '--force', '--seal-key', 'ca.pem', 'any.snap'])
  expect([code, err]).toEqual([1, 'holdfast: The file ca.pem holds no key: a key is one line of base64 or hex.\n'])
})

test('snapshot verify: a damaged file exits with 2, a missing one with 1', async () => {
  writeFileSync(join(directory, 'bad.snap'), 'no snapshot')
  const bad = await run(['verify', 'bad.snap'])
  expect(bad).toMatchObject({ code: 2, err: expect.stringContaining('not gzip') })
  expect(await run(['verify', 'nowhere.snap'])).toMatchObject({ code: 1, err: expect.stringContaining('ENOENT') })
  expect(existsSync(join(directory, 'nowhere.snap'))).toBe(false)
})

test('snapshot: files that cannot be written or read are reported before a server is called', async () => {
  const nowhere = ['--address', 'http://127.0.0.1:1']
  const target = join(directory, 'missing', 'a.snap')
  expect(await run(['save', target, ...nowhere])).toMatchObject({
    code: 1,
    err: `holdfast: The file ${target} cannot be written: its folder does not exist (ENOENT).\n`,
  })
  const below = join(directory, 'file', 'a.snap')
  writeFileSync(dirname(below), '')
  expect(await run(['save', below, ...nowhere])).toMatchObject({
    code: 1,
    err: `holdfast: The file ${below} cannot be written: part of its path is a file, not a folder (ENOTDIR).\n`,
  })
  expect(await run(['save', '-', ...nowhere])).toMatchObject({
    code: 1,
    err: expect.stringContaining('is saved to a file'),
  })
  expect(await run(['inspect', directory, ...nowhere])).toMatchObject({
    code: 1,
    err: `holdfast: The file ${directory} cannot be read: it is a folder (EISDIR).\n`,
  })
})

test('snapshot list: a server with the community licence answers enterprise-only', async () => {
  const community = await ownApp({ settings: { license: 'community' } })
  expect(await run(['list'], community)).toMatchObject({ code: 2, err: expect.stringContaining('enterprise-only') })
})

test('snapshot list: a missing configuration is an error, and one without snapshots gives an empty list', async () => {
  expect(await run(['list', 'nowhere'])).toMatchObject({
    code: 2,
    err: expect.stringContaining("there is no configuration 'nowhere'"),
  })
  await configure('idle', { path_prefix: join(directory, 'idle') })
  expect(await run(['list', 'idle', '-format=json'])).toMatchObject({ code: 0, out: '[]\n' })
  const saved = await run(['save', '--config', 'idle', 'idle.snap'])
  expect(saved).toMatchObject({ code: 1, err: "holdfast: No snapshot of 'idle' is stored.\n" })
  await app.root.delete('/v1/sys/storage/raft/snapshot-auto/config/idle')
})

test('snapshot run: waits for the end, and exits with 2 if no snapshot was taken', async () => {
  const runner = await startJobs(app.deps, snapshotJobs, { pollEvery: 20 })
  onTestFinished(() => runner.stop())
  await configure('now', { path_prefix: join(directory, 'now') })
  const taken = await run(['run', 'now'])
  expect(taken).toMatchObject({ code: 0, out: expect.stringMatching(/error *\n[\s\S]*url +file:/) })
  expect(taken.out).toMatch(/verified_at +20/)
  await configure('full', { path_prefix: join(directory, 'full'), local_max_space: 1 })
  expect(await run(['run', 'full'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('No snapshot was taken: writing snapshot: insufficient space'),
  })
  for (const name of ['now', 'full']) await app.root.delete(`/v1/sys/storage/raft/snapshot-auto/config/${name}`)
})

test('snapshot run: exits with 2 if the snapshot fails verification; verify=none is not waited for', async () => {
  const folder = join(directory, 'damaged')
  const damage = (job: Job): Job => ({
    ...job,
    run: async (deps, run) => {
      if (job.name === verifyJobKind) for (const name of readdirSync(folder)) writeFileSync(join(folder, name), 'bad')
      await job.run(deps, run)
    },
  })
  const runner = await startJobs(app.deps, snapshotJobs.map(damage), { pollEvery: 20 })
  onTestFinished(() => runner.stop())
  await configure('damaged', { path_prefix: folder })
  const bad = await run(['run', 'damaged'])
  expect(bad).toMatchObject({ code: 2, err: expect.stringContaining('stored, but it is not verified: ') })
  await configure('damaged', { path_prefix: folder, verify: 'none' })
  expect(await run(['run', 'damaged'])).toMatchObject({ code: 0, err: '' })
  await app.root.delete('/v1/sys/storage/raft/snapshot-auto/config/damaged')
})

test('snapshot check: shows what is allowed, and exits with 2 if something is missing', async () => {
  await configure('tried', { path_prefix: join(directory, 'tried') })
  expect(await run(['check', 'tried'])).toMatchObject({ code: 0, out: expect.stringMatching(/write +true +write the/) })
  writeFileSync(join(directory, 'file'), '')
  await configure('tried', { path_prefix: join(directory, 'file') })
  const failed =
    /cannot be used as it is\.\n {2}write the directory: .*file is not a directory\n {2}read the directory: .*\n {2}read files, write the directory: not tried, /
  expect(await run(['check', 'tried'])).toMatchObject({ code: 2, err: expect.stringMatching(failed) })
  await app.root.delete('/v1/sys/storage/raft/snapshot-auto/config/tried')
})

test('snapshot pause and resume: a paused configuration refuses to run until it is resumed', async () => {
  await configure('held', { path_prefix: join(directory, 'held') })
  expect(await run(['pause', 'held'])).toMatchObject({ code: 0, out: 'Paused: held\n' })
  expect(await run(['run', 'held'])).toMatchObject({
    code: 2,
    err: expect.stringContaining("'held' is paused; resume"),
  })
  expect(await run(['resume', 'held'])).toMatchObject({ code: 0, out: 'Resumed: held\n' })
  expect((await run(['list'])).out).toMatch(/held +scheduled/)
  await app.root.delete('/v1/sys/storage/raft/snapshot-auto/config/held')
})

test('snapshot list: shows the configurations, and an empty list if there are none', async () => {
  expect((await run(['list', '-format=json'])).out).toBe('[]\n')
  await configure('nightly', { path_prefix: join(directory, 'store') })
  expect((await run(['list'])).out).toMatch(/last_verified_at.*nightly +scheduled/s)
})
