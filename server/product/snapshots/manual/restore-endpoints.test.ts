import { readdir, readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { eachEngine, testEngines } from '../../../../test/support/databases.ts'
import { doc, mustBe, organization, person, workspaceIn } from '../../../../test/support/platform.ts'
import { ownApp } from '../../../../test/support/shared.ts'
import { saveSnapshot, sendSnapshot, snapshotPath, tableDigests } from '../../../../test/support/snapshot-calls.ts'
import type { TestApp } from '../../../../test/support/test-app.ts'
import { secret } from '../../../kernel/secret.ts'
import { restore as restoreHere } from './restore-actions.ts'

// Each archive is read and restored by threads of its own, which take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const policy = (name: string) => `/v1/sys/policies/acl/${name}`
const text = { policy: 'path "a" { capabilities = ["read"] }' }

test('restore: without a token it is 403', async () => {
  const app = await ownApp()
  expect((await app.anonymous.post(snapshotPath, undefined, { raw: 'x' })).status).toBe(403)
})

test('restore: a stalled upload does not block another restore', async () => {
  const app = await ownApp()
  const archive = await saveSnapshot(app)
  const headers = { 'X-Service-Token': app.rootToken, 'Content-Length': archive.length }
  const stalled = request(`${app.url}${snapshotPath}`, { method: 'POST', headers })
  onTestFinished(() => void stalled.destroy())
  stalled.on('error', () => undefined)
  stalled.write(archive.subarray(0, 1_000))
  const spooled = () => readdir(join(app.deps.settings.dataDir, 'spool'), { recursive: true })
  const begun = expect.arrayContaining([expect.stringMatching(/archive\.snap$/)])
  await vi.waitFor(async () => expect(await spooled()).toEqual(begun), { timeout: 30_000 })
  expect((await sendSnapshot(app, archive)).status).toBe(200)
})

test('restore: a second restore is 400 while the first is running', async () => {
  const app = await ownApp()
  const archive = await saveSnapshot(app)
  const arrived = Promise.withResolvers<void>()
  const source = async function* () {
    yield archive
    arrived.resolve()
  }
  const terms = { force: false, key: undefined, signal: new AbortController().signal }
  const first = restoreHere(app.deps, source(), terms)
  await arrived.promise
  await setImmediate()
  const { status, body } = await sendSnapshot(app, archive)
  expect({ status, errors: body.errors }).toEqual({
    status: 400,
    errors: ['A restore is in progress; wait until it has finished.'],
  })
  await first
  expect((await sendSnapshot(app, archive)).status).toBe(200)
})

eachEngine((engine) => {
  /** What is decided before the engine is asked, or after it has answered. */
  const sqliteTest = test.runIf(engine === 'sqlite')

  test('restore: brings back a value of many megabytes', async () => {
    const app = await ownApp({ engine })
    const value = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`part-${at}`, 'x'.repeat(1024 * 1024)]))
    expect((await app.root.post('/v1/cubbyhole/big', value)).status).toBe(204)
    const archive = await saveSnapshot(app)
    await app.root.delete('/v1/cubbyhole/big')
    expect((await sendSnapshot(app, archive)).status).toBe(200)
    expect((await app.root.get('/v1/cubbyhole/big')).body.data).toEqual(value)
  })

  test('restore: brings back deleted data, removes newer data and invalidates caches', async () => {
    const app = await ownApp({ engine })
    await app.root.post(policy('before'), text)
    const archive = await saveSnapshot(app)
    const saved = await tableDigests(app)
    await app.root.post(policy('after'), text)
    await app.root.delete(policy('before'))
    expect((await app.root.get(policy('before'))).status).toBe(404)
    const { status, body } = await sendSnapshot(app, archive)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ same_cluster: true, sealed: false, tokens: { revived: 0 } })
    expect((await app.root.get(policy('before'))).status).toBe(200)
    expect((await app.root.get(policy('after'))).status).toBe(404)
    expect(await tableDigests(app)).toEqual(saved)
    await app.root.post(policy('later'), text)
    expect((await app.root.get(policy('later'))).status).toBe(200)
    expect(await readdir(join(app.deps.settings.dataDir, 'spool'))).toEqual([])
  })

  test('restore: another node shows the restored data from its next request on', async () => {
    const app = await ownApp({ engine })
    const other = await ownApp({ beside: app })
    const ann = await person(app, 'ann')
    const id = await workspaceIn(await organization(ann, 'acme'), { description: 'before' })
    const at = `/api/v2/workspaces/${id}`
    const there = other.anonymous.as(ann.token)
    const shown = async () => {
      const { attributes } = mustBe(await there.get(at), 200).body.data
      return [attributes.description, attributes.locked, (await other.root.get(policy('moving'))).body.data?.policy]
    }
    await app.root.post(policy('moving'), text)
    expect(await shown()).toEqual(['before', false, text.policy])
    const archive = await saveSnapshot(app)
    await app.root.delete(policy('moving'))
    mustBe(await ann.patch(at, doc('workspaces', { description: 'after' })), 200)
    mustBe(await there.post(`${at}/actions/lock`), 200)
    expect(await shown()).toEqual(['after', true, undefined])
    expect((await sendSnapshot(app, archive)).status).toBe(200)
    expect(await shown()).toEqual(['before', false, text.policy])
    mustBe(await there.post(`${at}/actions/lock`), 200)
  })

  test('restore: revived tokens are counted and reported; revoke-tokens or ?revoke_tokens ends them', async () => {
    const app = await ownApp({ engine })
    const token = (await app.root.post('/v1/auth/token/create', { ttl: '1h' })).body.auth.client_token as string
    const lookUp = () => app.root.as(token).get('/v1/auth/token/lookup-self')
    const archive = await saveSnapshot(app)
    await app.root.post('/v1/auth/token/revoke', { token })
    expect((await lookUp()).status).toBe(403)
    const { body } = await sendSnapshot(app, archive)
    expect(body.data.tokens).toMatchObject({ revived: 1 })
    expect(body.warnings?.join()).toContain('1 of the restored tokens')
    expect((await lookUp()).status).toBe(200)
    const revoked = await app.root.post(`${snapshotPath}/revoke-tokens`)
    expect(revoked.body.data).toEqual({ tokens: 1, api_tokens: 0, sessions: 0 })
    expect((await lookUp()).status).toBe(403)
    await sendSnapshot(app, archive, { at: '?revoke_tokens=true' })
    expect((await lookUp()).status).toBe(403)
  })

  sqliteTest('restore: a warning names the audit devices that were removed and opened', async () => {
    const app = await ownApp({ engine })
    const enable = async (name: string) => {
      const options = { file_path: join(app.deps.settings.dataDir, `${name}.log`) }
      expect((await app.root.put(`/v1/sys/audit/${name}`, { type: 'file', options })).status).toBe(204)
    }
    await enable('kept')
    await enable('old')
    const archive = await saveSnapshot(app)
    await app.root.delete('/v1/sys/audit/old')
    await enable('new')
    const told = 'The audit devices are those of the snapshot now (gone: new/; opened: old/).'
    expect((await sendSnapshot(app, archive)).body.warnings).toEqual([told])
    expect((await sendSnapshot(app, archive)).body.warnings).toBeNull()
  })

  sqliteTest(
    'restore: a foreign snapshot needs force; with force and its seal key it takes effect at once',
    async () => {
      const [app, other] = [await ownApp({ engine }), await ownApp({ engine })]
      await app.root.post(policy('mine'), text)
      await app.root.post('/v1/sys/storage/raft/snapshot-auto/config/nightly', {
        interval: '24h',
        path_prefix: '/tmp/x',
        storage_type: 'local',
        local_max_space: 1_000_000,
      })
      const archive = await saveSnapshot(app)
      const saved = await tableDigests(other)
      const refused = await sendSnapshot(other, archive)
      expect(refused.status).toBe(400)
      expect(refused.body.errors?.[0]).toMatch(/seal keys of another server.*force/)
      expect(await tableDigests(other)).toEqual(saved)
      const key = (await readFile(join(app.deps.settings.dataDir, 'seal.key'), 'utf8')).trim()
      const wrong = await sendSnapshot(other, archive, {
        at: '-force',
        headers: { 'X-Holdfast-Seal-Key': key.replace(/^./, (first) => (first === '1' ? '2' : '1')) },
      })
      expect(wrong.status).toBe(400)
      expect(await tableDigests(other)).toEqual(saved)
      const { status, body } = await sendSnapshot(other, archive, {
        at: '-force',
        headers: { 'X-Holdfast-Seal-Key': key },
      })
      expect(status).toBe(200)
      expect(body.data).toMatchObject({ same_cluster: false, sealed: false })
      const root = other.root.as(app.rootToken)
      expect((await root.get(policy('mine'))).status).toBe(200)
      const status2 = await root.get('/v1/sys/storage/raft/snapshot-auto/status/nightly')
      expect(status2.body.data.state).toBe('paused')
    },
  )

  sqliteTest('restore: forcing a foreign snapshot without its key seals the server (503)', async () => {
    const [app, other] = [await ownApp({ engine }), await ownApp({ engine })]
    const archive = await saveSnapshot(app)
    const { status, body } = await sendSnapshot(other, archive, { at: '-force' })
    expect(status).toBe(200)
    expect(body.data.sealed).toBe(true)
    expect((await other.anonymous.get('/v1/sys/seal-status')).body).toMatchObject({ sealed: true, initialized: true })
    expect((await other.root.get(policy('default'))).status).toBe(503)
  })
})

