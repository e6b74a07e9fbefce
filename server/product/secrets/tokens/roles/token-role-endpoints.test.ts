import { describe, expect, test } from 'vitest'
import type { Client } from '../../../../../test/support/client.ts'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { shared, sharedApp } from '../../../../../test/support/shared.ts'
import { deniedAnswer, tokenCalls } from '../../../../../test/support/token-calls.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const calls = shared(() => tokenCalls(app))
  const maker = shared(async () =>
    calls.as(await calls.create({ policies: ['maker', 'web'], no_default_policy: true })),
  )

  let count = 0
  /** Writes a role under a new name. */
  const role = async (fields: object): Promise<string> => {
    const name = `role-${count++}`
    const answer = await app.root.post(`/v1/auth/token/roles/${name}`, fields)
    expect(answer.status, answer.text).toBeLessThan(300)
    return name
  }

  describe('roles', () => {
    test('a role written without fields reads with all defaults', async () => {
      const name = await role({})
      expect((await app.root.get(`/v1/auth/token/roles/${name}`)).body.data).toEqual({
        name,
        allowed_policies: [],
        allowed_policies_glob: [],
        disallowed_policies: [],
        disallowed_policies_glob: [],
        orphan: false,
        renewable: true,
        path_suffix: '',
        allowed_entity_aliases: [],
        explicit_max_ttl: 0,
        token_explicit_max_ttl: 0,
        period: 0,
        token_period: 0,
        token_no_default_policy: false,
        token_type: 'default-service',
      })
    })

    test('all fields read back, and a later write keeps the fields it does not send', async () => {
      const name = await role({
        allowed_policies: 'Web,db',
        disallowed_policies_glob: ['adm*'],
        orphan: 'true',
        renewable: false,
        path_suffix: 'a.b-c',
        allowed_entity_aliases: ['ann-*'],
        token_bound_cidrs: '10.0.0.0/8,127.0.0.1/32',
        token_explicit_max_ttl: '2h',
        token_period: 60,
        token_num_uses: '7',
        token_no_default_policy: true,
        token_type: 'service',
      })
      expect((await app.root.put(`/v1/auth/token/roles/${name}`, { token_num_uses: 8 })).status).toBe(204)
      expect((await app.root.get(`/v1/auth/token/roles/${name}`)).body.data).toMatchObject({
        allowed_policies: ['db', 'web'],
        disallowed_policies_glob: ['adm*'],
        orphan: true,
        renewable: false,
        path_suffix: 'a.b-c',
        allowed_entity_aliases: ['ann-*'],
        token_bound_cidrs: ['10.0.0.0/8', '127.0.0.1'],
        explicit_max_ttl: 7200,
        token_explicit_max_ttl: 7200,
        period: 60,
        token_num_uses: 8,
        token_no_default_policy: true,
        token_type: 'service',
      })
    })

    test('old field names are accepted; beside the new name they are ignored with a warning', async () => {
      const name = await role({ period: '1h', explicit_max_ttl: '2h', bound_cidrs: '10.0.0.0/8' })
      expect((await app.root.get(`/v1/auth/token/roles/${name}`)).body.data).toMatchObject({
        token_period: 3600,
        token_explicit_max_ttl: 7200,
        token_bound_cidrs: ['10.0.0.0/8'],
      })
      const both = await app.root.post(`/v1/auth/token/roles/${name}`, { period: '1h', token_period: '2h' })
      expect(both).toMatchObject({ status: 200, body: { warnings: [expect.stringContaining("'token_period'")] } })
      expect((await app.root.get(`/v1/auth/token/roles/${name}`)).body.data.period).toBe(7200)
    })

    test('bound_cidrs is shown as long as the addresses were last written under that old name', async () => {
      const name = await role({ bound_cidrs: ['127.0.0.1/32'] })
      const bounds = async () => {
        const { token_bound_cidrs, bound_cidrs } = (await app.root.get(`/v1/auth/token/roles/${name}`)).body.data
        return { token_bound_cidrs, bound_cidrs }
      }
      expect(await bounds()).toEqual({ token_bound_cidrs: ['127.0.0.1'], bound_cidrs: ['127.0.0.1'] })
      await app.root.post(`/v1/auth/token/roles/${name}`, { orphan: true })
      expect(await bounds()).toEqual({ token_bound_cidrs: ['127.0.0.1'], bound_cidrs: ['127.0.0.1'] })
      await app.root.post(`/v1/auth/token/roles/${name}`, { token_bound_cidrs: '10.0.0.0/8' })
      expect(await bounds()).toEqual({ token_bound_cidrs: ['10.0.0.0/8'], bound_cidrs: undefined })
      await app.root.post(`/v1/auth/token/roles/${name}`, { bound_cidrs: '' })
      expect(await bounds()).toEqual({ token_bound_cidrs: undefined, bound_cidrs: undefined })
    })

    test('renewable: null keeps the current value', async () => {
      const name = await role({ renewable: null })
      expect((await app.root.get(`/v1/auth/token/roles/${name}`)).body.data.renewable).toBe(true)
      await app.root.post(`/v1/auth/token/roles/${name}`, { renewable: false })
      await app.root.post(`/v1/auth/token/roles/${name}`, { renewable: null })
      expect((await app.root.get(`/v1/auth/token/roles/${name}`)).body.data.renewable).toBe(false)
    })

    test.each([
      ['batch with a parent', { token_type: 'batch', renewable: false }, 'orphan'],
      ['batch with a period', { token_type: 'batch', orphan: true, renewable: false, token_period: 1 }, 'token_period'],
      ['renewable batch', { token_type: 'batch', orphan: true }, 'renewable'],
      [
        'batch with a maximum',
        { token_type: 'batch', orphan: true, renewable: false, token_explicit_max_ttl: 1 },
        'token_explicit_max_ttl',
      ],
      [
        'batch with counted uses',
        { token_type: 'batch', orphan: true, renewable: false, token_num_uses: 1 },
        'token_num_uses',
      ],
      ['unknown type', { token_type: 'recovery' }, 'token_type'],
      ['no type', { token_type: null }, 'token_type'],
      ['an object for a type', { token_type: {} }, 'token_type'],
      ['negative uses', { token_num_uses: -1 }, 'token_num_uses'],
      ['negative period', { token_period: -1 }, 'token_period'],
      ['bad address', { token_bound_cidrs: ['10.0.0.0/33'] }, 'token_bound_cidrs'],
      ['bad address under the old name', { bound_cidrs: ['10.0.0.0/33'] }, 'bound_cidrs'],
      ['bad suffix', { path_suffix: '-a-' }, 'path_suffix'],
      ['suffix with two dots', { path_suffix: 'a..b' }, 'path_suffix'],
      ['suffix with a slash', { path_suffix: 'a/b' }, 'path_suffix'],
    ])('refused with 400 naming the field: %s', async (_case, fields, name) => {
      const answer = await app.root.post('/v1/auth/token/roles/refused', fields)
      expect(answer).toMatchObject({ status: 400, body: { errors: [expect.stringContaining(`'${name}'`)] } })
      expect((await app.root.get('/v1/auth/token/roles/refused')).status).toBe(404)
    })

    test('a maximum above the mount’s earns a warning', async () => {
      const answer = await app.root.post('/v1/auth/token/roles/long', { token_explicit_max_ttl: '10000h' })
      expect(answer).toMatchObject({ status: 200, body: { warnings: [expect.stringContaining('2764800')] } })
    })

    test('roles can be listed and deleted, and an invalid name gets 404', async () => {
      const name = await role({})
      expect((await app.root.list('/v1/auth/token/roles')).body.data.keys).toContain(name)
      expect((await app.root.delete(`/v1/auth/token/roles/${name}`)).status).toBe(204)
      expect((await app.root.delete(`/v1/auth/token/roles/${name}`)).status).toBe(204)
      expect((await app.root.get('/v1/auth/token/roles?list=true')).body.data.keys).not.toContain(name)
      expect((await app.root.post('/v1/auth/token/roles/-dash', {})).status).toBe(404)
    })

    test('creating a role needs the create capability, changing one needs update', async () => {
      await calls.policy('changer', 'path "auth/token/roles/*" { capabilities = ["update"] }')
      const changer = calls.as(await calls.create({ policies: ['changer'] }))
      const name = await role({})
      expect(await changer.post('/v1/auth/token/roles/of-nobody', {})).toMatchObject(deniedAnswer)
      expect((await changer.post(`/v1/auth/token/roles/${name}`, {})).status).toBe(204)
    })
  })

  describe('tokens of a role', () => {
    const by = async (terms: object, fields: object = {}, caller: Client = maker) =>
      await calls.create(fields, caller, `create/${await role(terms)}`)

    test('an unknown role gets 400', async () => {
      expect(await calls.refusal({}, app.root, 'create/unknown')).toContain("'unknown'")
    })

    test.each([
      ['the allowed ones when none is asked for', { allowed_policies: ['db'] }, {}, ['db', 'default']],
      ['one of them', { allowed_policies: ['db', 'web'] }, { policies: ['web'] }, ['default', 'web']],
      ['by pattern', { allowed_policies_glob: ['ci-*'] }, { policies: ['ci-a'] }, ['ci-a', 'default']],
      ['the parent’s where only some are disallowed', { disallowed_policies: ['x'] }, {}, ['default', 'maker', 'web']],
      ['no default by role', { allowed_policies: ['db'], token_no_default_policy: true }, {}, ['db']],
      ['no default by request', { allowed_policies: ['db'] }, { no_default_policy: true }, ['db']],
      ['default disallowed', { allowed_policies: ['db'], disallowed_policies: ['default'] }, {}, ['db']],
    ])('resulting policies: %s', async (_case, terms, fields, policies) => {
      expect((await by(terms, fields)).policies).toEqual(policies)
    })

    test.each([
      ['not allowed', { allowed_policies: ['db'] }, 'web', "the role does not allow the policy 'web'"],
      ['disallowed', { disallowed_policies: ['web'] }, 'web', "the role disallows the policy 'web'"],
      ['disallowed by pattern', { disallowed_policies_glob: ['w*'] }, 'web', "the role disallows the policy 'web'"],
      ['disallowed in other letters', { disallowed_policies: ['WEB'] }, 'Web ', "the role disallows the policy 'web'"],
      ['root from no root', { allowed_policies: ['root'] }, 'root', 'root tokens can only be created by root tokens'],
    ])('policies: %s is refused', async (_case, terms, policy, text) => {
      expect(await calls.refusal({ policies: [policy] }, maker, `create/${await role(terms)}`)).toBe(text)
    })

    test('the lower of the limits of request and role applies, with a warning', async () => {
      const name = await role({ token_explicit_max_ttl: '1h', token_num_uses: 5, path_suffix: 'nightly' })
      const answer = await maker.post(`/v1/auth/token/create/${name}`, { explicit_max_ttl: '2h', num_uses: 3 })
      expect(answer.body.warnings).toEqual(
        expect.arrayContaining([expect.stringContaining("'explicit_max_ttl' is set by request and role")]),
      )
      expect(await calls.lookup(answer.body.auth)).toMatchObject({
        role: name,
        path: `auth/token/create/${name}/nightly`,
        explicit_max_ttl: 3600,
        num_uses: 3,
        orphan: false,
      })
    })

    test('orphan, period and bound CIDRs come from the role', async () => {
      const auth = await by({ orphan: true, token_period: '2h', token_bound_cidrs: ['127.0.0.0/8'] })
      expect(await calls.lookup(auth)).toMatchObject({
        orphan: true,
        period: 7200,
        ttl: 7200,
        bound_cidrs: ['127.0.0.0/8'],
      })
    })

    test('the token type is set by the role, or by the request if the role has only a default', async () => {
      const batch = { orphan: true, renewable: false }
      expect((await by({ ...batch, token_type: 'batch' }, { type: 'service' })).token_type).toBe('batch')
      expect((await by({ ...batch, token_type: 'default-batch' })).token_type).toBe('batch')
      expect((await by({ ...batch, token_type: 'default-batch' }, { type: 'service' })).token_type).toBe('service')
      expect((await by({ token_type: 'default' })).token_type).toBe('service')
      expect((await by({ token_type: 'service' }, { type: 'batch' })).token_type).toBe('service')
    })

    test('an alias the role allows ties the token to one entity; another alias gets 400', async () => {
      const name = await role({ allowed_entity_aliases: ['Ann-*'] })
      expect(await calls.refusal({ entity_alias: 'bob' }, maker, `create/${name}`)).toContain('alias')
      const path = `create/${name}`
      const both = await Promise.all([1, 2].map(() => calls.create({ entity_alias: 'ann-1' }, maker, path)))
      const ids = both.map((auth) => auth.entity_id)
      expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/)
      expect(ids[1]).toBe(ids[0])
    })

    test('an alias of a disabled entity gets 403', async () => {
      const path = `create/${await role({ allowed_entity_aliases: ['eve'] })}`
      const { entity_id } = await calls.create({ entity_alias: 'eve' }, maker, path)
      await app.root.post(`/v1/identity/entity/id/${entity_id}`, { disabled: true })
      const answer = await maker.post(`/v1/auth/token/${path}`, { entity_alias: 'eve' })
      expect(answer).toMatchObject({ status: 403, body: { errors: [expect.stringContaining('disabled')] } })
    })

    test('renewal uses the current period and maximum of the role; without the role it gets 400', async () => {
      const name = await role({ token_period: '1h' })
      const auth = await calls.create({}, maker, `create/${name}`)
      await app.root.post(`/v1/auth/token/roles/${name}`, { token_period: '10m' })
      const renew = () => app.root.post('/v1/auth/token/renew', { token: auth.client_token })
      expect((await renew()).body.auth.lease_duration).toBe(600)
      await app.root.post(`/v1/auth/token/roles/${name}`, { token_explicit_max_ttl: '5m' })
      expect((await renew()).body.auth.lease_duration).toBe(300)
      await app.root.delete(`/v1/auth/token/roles/${name}`)
      expect(await renew()).toMatchObject({ status: 400, body: { errors: [expect.stringContaining('role')] } })
    })

    test('renewal keeps the explicit maximum of the request if the role has none', async () => {
      const name = await role({})
      const auth = await calls.create({ ttl: '10m', explicit_max_ttl: '30m' }, maker, `create/${name}`)
      const answer = await app.root.post('/v1/auth/token/renew', { token: auth.client_token, increment: '2h' })
      expect(answer.body.auth.lease_duration).toBe(1800)
    })
  })
})
