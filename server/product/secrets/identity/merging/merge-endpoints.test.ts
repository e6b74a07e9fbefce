import { expect, test } from 'vitest'
import { ownCertApp } from '../../../../../test/support/cert-login.ts'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { ownApp } from '../../../../../test/support/shared.ts'
import { tokenCalls } from '../../../../../test/support/token-calls.ts'

const at = (path: string) => `/v1/identity/${path}`

eachEngine((engine) => {
  test('merging needs sudo and moves aliases; existing tokens then belong to the target', async () => {
    const app = await ownCertApp({ engine })
    const calls = await tokenCalls(app)
    await app.role('web', { certificate: app.ca.pem })
    const { auth } = (await app.login(app.leaf({ commonName: 'web' }))).body
    const stranger = (await app.login(app.leaf({ commonName: 'stranger' }))).body.auth
    await calls.policy('extra', 'path "auth/token/accessors" { capabilities = ["list", "sudo"] }')
    const target = (await app.root.post(at('entity'), { name: 'target', policies: ['extra'] })).body.data.id
    const login = app.root.as(auth.client_token)
    expect((await login.list('/v1/auth/token/accessors')).status).toBe(403)
    const merge = { from_entity_ids: [auth.entity_id], to_entity_id: target }
    await calls.policy('plain', 'path "identity/*" { capabilities = ["update"] }')
    const plain = calls.as(await calls.create({ policies: ['plain'] }))
    expect((await plain.post(at('entity/merge'), merge)).status).toBe(403)
    for (const bad of [
      {},
      { to_entity_id: target },
      { from_entity_ids: [target], to_entity_id: target },
      { from_entity_ids: ['nobody'], to_entity_id: target },
      { from_entity_ids: [target], to_entity_id: 'nobody' },
    ]) {
      expect((await app.root.post(at('entity/merge'), bad)).status, JSON.stringify(bad)).toBe(400)
    }
    expect((await app.root.post(at('entity/merge'), merge)).status).toBe(204)
    expect((await app.root.get(at(`entity/id/${auth.entity_id}`))).status).toBe(404)
    const { data } = (await app.root.get(at(`entity/id/${target}`))).body
    expect(data).toMatchObject({ merged_entity_ids: [auth.entity_id], aliases: [{ canonical_id: target }] })
    expect((await login.list('/v1/auth/token/accessors')).status).toBe(200)
    const again = (await app.login(app.leaf({ commonName: 'web' }))).body.auth
    expect(again.entity_id).toBe(target)
    const still = (await app.login(app.leaf({ commonName: 'stranger' }))).body.auth
    expect(still.entity_id).toBe(stranger.entity_id)
  })

  test('merging a disabled entity revives neither its tokens nor its policies; its alias is kept', async () => {
    const app = await ownCertApp({ engine })
    await app.role('web', { certificate: app.ca.pem })
    const { auth } = (await app.login(app.leaf({ commonName: 'web' }))).body
    await app.root.post(at(`entity/id/${auth.entity_id}`), { disabled: true, policies: ['powers'] })
    const target = (await app.root.post(at('entity'), { name: 'target', policies: ['own'] })).body.data.id
    const merge = { from_entity_ids: auth.entity_id, to_entity_id: target }
    expect((await app.root.post(at('entity/merge'), merge)).status).toBe(204)
    expect((await app.root.as(auth.client_token).get('/v1/auth/token/lookup-self')).status).toBe(403)
    const again = (await app.login(app.leaf({ commonName: 'web' }))).body.auth
    expect(again).toMatchObject({ entity_id: target, identity_policies: ['own'] })
  })

  test('tokens survive repeated merges, except those of an entity that was disabled', async () => {
    const app = await ownCertApp({ engine })
    await app.role('web', { certificate: app.ca.pem })
    const [kept, stopped] = [
      (await app.login(app.leaf({ commonName: 'kept' }))).body.auth,
      (await app.login(app.leaf({ commonName: 'stopped' }))).body.auth,
    ]
    const status = async ({ client_token }: { client_token: string }) =>
      (await app.root.as(client_token).get('/v1/auth/token/lookup-self')).status
    await app.root.post(at(`entity/id/${stopped.entity_id}`), { disabled: true })
    const [alias] = (await app.root.get(at(`entity/id/${kept.entity_id}`))).body.data.aliases
    let ids: string[] = [kept.entity_id, stopped.entity_id]
    for (const name of ['first', 'second', 'third']) {
      const to = (await app.root.post(at('entity'), { name })).body.data.id
      const merge = { from_entity_ids: ids, to_entity_id: to, conflicting_alias_ids_to_keep: [alias.id] }
      expect((await app.root.post(at('entity/merge'), merge)).status).toBe(204)
      expect([name, await status(kept), await status(stopped)]).toEqual([name, 200, 403])
      ids = [to]
    }
  })

  test('a merge leaves alone the tokens of those merged into somebody else before', async () => {
    const app = await ownCertApp({ engine })
    await app.role('web', { certificate: app.ca.pem })
    const logIn = async (commonName: string) => (await app.login(app.leaf({ commonName }))).body.auth
    const merge = async (from: string, to: string) => {
      const sent = { from_entity_ids: [from], to_entity_id: to }
      expect((await app.root.post(at('entity/merge'), sent)).status).toBe(204)
    }
    const [first, second] = [await logIn('first'), await logIn('second')]
    const [quiet, strong] = await Promise.all(
      [[], ['lister']].map(async (policies) => (await app.root.post(at('entity'), { policies })).body.data.id),
    )
    const policy = 'path "sys/policies/acl" { capabilities = ["list"] }'
    await app.root.put('/v1/sys/policies/acl/lister', { policy })
    await merge(first.entity_id, quiet)
    await merge(second.entity_id, strong)
    const lists = async (auth: { client_token: string }) =>
      (await app.root.as(auth.client_token).list('/v1/sys/policies/acl')).status
    expect([await lists(first), await lists(second)]).toEqual([403, 200])
  })

  test('an alias of the source named to be kept replaces that of the target, whose times move', async () => {
    const app = await ownApp({ engine })
    await app.root.post('/v1/sys/auth/cert', { type: 'cert' })
    const mount_accessor = (await app.root.get('/v1/sys/auth')).body.data['cert/'].accessor
    const alias = async (name: string) =>
      (await app.root.post(at('entity-alias'), { name, mount_accessor })).body.data as Record<string, string>
    const [into, from] = [await alias('ida'), await alias('jon')]
    const ids = { from_entity_ids: [from.canonical_id], to_entity_id: into.canonical_id }
    app.clock.advance('1s')
    const merged = await app.root.post(at('entity/merge'), { ...ids, conflicting_alias_ids_to_keep: [from.id] })
    expect(merged.status).toBe(204)
    const { aliases, last_update_time } = (await app.root.get(at(`entity/id/${into.canonical_id}`))).body.data
    expect(aliases).toMatchObject([{ id: from.id, name: 'jon' }])
    expect(Date.parse(last_update_time)).toBe(app.clock.now())
    expect((await app.root.get(at(`entity-alias/id/${into.id}`))).status).toBe(404)
    const listed = (await app.root.list(at('entity/id'))).body.data.key_info
    expect(listed[into.canonical_id ?? '']).toMatchObject({ aliases: [{ id: from.id }] })
  })
})