test.skipIf(testEngines.length < 2)('restore: SQLite to PostgreSQL and back keeps the table digests', async () => {
  const rootKey = { kind: 'value', name: 'HOLDFAST_SEAL_KEY' } as const
  const settings = { seal: { type: 'auto', rootKey: { ...rootKey, value: secret('ab'.repeat(32)) } } } as const
  const [first, second, third] = [
    await ownApp({ engine: 'sqlite', settings }),
    await ownApp({ engine: 'postgres', settings }),
    await ownApp({ engine: 'sqlite', settings }),
  ]
  for (let index = 0; index < 50; index++) await first.root.post(policy(`p${index}`), text)
  const saved = await tableDigests(first)
  const archive = await saveSnapshot(first)
  // The three have the same root key, so none needs force.
  expect((await sendSnapshot(second, archive)).status).toBe(200)
  const asFirst = (app: TestApp): TestApp => ({
    ...app,
    rootToken: first.rootToken,
    root: app.root.as(first.rootToken),
  })
  expect(await tableDigests(second)).toEqual({ ...saved, seal: expect.anything() })
  const onward = await saveSnapshot(asFirst(second))
  expect((await sendSnapshot(third, onward)).status).toBe(200)
  expect(await tableDigests(third)).toEqual({ ...saved, seal: expect.anything() })
  expect((await asFirst(third).root.get(policy('p7'))).status).toBe(200)
})
