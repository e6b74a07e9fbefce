import { beforeAll, describe, expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { mustBe } from '../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'
import { tinyMounts } from '../../../../test/support/tiny-mounts.ts'
import { tokenCalls } from '../../../../test/support/token-calls.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine, features: tinyMounts().features })
  const calls = shared(() => tokenCalls(app))

  beforeAll(async () => {
    mustBe(await app.root.post('/v1/sys/mounts/tiny', { type: 'tiny-v2' }), 204)
    await calls.policy('reader', 'path "tiny/data/*" { capabilities = ["read", "list"] }')
    await calls.policy('writer', 'path "tiny/data/app" { capabilities = ["create", "update"] }')
    await calls.policy('denier', 'path "tiny/data/app" { capabilities = ["deny"] }')
    await calls.policy('own', 'path "tiny/data/{{identity.entity.name}}" { capabilities = ["read"] }')
    await calls.policy('explains', 'path "sys/capabilities-explain" { capabilities = ["update"] }')
  })

  describe('capabilities-explain', () => {
    const explain = async (policies: string[], path: string) => {
      const caller = calls.as(await calls.create({ policies: [...policies, 'explains'] }))
      return (await caller.post('/v1/sys/capabilities-explain', { path })).body.data
    }

    test('without a policy it gets 403, and other tokens need sudo', async () => {
      const other = await calls.create({ policies: ['reader'] })
      const caller = calls.as(await calls.create({ policies: ['explains'] }))
      const ask = (body: object) => caller.post('/v1/sys/capabilities-explain', { path: 'tiny/data/app', ...body })
      expect((await calls.as(other).post('/v1/sys/capabilities-explain', { path: 'x' })).status).toBe(403)
      expect((await ask({ token: other.client_token })).status).toBe(403)
      expect((await ask({ accessor: other.accessor })).status).toBe(403)
      expect((await caller.post('/v1/sys/capabilities-explain', {})).status).toBe(400)
      const asRoot = await app.root.post('/v1/sys/capabilities-explain', {
        path: 'tiny/data/app',
        accessor: other.accessor,
      })
      expect(asRoot.body.data.policies).toEqual(['reader'])
    })

    test('the deciding rule, the policies that have it and what is missing', async () => {
      expect(await explain(['reader'], 'tiny/data/app')).toEqual({
        path: 'tiny/data/app',
        capabilities: ['list', 'read'],
        rule: 'tiny/data/*',
        policies: ['reader'],
        missing: ['create', 'update', 'patch', 'delete'],
        did_you_mean: null,
      })
      expect(await explain(['reader', 'writer'], 'tiny/data/app')).toMatchObject({
        rule: 'tiny/data/app',
        policies: ['writer'],
        missing: expect.arrayContaining(['read']),
      })
      expect(await explain(['reader', 'denier'], 'tiny/data/app')).toMatchObject({
        capabilities: ['deny'],
        rule: 'tiny/data/app',
        policies: ['denier'],
      })
    })

    test('a path of another kind is answered with what was probably meant, for mounts that the token may know of', async () => {
      expect(await explain(['reader'], 'tiny/app')).toMatchObject({
        capabilities: ['deny'],
        rule: null,
        policies: [],
        did_you_mean: 'tiny/data/app',
      })
      expect((await explain([], 'tiny/app')).did_you_mean).toBeNull()
    })

    test('a root token lacks nothing', async () => {
      const { data } = (await app.root.post('/v1/sys/capabilities-explain', { path: 'tiny/data/app' })).body
      expect(data).toMatchObject({ capabilities: ['root'], rule: null, policies: ['root'], missing: [] })
    })
  })

  describe('who-can', () => {
    const ask = (body: object) => app.root.post('/v1/sys/policies/who-can', body)

    beforeAll(async () => {
      const entity = (name: string, policies: string[]) => app.root.post('/v1/identity/entity', { name, policies })
      mustBe(await entity('allowed', ['reader']), 200)
      mustBe(await entity('stopped', ['reader', 'denier']), 200)
      mustBe(await entity('nobody', ['writer']), 200)
      mustBe(await entity('app', ['own']), 200)
      mustBe(await entity('other', ['own']), 200)
      mustBe(await app.root.post('/v1/identity/entity/name/off', { policies: ['reader'], disabled: true }), 200)
      mustBe(await app.root.post('/v1/sys/auth/approle', { type: 'approle' }), 204)
      mustBe(await app.root.post('/v1/auth/approle/role/web', { token_policies: 'reader' }), 204)
      mustBe(await app.root.post('/v1/auth/approle/role/none', { token_policies: 'writer' }), 204)
      mustBe(await app.root.post('/v1/auth/token/roles/globbed', { allowed_policies_glob: 'read*' }), 204)
      mustBe(
        await app.root.post('/v1/auth/token/roles/without', {
          allowed_policies_glob: '*',
          disallowed_policies: 'reader,own',
        }),
        204,
      )
    })

    test('it needs sudo, a path and a capability', async () => {
      await calls.policy('asks', 'path "sys/policies/who-can" { capabilities = ["update"] }')
      const caller = calls.as(await calls.create({ policies: ['asks'] }))
      expect((await caller.post('/v1/sys/policies/who-can', { path: 'a', capability: 'read' })).status).toBe(403)
      for (const body of [
        {},
        { path: 'a' },
        { path: 'a', capability: 'deny' },
        { path: 'a', capability: 'read', after: 'x' },
      ])
        expect((await ask(body)).status).toBe(400)
    })

    test('policies that grant it and who carries them; templates are filled for each entity, denials count', async () => {
      await calls.create({ policies: ['reader', 'writer'] })
      const { data } = mustBe(await ask({ path: 'tiny/data/app', capability: 'read' }), 200).body
      const policies = new Map(data.policies.map((each: { name: string }) => [each.name, each]))
      expect([...policies.keys()]).toEqual(['own', 'reader', 'root'])
      expect(policies.get('reader')).toMatchObject({ rule: 'tiny/data/*', capabilities: ['list', 'read'] })
      expect((policies.get('reader') as { living_tokens: number }).living_tokens).toBeGreaterThan(0)
      expect(policies.get('own')).toMatchObject({ rule: 'tiny/data/{{identity.entity.name}}', living_tokens: 0 })
      expect(policies.get('root')).toMatchObject({ rule: null, capabilities: ['root'] })
      const holders = data.holders.map((each: { kind: string; name: string; mount: string }) => [
        each.kind,
        each.name,
        each.mount,
      ])
      expect(holders).toHaveLength(4)
      expect(holders).toEqual(
        expect.arrayContaining([
          ['entity', 'allowed', ''],
          ['entity', 'app', ''],
          ['role', 'web', 'auth/approle/'],
          ['token_role', 'globbed', ''],
        ]),
      )
      expect(data.next).toBeNull()
    })

    test('pages: each holder comes once', async () => {
      const names: string[] = []
      for (let after: string | null = ''; after !== null; ) {
        const answer = mustBe(await ask({ path: 'tiny/data/app', capability: 'read', limit: 1, after }), 200)
        const data: { holders: { name: string }[]; next: string | null } = answer.body.data
        names.push(...data.holders.map(({ name }) => name))
        after = data.next
      }
      expect(names.sort()).toEqual(['allowed', 'app', 'globbed', 'web'])
    })
  })
})
