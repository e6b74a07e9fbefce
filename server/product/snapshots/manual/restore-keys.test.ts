import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { type Engine, eachEngine } from '../../../../test/support/databases.ts'
import { ownApp } from '../../../../test/support/shared.ts'
import { saveSnapshot, sendSnapshot } from '../../../../test/support/snapshot-calls.ts'
import type { TestApp } from '../../../../test/support/test-app.ts'
import { Keyring } from '../../../crypto/keyring.ts'
import { decodeRootKey } from '../../../crypto/root-keys/root-key.ts'

// Each archive is read and restored by threads of its own, which take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const force = (app: TestApp, bytes: Buffer, headers: Record<string, string> = {}) =>
  sendSnapshot(app, bytes, { at: '-force', headers })

test('force restore: the recovery key of the old server opens its secrets; a wrong one is 400', async () => {
  const [app, other] = [await ownApp(), await ownApp()]
  const key = app.app.initialised?.recoveryKey?.toString('base64') ?? ''
  const archive = await saveSnapshot(app)
  const wrong = await force(other, archive, { 'X-Holdfast-Recovery-Key': Buffer.alloc(32).toString('base64') })
  expect([wrong.status, wrong.body.errors]).toEqual([400, [expect.stringContaining('does not belong to the server')]])
  const malformed = await force(other, archive, { 'X-Holdfast-Recovery-Key': 'short' })
  expect(malformed.status).toBe(400)
  expect((await other.root.get('/v1/sys/policies/acl/default')).status).toBe(200)
  const { status, body } = await force(other, archive, { 'X-Holdfast-Recovery-Key': key })
  expect(status).toBe(200)
  expect(body.data.sealed).toBe(false)
  expect((await other.root.as(app.rootToken).get('/v1/auth/token/lookup-self')).status).toBe(200)
})

test('force restore: after a Shamir-sealed snapshot the server is unsealed with its key shares', async () => {
  const shamir = await ownApp({
    settings: { seal: { type: 'shamir', rootKey: { kind: 'file', path: '/nonexistent' } } },
  })
  const made = (await shamir.anonymous.post('/v1/sys/init', { secret_shares: 3, secret_threshold: 2 })).body
  for (const key of made.keys.slice(0, 2)) await shamir.anonymous.post('/v1/sys/unseal', { key })
  const archive = await saveSnapshot(shamir, made.root_token)
  const other = await ownApp()
  const { body } = await force(other, archive)
  expect(body.data.sealed).toBe(true)
  expect(body.warnings.join()).toContain('give 2 of its 3 key shares')
  const seal = (await other.anonymous.get('/v1/sys/seal-status')).body
  expect(seal).toMatchObject({ type: 'shamir', sealed: true, t: 2, n: 3, progress: 0 })
  for (const key of made.keys.slice(1)) await other.anonymous.post('/v1/sys/unseal', { key })
  expect((await other.root.as(made.root_token).get('/v1/auth/token/lookup-self')).status).toBe(200)
})

/** A server and a second one restored by force from its snapshot, with the same root key or with one of its own. */
async function pair(engine: Engine, isSameKey: boolean): Promise<{ first: TestApp; second: TestApp; key: string }> {
  const first = await ownApp({ engine })
  const key = (await readFile(join(first.deps.settings.dataDir, 'seal.key'), 'utf8')).trim()
  const rootKey = { kind: 'file', path: join(first.deps.settings.dataDir, 'seal.key') } as const
  const second = await ownApp({ engine, ...(isSameKey ? { settings: { seal: { type: 'auto', rootKey } } } : {}) })
  const taken = await force(second, await saveSnapshot(first), isSameKey ? {} : { 'X-Holdfast-Seal-Key': key })
  expect([taken.status, taken.body.data?.sealed]).toEqual([200, false])
  return { first, second, key }
}

const restored = async (app: TestApp, token: string, archive: Buffer): Promise<number> =>
  (await sendSnapshot(app, archive, { token })).status

