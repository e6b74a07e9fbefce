import { describe, expect, test } from 'vitest'
import { ownCertApp } from '../../../test/support/cert-login.ts'
import { eachEngine } from '../../../test/support/databases.ts'
import { sharedApp } from '../../../test/support/shared.ts'
import { tokenCalls } from '../../../test/support/token-calls.ts'

const at = (path: string) => `/v1/identity/${path}`

eachEngine((engine) => {
  describe('entities', () => {
    const app = sharedApp({ engine })
    const create = async (body: object): Promise<string> => {
      const answer = await app.root.post(at('entity'), body)
      expect(answer.status, answer.text).toBe(200)
      return answer.body.data.id
    }

    test.each(['bob', 'Bob'])('a policy that denies the entity name %s denies every spelling of it', async (denied) => {
      await create({ name: 'Bob' })
      const rule = (name: string, capabilities: string[]) =>
        `path "identity/entity/name/${name}" { capabilities = ${JSON.stringify(capabilities)} }\n`
      const policy = rule('*', ['read', 'update', 'delete']) + rule(denied, ['deny'])
      await app.root.put('/v1/sys/policies/acl/clerk', { policy })
      const token = await app.root.post('/v1/auth/token/create', { policies: ['clerk'] })
      const clerk = app.anonymous.as(token.body.auth.client_token)
      for (const name of ['bob', 'Bob', 'BOB']) {
        const address = at(`entity/name/${name}`)
        expect((await clerk.get(address)).status, name).toBe(403)
        expect((await clerk.post(address, {})).status, name).toBe(403)
        expect((await clerk.delete(address)).status, name).toBe(403)
      }
      expect((await app.root.delete(at('entity/name/bob'))).status).toBe(204)
    })

    test('an entity is created, read by id and name, changed and deleted', async () => {
      const answer = await app.root.post(at('entity'), {
        name: 'Ann',
        metadata: { team: 'blue' },
        policies: 'Ops, default',
      })
      const { id } = answer.body.data
      expect(answer.body.data).toEqual({ id, name: 'Ann', aliases: null })
      const entity = {
        id,
        name: 'Ann',
        metadata: { team: 'blue' },
        policies: ['default', 'ops'],
        disabled: false,
        aliases: [],
        creation_time: expect.stringMatching(/Z$/),
        last_update_time: expect.stringMatching(/Z$/),
        merged_entity_ids: [],
        group_ids: [],
        direct_group_ids: [],
        inherited_group_ids: [],
        namespace_id: 'root',
      }
      expect((await app.root.get(at(`entity/id/${id}`))).body.data).toEqual(entity)
      expect((await app.root.get(at('entity/name/ANN'))).body.data).toEqual(entity)
      expect((await app.root.post(at('entity'), { name: 'ann', disabled: 'true' })).status).toBe(204)
      expect((await app.root.post(at(`entity/id/${id}`), { policies: [] })).status).toBe(204)
      expect((await app.root.post(at('entity/name/ann'), { metadata: {} })).status).toBe(204)
      expect((await app.root.get(at(`entity/id/${id}`))).body.data).toMatchObject({
        name: 'ann',
        disabled: true,
        policies: [],
        metadata: {},
      })
      expect((await app.root.delete(at(`entity/id/${id}`))).status).toBe(204)
      expect((await app.root.delete(at(`entity/id/${id}`))).status).toBe(204)
      expect((await app.root.get(at(`entity/id/${id}`))).status).toBe(404)
    })

    test('entities are listed by id and by name, and an empty list gets 404', async () => {
      expect((await app.root.list(at('entity/id'))).status).toBe(404)
      const [b, a] = [await create({ name: 'b' }), await create({ name: 'a' })]
      const byId = (await app.root.list(at('entity/id'))).body.data
      expect(byId.keys).toEqual([a, b].sort())
      expect(byId.key_info[a]).toMatchObject({ name: 'a', aliases: [] })
      const byName = (await app.root.get(at('entity/name?list=true'))).body.data
      expect(byName.keys).toEqual(['a', 'b'])
      expect(byName.key_info.a.id).toBe(a)
      expect((await app.root.post(at('entity/batch-delete'), { entity_ids: [a, b] })).status).toBe(204)
      expect((await app.root.list(at('entity/name'))).status).toBe(404)
      expect((await app.root.post(at('entity/batch-delete'), {})).status).toBe(400)
    })

    test('of concurrent creations of one name one gets 200, the others 204', async () => {
      const answers = await Promise.all(Array.from({ length: 6 }, () => app.root.post(at('entity/name/race'), {})))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 204, 204, 204, 204, 204])
      expect((await app.root.delete(at('entity/name/Race'))).status).toBe(204)
    })

    test('an entity without a name gets a generated one', async () => {
      const id = await create({})
      expect((await app.root.get(at(`entity/id/${id}`))).body.data.name).toMatch(/^entity_[0-9a-f]{8}$/)
      await app.root.delete(at(`entity/id/${id}`))
    })

    test.each([
      ['an unknown id', 'entity', { id: 'nobody' }, /nobody/],
      ['an unknown id in the path', 'entity/id/nobody', {}, /nobody/],
      ['the root policy', 'entity', { name: 'x', policies: ['default', 'ROOT '] }, /root/],
      ['the internal policy', 'entity', { name: 'x', policies: ['response-wrapping'] }, /response-wrapping/],
      [
        'too many keys',
        'entity',
        { metadata: Object.fromEntries(Array.from({ length: 65 }, (_, n) => [n, ''])) },
        /64/,
      ],
      ['a long key', 'entity', { metadata: { ['k'.repeat(129)]: '' } }, /128/],
      ['a long value', 'entity', { metadata: { k: 'v'.repeat(513) } }, /512/],
      ['an empty key', 'entity', { metadata: { '': 'v' } }, /empty key/],
      ['a long name', 'entity', { name: 'n'.repeat(513) }, /512/],
      ['a control character in the name', 'entity', { name: 'a\u0007' }, /control/],
    ])('%s gets 400', async (_what, path, body, text) => {
      const answer = await app.root.post(at(path), body)
      expect(answer.status).toBe(400)
      expect(answer.body.errors[0]).toMatch(text)
    })

    test('renaming to the name of another entity gets 400; changing the case of its own is allowed', async () => {
      const [one, two] = [await create({ name: 'one' }), await create({ name: 'two' })]
      expect((await app.root.post(at('entity'), { id: one, name: 'TWO' })).status).toBe(400)
      expect((await app.root.post(at('entity'), { id: one, name: 'ONE' })).status).toBe(204)
      await app.root.post(at('entity/batch-delete'), { entity_ids: [one, two] })
    })

    test('groups, OIDC and MFA are not implemented: 404', async () => {
      for (const path of ['group', 'group/id', 'oidc/key', 'mfa/method', 'lookup/group']) {
        expect((await app.root.get(at(path))).status, path).toBe(404)
        expect((await app.root.post(at(path), {})).status, path).toBe(404)
      }
    })
  })

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
    let ids: string[] = [kept.entity_id, stopped.entity_id]
    for (const name of ['first', 'second', 'third']) {
      const to = (await app.root.post(at('entity'), { name })).body.data.id
      const merge = { from_entity_ids: ids, to_entity_id: to, force: true }
      expect((await app.root.post(at('entity/merge'), merge)).status).toBe(204)
      expect([name, await status(kept), await status(stopped)]).toEqual([name, 200, 403])
      ids = [to]
    }
  })

  test('entity policies apply to existing tokens at once; disabling or deleting the entity gets them 403', async () => {
    const app = await ownCertApp({ engine })
    const calls = await tokenCalls(app)
    await app.role('web', { certificate: app.ca.pem })
    const { auth } = (await app.login(app.leaf())).body
    const login = app.root.as(auth.client_token)
    const mayList = async () => (await login.list('/v1/sys/policies/acl')).status
    expect(await mayList()).toBe(403)
    await calls.policy('lister', 'path "sys/policies/acl" { capabilities = ["list"] }')
    await app.root.post(at(`entity/id/${auth.entity_id}`), { policies: ['LISTER'] })
    expect(await mayList()).toBe(200)
    expect((await login.get('/v1/auth/token/lookup-self')).body.data).toMatchObject({ identity_policies: ['lister'] })
    await app.root.post(at(`entity/id/${auth.entity_id}`), { policies: '' })
    expect(await mayList()).toBe(403)
    await app.root.post(at(`entity/id/${auth.entity_id}`), { disabled: true })
    expect(await login.get('/v1/auth/token/lookup-self')).toMatchObject({
      status: 403,
      body: { errors: ['permission denied'] },
    })
    expect((await app.login(app.leaf())).status).toBe(403)
    await app.root.post(at(`entity/id/${auth.entity_id}`), { disabled: false })
    expect((await login.get('/v1/auth/token/lookup-self')).status).toBe(200)
    await app.root.delete(at(`entity/id/${auth.entity_id}`))
    expect((await login.get('/v1/auth/token/lookup-self')).status).toBe(403)
  })
})
