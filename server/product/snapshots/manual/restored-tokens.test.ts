import { expect, test, vi } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { ownApp } from '../../../../test/support/shared.ts'
import { saveSnapshot, sealKeyHeader, sendSnapshot, snapshotPath } from '../../../../test/support/snapshot-calls.ts'
import type { TestApp } from '../../../../test/support/test-app.ts'

// Each archive is read and restored by threads of its own, which take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

async function restore(app: TestApp, token: string, archive: Buffer, headers: Record<string, string> = {}) {
  const { status, body } = await sendSnapshot(app, archive, { at: '-force?revoke_tokens=true', token, headers })
  expect(status).toBe(200)
  return { revoked: body.data.tokens_revoked, warnings: (body.warnings ?? []).join('\n') }
}

async function createToken(app: TestApp, terms: object = {}, by = app.rootToken): Promise<string> {
  const { status, body } = await app.root.as(by).post('/v1/auth/token/create', terms)
  expect(status).toBe(200)
  return body.auth.client_token
}

const works = async (app: TestApp, token: string) =>
  (await app.root.as(token).get('/v1/auth/token/lookup-self')).status === 200

const revoke = (app: TestApp, token: string) => app.root.as(token).post(`${snapshotPath}/revoke-tokens`)

eachEngine((engine) => {
  /** The tests about parents run the same statements on both engines. */
  const sqliteTest = test.runIf(engine === 'sqlite')

  sqliteTest('revoke-tokens: the token of the call stays valid, all others of another server are revoked', async () => {
    const [real, drill] = [await ownApp({ engine }), await ownApp({ engine })]
    const other = await createToken(real, { no_parent: true, ttl: '1h' })
    const archive = await saveSnapshot(real)
    const { revoked, warnings } = await restore(drill, drill.rootToken, archive, await sealKeyHeader(real))
    expect(revoked).toBe(false)
    expect(warnings).toContain('They were not revoked')
    expect([await works(drill, real.rootToken), await works(drill, other)]).toEqual([true, true])
    const { body } = await revoke(drill, real.rootToken)
    expect(body.data).toMatchObject({ tokens: 1 })
    expect(body.warnings).toEqual([expect.stringContaining('stay valid (1)')])
    expect([await works(drill, real.rootToken), await works(drill, other)]).toEqual([true, false])
  })

  test('revoke-tokens: the parents of the calling token stay valid too, until another token calls', async () => {
    const [real, drill] = [await ownApp({ engine }), await ownApp({ engine })]
    const parent = await createToken(real, { no_parent: true, policies: ['root'], ttl: '2h' })
    const child = await createToken(real, { policies: ['root'], ttl: '1h' }, parent)
    const archive = await saveSnapshot(real)
    await restore(drill, drill.rootToken, archive, await sealKeyHeader(real))
    expect((await revoke(drill, child)).body.data).toMatchObject({ tokens: 1 })
    const alive = async () => Promise.all([real.rootToken, parent, child].map((token) => works(drill, token)))
    expect(await alive()).toEqual([false, true, true])
    const next = await createToken(drill, { no_parent: true, policies: ['root'], ttl: '1h' }, child)
    expect((await revoke(drill, next)).body.data).toMatchObject({ tokens: 2 })
    expect(await alive()).toEqual([false, false, false])
    expect(await works(drill, next)).toBe(true)
  })

  sqliteTest('restore: revoke_tokens revokes nothing if the calling token is younger than the snapshot', async () => {
    const app = await ownApp({ engine })
    const token = await createToken(app, { ttl: '1h' })
    const archive = await saveSnapshot(app)
    const young = await createToken(app, { no_parent: true, policies: ['root'], ttl: '1h' })
    await app.root.post('/v1/auth/token/revoke', { token })
    const { revoked, warnings } = await restore(app, young, archive)
    expect([revoked, await works(app, young), await works(app, token)]).toEqual([false, false, true])
    expect(warnings).toContain('POST to sys/storage/raft/snapshot/revoke-tokens with a restored token')
    expect((await revoke(app, app.rootToken)).body).toMatchObject({ data: { tokens: 1 }, warnings: null })
    expect(await works(app, token)).toBe(false)
  })

  test('revoke-tokens: hundreds are revoked in steps, and only those that were revived', async () => {
    const app = await ownApp({ engine })
    const { db } = app.deps
    await createToken(app, { no_parent: true, ttl: '1h', display_name: 'copied' })
    const copies = 600
    const [copied] = await db.selectFrom('tokens').selectAll().where('display_name', '=', 'token-copied').execute()
    for (let n = 0; n <= copies; n++) {
      const id = `copy-${n}`
      await db
        .insertInto('tokens')
        .values({ ...copied, id, accessor: id } as never)
        .execute()
      if (n > 0) await db.insertInto('restored_tokens').values({ kind: 'tokens', id }).execute()
    }
    expect((await revoke(app, app.rootToken)).body).toMatchObject({ data: { tokens: copies }, warnings: null })
    const left = db.selectFrom('tokens').select('id').where('id', 'like', 'copy-%').where('revoked', '=', 0)
    expect(await left.execute()).toEqual([{ id: 'copy-0' }])
    expect(await db.selectFrom('restored_tokens').selectAll().execute()).toEqual([])
    expect((await revoke(app, app.rootToken)).body).toMatchObject({ data: { tokens: 0 } })
  })

  test('restore: revoke_tokens spares a parent that the calling token has again', async () => {
    const app = await ownApp({ engine })
    const parent = await createToken(app, { no_parent: true, policies: ['root'], ttl: '2h' })
    const child = await createToken(app, { policies: ['root'], ttl: '1h' }, parent)
    const other = await createToken(app, { ttl: '1h' })
    const archive = await saveSnapshot(app)
    await app.root.post('/v1/auth/token/revoke-orphan', { token: parent })
    await app.root.post('/v1/auth/token/revoke', { token: other })
    const { revoked, warnings } = await restore(app, child, archive)
    expect(revoked).toBe(true)
    expect(warnings).toMatch(/^1 of the restored tokens.*revoked\.\n.*stay valid \(1\)/)
    expect(await Promise.all([parent, child, other].map((each) => works(app, each)))).toEqual([true, true, false])
  })

  sqliteTest('restore: revoke_tokens by a batch token works as long as its parent and the keys stay', async () => {
    const app = await ownApp({ engine })
    const all = 'path "*" { capabilities = ["create", "update", "read", "sudo"] }'
    await app.root.post('/v1/sys/policies/acl/all', { policy: all })
    const token = await createToken(app, { ttl: '1h' })
    const archive = await saveSnapshot(app)
    await app.root.post('/v1/auth/token/revoke', { token })
    const batch = await createToken(app, { type: 'batch', policies: ['all'], ttl: '1h', no_parent: true })
    expect(await restore(app, batch, archive)).toMatchObject({ revoked: true })
    expect([await works(app, batch), await works(app, token)]).toEqual([true, false])
    const young = await createToken(app, { no_parent: true, policies: ['root'], ttl: '1h' })
    const hanging = await createToken(app, { type: 'batch', policies: ['all'], ttl: '1h' }, young)
    expect(await restore(app, hanging, archive)).toMatchObject({ revoked: false })
  })
})
