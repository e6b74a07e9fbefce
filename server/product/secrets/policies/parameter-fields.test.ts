import type { TObject } from 'typebox'
import { describe, expect, test } from 'vitest'
import { mintCa } from '../../../../test/support/certificates.ts'
import type { Client } from '../../../../test/support/client.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'
import { tokenCalls } from '../../../../test/support/token-calls.ts'
import { vendorSnapshotFields } from '../../../compat/vendor-names.ts'

eachEngine((engine) => {
  describe('rules about fields', () => {
    const app = sharedApp({ engine })
    const calls = shared(() => tokenCalls(app))

    /** A token with one policy of this text and nothing else. */
    async function holder(policy: string): Promise<Client> {
      const name = `p${app.deps.ids.hex(8)}`
      await calls.policy(name, policy)
      return calls.as(await calls.create({ policies: [name], no_default_policy: true }))
    }
    const writes = (client: Client, path: string) => async (body: object) =>
      (await client.post(`/v1/${path}`, body)).status

    test('a value that is not allowed does not get into a list behind a comma', async () => {
      const write = writes(
        await holder(`
          path "auth/token/roles/dev-*" {
            capabilities = ["create", "update"]
            allowed_parameters = { "allowed_policies" = ["dev-*"] }
          }
        `),
        'auth/token/roles/dev-one',
      )
      expect(await write({ allowed_policies: ['dev-a', 'pt-admin'] })).toBe(403)
      expect(await write({ allowed_policies: 'dev-a,pt-admin' })).toBe(403)
      expect(await write({ ALLOWED_POLICIES: 'dev-a, pt-admin' })).toBe(403)
      expect(await write({ allowed_policies: 'dev-a,dev-b' })).toBe(204)
    })

    test('a field that is denied is denied under its old names, on every path of the role', async () => {
      await app.root.post('/v1/sys/auth/cert', { type: 'cert' })
      const client = await holder(`
        path "auth/cert/certs/*" { capabilities = ["create", "update"] }
        path "auth/cert/certs/lab" {
          capabilities = ["create", "update"]
          denied_parameters = { "token_policies" = [], "token_ttl" = [] }
        }
      `)
      const certificate = mintCa({ commonName: 'Lab CA' }).pem
      for (const name of ['lab', 'LAB']) {
        const write = writes(client, `auth/cert/certs/${name}`)
        for (const old of ['token_policies', 'policies', 'POLICIES', 'token_ttl', 'ttl', 'lease']) {
          expect(await write({ certificate, [old]: '5' }), `${name} ${old}`).toBe(403)
        }
        expect(await write({ certificate, period: 60 })).toBe(204)
      }
    })

    test.each([
      ['auth/token/roles/old', 'token_period', 'period'],
      ['auth/token/roles/old', 'token_explicit_max_ttl', 'explicit_max_ttl'],
      ['auth/token/roles/old', 'token_bound_cidrs', 'bound_cidrs'],
      ['auth/token/create', 'ttl', 'lease'],
      ['sys/policies/acl/old', 'policy', 'rules'],
      ['sys/policy/old', 'policy', 'rules'],
      ['sys/capabilities-self', 'paths', 'path'],
      ['identity/entity-alias', 'canonical_id', 'entity_id'],
      ['sys/config/cors', 'enabled', 'enable'],
      ['sys/storage/raft/snapshot-auto/config/old', 'cloudA_region', vendorSnapshotFields.cloudA_region?.[0] ?? ''],
    ])('%s: a denial of %s holds for %s', async (path, present, old) => {
      const denied = `denied_parameters = { "${present}" = [] }`
      const write = writes(
        await holder(`path "${path}" { capabilities = ["create", "update", "sudo"] ${denied} }`),
        path,
      )
      expect(await write({ [present]: '1' })).toBe(403)
      expect(await write({ [old]: '1' })).toBe(403)
    })

    test('every field that is described as another name of one is known to policies as such', () => {
      const lacking = app.app.endpoints.flatMap(({ id, api, body, fieldNotes }) => {
        const properties: Record<string, { description?: string }> = (body?.schema as TObject)?.properties ?? {}
        return Object.entries(properties)
          .filter(([, { description = '' }]) => api === 'v1' && /\b(old|older|deprecated) name of\b/i.test(description))
          .filter(([name]) => (fieldNotes?.get(name)?.spellings.indexOf(name) ?? 0) < 1)
          .map(([name]) => `${id} ${name}`)
      })
      expect(lacking).toEqual([])
    })

    test('a text that is no list may hold commas', async () => {
      const write = writes(
        await holder(`
          path "sys/policies/acl/+" { capabilities = ["update"] allowed_parameters = { "policy" = ["path*"] } }
        `),
        'sys/policies/acl/commas',
      )
      expect(await write({ policy: 'path "a" { capabilities = ["read", "list"] }' })).toBe(204)
    })
  })
})
