import { describe, expect, test } from 'vitest'
import { ownCertApp } from '../../../../test/support/cert-login.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import { sharedApp } from '../../../../test/support/shared.ts'
import { tokenCalls } from '../../../../test/support/token-calls.ts'

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
        policies: 'default, Ops, , default,ops',
      })
      const { id } = answer.body.data
      expect(answer.body.data).toEqual({ id, name: 'Ann', aliases: null })
      const entity = {
        id,
        name: 'Ann',
        metadata: { team: 'blue' },
        policies: ['Ops', 'default', 'ops'],
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
      const [b, a] = [await create({ name: 'b', policies: ['ops'], disabled: true }), await create({ name: 'a' })]
      const byId = (await app.root.list(at('entity/id'))).body.data
      expect(byId.keys).toEqual([a, b].sort())
      expect(byId.key_info[a]).toMatchObject({ name: 'a', aliases: [] })
      const byName = (await app.root.get(at('entity/name?list=true'))).body.data
      expect(byName.keys).toEqual(['a', 'b'])
      expect(byName.key_info).toEqual(byId.key_info)
      expect(byName.key_info[b]).toEqual({ id: b, name: 'b', aliases: [], policies: ['ops'], disabled: true })
      expect((await app.root.post(at('entity/batch-delete'), { entity_ids: [a, b] })).status).toBe(204)
      expect((await app.root.list(at('entity/name'))).status).toBe(404)
      expect((await app.root.post(at('entity/batch-delete'), {})).status).toBe(400)
    })

    test('a name of several segments is written, read and deleted by name; a policy about it holds', async () => {
      const path = at('entity/name/Team/web%20app')
      const { id } = (await app.root.post(path, { metadata: { team: 'blue' } })).body.data
      const reader = 'path "identity/entity/name/*" { capabilities = ["read"] }'
      const policy = `${reader}\npath "identity/entity/name/team/*" { capabilities = ["deny"] }`
      await app.root.put('/v1/sys/policies/acl/several', { policy })
      const token = await app.root.post('/v1/auth/token/create', { policies: ['several'] })
      const clerk = app.anonymous.as(token.body.auth.client_token)
      expect((await clerk.get(path)).status).toBe(403)
      expect((await clerk.get(at('entity/name/other/app'))).status).toBe(404)
      expect((await app.root.get(at('entity/name/team/Web%20App'))).body.data).toMatchObject({
        id,
        name: 'Team/web app',
      })
      expect((await app.root.get(at('entity/name/team'))).status).toBe(404)
      expect((await app.root.list(at('entity/name'))).body.data.keys).toEqual(['Team/web app'])
      expect((await app.root.list(at('entity/name/team'))).status).toBe(405)
      expect((await app.root.delete(path)).status).toBe(204)
      expect((await app.root.get(at(`entity/id/${id}`))).status).toBe(404)
      await app.root.delete('/v1/sys/policies/acl/several')
    })

    test.each(['spiffe://a/b', '/a', 'a/', '..'])(
      'the name %s, which no address can have, works by id',
      async (name) => {
        const id = await create({ name })
        expect((await app.root.get(at(`entity/id/${id}`))).body.data.name).toBe(name)
        expect((await app.root.post(at('lookup/entity'), { name })).body.data.id).toBe(id)
        expect((await app.root.delete(at(`entity/id/${id}`))).status).toBe(204)
      },
    )

    test('of concurrent creations of one name one gets 200, the others 204', async () => {
      const answers = await Promise.all(Array.from({ length: 6 }, () => app.root.post(at('entity/name/race'), {})))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 204, 204, 204, 204, 204])
      for (const _again of [1, 2]) expect((await app.root.delete(at('entity/name/Race'))).status).toBe(204)
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

    test.each([
      ['64 keys', { metadata: Object.fromEntries(Array.from({ length: 64 }, (_, n) => [n, ''])) }],
      ['the longest key', { metadata: { ['k'.repeat(128)]: '' } }],
      ['the longest value', { metadata: { k: 'v'.repeat(512) } }],
      ['the longest name', { name: 'n'.repeat(512) }],
    ])('%s are accepted', async (_what, body) => {
      const id = await create(body)
      expect((await app.root.get(at(`entity/id/${id}`))).body.data).toMatchObject(body)
      await app.root.delete(at(`entity/id/${id}`))
    })

    test('writing by name: the id of another entity gets 400 and changes neither; its own id is accepted', async () => {
      const path = at('entity/name/dan')
      const other = await create({ name: 'other' })
      expect((await app.root.post(path, { id: other, disabled: true })).status).toBe(400)
      expect((await app.root.get(path)).status).toBe(404)
      const made = await app.root.post(path, { metadata: { team: 'red' }, policies: ['ops'], name: 'ignored' })
      expect((await app.root.post(path, { id: other, disabled: true })).body.errors[0]).toContain("'id'")
      expect((await app.root.get(at(`entity/id/${other}`))).body.data).toMatchObject({ name: 'other', disabled: false })
      const { id } = made.body.data
      expect((await app.root.post(path, { id, disabled: true })).status).toBe(204)
      const dan = { id, name: 'dan', metadata: { team: 'red' }, policies: ['ops'], disabled: true }
      expect((await app.root.get(path)).body.data).toMatchObject(dan)
      await app.root.post(at('entity/batch-delete'), { entity_ids: [id, other] })
    })

    test('a write moves the time of the last update, and not that of the creation', async () => {
      const id = await create({ name: 'eli' })
      const times = async () => (await app.root.get(at(`entity/id/${id}`))).body.data
      const { creation_time } = await times()
      app.clock.advance('5s')
      await app.root.post(at(`entity/id/${id}`), { disabled: true })
      const after = await times()
      expect(after.creation_time).toBe(creation_time)
      expect(Date.parse(after.last_update_time)).toBe(app.clock.now())
      await app.root.delete(at(`entity/id/${id}`))
    })

    test('renaming to the name of another entity gets 400; changing the case of its own is allowed', async () => {
      const [one, two] = [await create({ name: 'one' }), await create({ name: 'two' })]
      const refused = await app.root.post(at('entity'), { id: one, name: 'TWO' })
      expect([refused.status, refused.body.errors[0]]).toEqual([400, expect.stringContaining('another entity')])
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
