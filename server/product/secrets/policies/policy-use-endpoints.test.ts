import { describe, expect, test } from 'vitest'
import { mintCa } from '../../../../test/support/certificates.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import { sharedApp } from '../../../../test/support/shared.ts'

const at = '/v1/sys/policies'
const read = 'path "a/*" { capabilities = ["read", "list"] }'

eachEngine((engine) => {
  describe('policy uses', () => {
    const app = sharedApp({ engine })
    const tokenOf = async (...policies: string[]) =>
      app.anonymous.as((await app.root.post('/v1/auth/token/create', { policies })).body.auth.client_token)

    test('a caller without a rule for it is told neither how a text is read nor who uses a policy', async () => {
      const stranger = await tokenOf('default')
      expect((await stranger.post(`${at}/acl-check`, { policy: read })).status).toBe(403)
      expect((await stranger.get(`${at}/acl-uses/web`)).status).toBe(403)
    })

    test('a denial of one name holds for every spelling of it', async () => {
      const policy = `path "sys/policies/acl-uses/*" { capabilities = ["read"] }
        path "sys/policies/acl-uses/prod" { capabilities = ["deny"] }`
      await app.root.put(`${at}/acl/reader`, { policy })
      const reader = await tokenOf('reader')
      expect((await reader.get(`${at}/acl-uses/PROD`)).status).toBe(403)
      expect((await reader.get(`${at}/acl-uses/other`)).status).toBe(200)
    })

    test('a text is shown as it is read, and is not stored', async () => {
      const { body } = await app.root.post(`${at}/acl-check`, { policy: `${read}\npath "b" { control_group = {} }` })
      expect(body.data).toEqual({
        problem: '',
        warnings: ["'control_group' is not supported and was ignored"],
        rules: [
          { path: 'a/*', capabilities: ['list', 'read'] },
          { path: 'b', capabilities: [] },
        ],
        capabilities: {},
      })
    })

    test('paths are tried against the texts together, of which a denial outweighs the rest', async () => {
      const denial = 'path "a/x" { capabilities = ["deny"] }'
      const paths = ['a/x', 'a/y', 'b']
      const check = async (together: string[]) =>
        (await app.root.post(`${at}/acl-check`, { policy: read, together, paths })).body.data
      expect((await check([])).capabilities).toEqual({ 'a/x': ['list', 'read'], 'a/y': ['list', 'read'], b: ['deny'] })
      const both = await check([denial])
      expect(both.capabilities).toEqual({ 'a/x': ['deny'], 'a/y': ['list', 'read'], b: ['deny'] })
      expect(both.rules).toHaveLength(1)
      expect(await check(['nonsense'])).toMatchObject({ problem: expect.stringContaining('line 1'), capabilities: {} })
    })

    test.each([
      ['', /the text is empty/],
      ['path "a" {\n  capabilities = ["raed"]\n}', /line 2, column 19: unknown capability 'raed'/],
      ['secret "a" {}', /line 1, column 1: unknown key 'secret'/],
    ])('a text that a write would refuse is answered with the reason: %j', async (policy, problem) => {
      const { status, body } = await app.root.post(`${at}/acl-check`, { policy })
      expect([status, body.data.rules]).toEqual([200, []])
      expect(body.data.problem).toMatch(problem)
      if (policy !== '') {
        const refused = await app.root.put(`${at}/acl/refused`, { policy })
        expect(refused.body.errors).toEqual([body.data.problem])
      }
    })

    test('uses: tokens in numbers, entities and roles by name, whatever the case', async () => {
      await app.root.put(`${at}/acl/web`, { policy: read })
      const none = { tokens: 0, entities: [], certificate_roles: [], token_roles: [] }
      expect((await app.root.get(`${at}/acl-uses/web`)).body.data).toEqual(none)
      await tokenOf('web')
      await tokenOf('web_2', 'Web')
      await tokenOf('web2')
      const entity = await app.root.post('/v1/identity/entity', { name: 'Billing', policies: ['WEB'] })
      await app.root.post('/v1/identity/entity', { name: 'other', policies: ['web2'] })
      await app.root.post('/v1/auth/token/roles/nightly', { allowed_policies: ['web'] })
      await app.root.post('/v1/auth/token/roles/never', { disallowed_policies: ['web'] })
      await app.root.post('/v1/sys/auth/edge', { type: 'cert' })
      const { pem } = mintCa({ commonName: 'Edge' })
      await app.root.post('/v1/auth/edge/certs/Sensors', { certificate: pem, token_policies: 'web' })
      await app.root.post('/v1/auth/edge/certs/web', { certificate: pem, token_policies: 'other', display_name: 'web' })
      expect((await app.root.get(`${at}/acl-uses/WEB`)).body.data).toEqual({
        tokens: 2,
        entities: [{ id: entity.body.data.id, name: 'Billing' }],
        certificate_roles: [{ mount: 'auth/edge/', name: 'Sensors' }],
        token_roles: ['nightly'],
      })
    })
  })
})
