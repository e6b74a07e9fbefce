import { describe, expect, test } from 'vitest'
import type { Client } from '../../../test/support/client.ts'
import { eachEngine } from '../../../test/support/databases.ts'
import { shared, sharedApp } from '../../../test/support/shared.ts'
import { tokenCalls } from '../../../test/support/token-calls.ts'

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