eachEngine((engine) => {
  /** Keys are the same to both engines. */
  const sqliteTest = test.runIf(engine === 'sqlite')

  sqliteTest('restore: encryption keys rotated on the source server come with its snapshot', async () => {
    const { first, second } = await pair(engine, true)
    const older = await saveSnapshot(first)
    await first.root.post('/v1/sys/rotate')
    await first.root.post('/v1/cubbyhole/new', { value: 'sealed with the new key' })
    const there = second.root.as(first.rootToken)
    expect(await restored(second, first.rootToken, await saveSnapshot(first))).toBe(200)
    expect((await there.get('/v1/cubbyhole/new')).body.data).toEqual({ value: 'sealed with the new key' })
    expect((await there.get('/v1/sys/key-status')).body.data.term).toBe(2)
    expect(await restored(second, first.rootToken, older)).toBe(200)
    expect((await there.get('/v1/sys/key-status')).body.data.term).toBe(2)
    // Both servers rotate to a key of the same term; the snapshot needs that of the first server.
    await first.root.post('/v1/sys/rotate')
    await there.post('/v1/sys/rotate')
    await first.root.post('/v1/cubbyhole/newer', { value: 'sealed with the third' })
    expect(await restored(second, first.rootToken, await saveSnapshot(first))).toBe(200)
    expect((await there.get('/v1/cubbyhole/newer')).body.data).toEqual({ value: 'sealed with the third' })
  })

  sqliteTest('restore: a key that our root key cannot open is 400; force with the seal key accepts it', async () => {
    const { first, second, key } = await pair(engine, false)
    expect(await restored(second, first.rootToken, await saveSnapshot(first))).toBe(200)
    await first.root.post('/v1/sys/rotate')
    await first.root.post('/v1/cubbyhole/new', { value: 'sealed with the new key' })
    const archive = await saveSnapshot(first)
    expect(await restored(second, first.rootToken, archive)).toBe(400)
    const inspected = await sendSnapshot(second, archive, { at: '/inspect', token: first.rootToken })
    expect(inspected.body).toMatchObject({ data: { same_keys: false } })
    const asked = { 'X-Service-Token': first.rootToken, 'X-Holdfast-Seal-Key': key }
    expect((await force(second, archive, asked)).body.data.sealed).toBe(false)
    expect((await second.root.as(first.rootToken).get('/v1/cubbyhole/new')).status).toBe(200)
  })

  sqliteTest(
    'force restore: with the seal key, the keys are wrapped by the root key of the new server alone',
    async () => {
      const { second, key } = await pair(engine, false)
      const { wrapped } = await second.deps.db.selectFrom('seal').select('wrapped').executeTakeFirstOrThrow()
      const own = await readFile(join(second.deps.settings.dataDir, 'seal.key'), 'utf8')
      const open = (text: string) => Keyring.open(second.deps, wrapped, decodeRootKey(text, 'a test')).id
      expect(open(own)).toBe(second.deps.keyring.id)
      expect(() => open(key)).toThrow()
    },
  )

  test('force restore: another node of the database follows with keys and caches', async () => {
    const [old, one] = [await ownApp({ engine: 'sqlite' }), await ownApp({ engine })]
    const two = await ownApp({ engine, beside: one })
    await old.root.post('/v1/sys/policies/acl/mine', { policy: 'path "a" { capabilities = ["read"] }' })
    expect((await two.root.get('/v1/sys/policies/acl/mine')).status).toBe(404)
    const key = (await readFile(join(old.deps.settings.dataDir, 'seal.key'), 'utf8')).trim()
    expect((await force(one, await saveSnapshot(old), { 'X-Holdfast-Seal-Key': key })).status).toBe(200)
    await expect
      .poll(async () => (await two.root.as(old.rootToken).get('/v1/sys/policies/acl/mine')).status, { timeout: 10_000 })
      .toBe(200)
    expect((await two.root.get('/v1/sys/policies/acl/mine')).status).toBe(403)
  })

  test('force restore: without a key every node of the database is sealed', async () => {
    const [old, one] = [await ownApp({ engine: 'sqlite' }), await ownApp({ engine })]
    const two = await ownApp({ engine, beside: one })
    expect((await force(one, await saveSnapshot(old))).body.data.sealed).toBe(true)
    await expect
      .poll(async () => (await two.root.get('/v1/sys/policies/acl/default')).status, { timeout: 10_000 })
      .toBe(503)
  })
})
