import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { ownApp } from '../../../../test/support/shared.ts'
import type { TestApp } from '../../../../test/support/test-app.ts'
import { translateDiskFull } from '../../../archive/spool.ts'
import { renderV1Failure } from '../../../http/v1/errors.ts'
import type { Failure } from '../../../kernel/failure.ts'
import { translateSqlite } from '../../../storage/database-errors.ts'

// Each archive is read and restored by threads of its own, which take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const path = '/v1/sys/storage/raft/snapshot'

const saved = async (app: TestApp, token = app.rootToken): Promise<Response> =>
  await fetch(`${app.url}${path}`, { headers: { 'X-Service-Token': token } })

const send = async (app: TestApp, at: string, body: Uint8Array | string): Promise<Response> =>
  await fetch(`${app.url}${path}${at}`, { method: 'POST', headers: { 'X-Service-Token': app.rootToken }, body })

test('save: without a token it is 403', async () => {
  const app = await ownApp()
  expect((await app.anonymous.get(path)).status).toBe(403)
})

test('save: asking for a wrapped response is 400', async () => {
  const app = await ownApp()
  const headers = { 'X-Service-Token': app.rootToken, 'X-Service-Wrap-TTL': '60' }
  const answer = await fetch(`${app.url}${path}`, { headers })
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('cannot be wrapped')])
})

test('save, restore: a full disk is reported as 500 "insufficient space", whoever notices it', () => {
  const text = 'insufficient space: the disk has no room for the snapshot and a copy of the data'
  const full = Object.assign(new Error('full'), { errcode: 13 })
  for (const found of [Object.assign(new Error('write'), { code: 'ENOSPC' }), full, translateSqlite(full)]) {
    expect(renderV1Failure(translateDiskFull(found) as Failure)).toEqual({ status: 500, body: { errors: [text] } })
  }
})

const threads = '/proc/self/task'

test.skipIf(!existsSync(threads))('save: twelve concurrent requests succeed with few threads', async () => {
  const app = await ownApp()
  await (await saved(app)).arrayBuffer()
  const countThreads = () => readdirSync(threads).length
  const before = countThreads()
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, countThreads() - before)
  }, 1)
  onTestFinished(() => clearInterval(watch))
  const answers = await Promise.all(Array.from({ length: 12 }, () => saved(app)))
  for (const answer of answers) expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(1_000)
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200))
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThan(8)
})

eachEngine((engine) => {
  test('save: the archive has content-length, digest and content-disposition headers', async () => {
    const app = await ownApp({ engine })
    const answer = await saved(app)
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/gzip')
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment/)
    expect(Number(answer.headers.get('content-length'))).toBe(bytes.length)
    const digest = createHash('sha256').update(bytes).digest('base64')
    expect(answer.headers.get('digest')).toBe(`sha-256=${digest}`)
    await expect.poll(() => readdir(join(app.deps.settings.dataDir, 'spool'))).toEqual([])
  })

  test('preview: lists what a restore would add, remove and change, and changes nothing', async () => {
    const app = await ownApp({ engine })
    const policy = (name: string, text: string) => app.root.post(`/v1/sys/policies/acl/${name}`, { policy: text })
    const [read, list] = ['path "a" { capabilities = ["read"] }', 'path "a" { capabilities = ["list"] }']
    await policy('kept', read)
    await policy('deleted', read)
    await policy('edited', read)
    const bytes = Buffer.from(await (await saved(app)).arrayBuffer())
    await app.root.delete('/v1/sys/policies/acl/deleted')
    await policy('edited', list)
    await policy('new', read)
    const answer = (await (await send(app, '/preview', bytes)).json()) as { data: Record<string, unknown> }
    expect(answer.data).toMatchObject({ same_cluster: true, needs_force: false })
    expect(answer.data.tables).toMatchObject({
      policies: { examples: { added: ['deleted'], removed: ['new'], changed: ['edited'] } },
    })
    expect((await app.root.get('/v1/sys/policies/acl/new')).status).toBe(200)
  })

  test('inspect, verify: a saved snapshot has the same cluster and keys and verifies', async () => {
    const app = await ownApp({ engine })
    const bytes = Buffer.from(await (await saved(app)).arrayBuffer())
    const inspected = await send(app, '/inspect', bytes)
    expect(inspected.status).toBe(200)
    const { data } = (await inspected.json()) as { data: Record<string, unknown> }
    expect(data).toMatchObject({ same_cluster: true, same_keys: true, engine, age: 0, size: bytes.length })
    const verified = await send(app, '/verify', bytes)
    expect(((await verified.json()) as { data: object }).data).toMatchObject({ ok: true, problem: '', same_keys: true })
  })
})

test('inspect: invalid archives are 400; verify reports them with ok false', async () => {
  const app = await ownApp()
  const refused = await send(app, '/inspect', 'not gzip at all')
  expect(refused.status).toBe(400)
  expect(await refused.json()).toEqual({ errors: ['snapshot archive is not readable: it is not gzip, or damaged'] })
  const empty = await send(app, '/inspect', '')
  expect(await empty.json()).toEqual({ errors: ['snapshot archive is not readable: it is empty'] })
  const verified = await send(app, '/verify', 'not gzip at all')
  expect(await verified.json()).toMatchObject({ data: { ok: false, problem: expect.stringContaining('not gzip') } })
})

test('save: a sealed server answers 503', async () => {
  const app = await ownApp()
  app.deps.keyring.lock()
  expect((await saved(app)).status).toBe(503)
})
