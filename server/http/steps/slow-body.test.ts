import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mintCa } from '../../../test/support/certificates.ts'
import { eachEngine } from '../../../test/support/databases.ts'
import { sendSlowly } from '../../../test/support/slow-body.ts'
import { type TestApp, testApp } from '../../../test/support/test-app.ts'

type Meanwhile = () => Promise<unknown>

const nothing: Meanwhile = async () => undefined

eachEngine((engine) => {
  describe('slow bodies: what one node changes meanwhile counts on the other', () => {
    let here: TestApp
    let there: TestApp
    beforeAll(async () => {
      here = await testApp({ engine })
      there = await testApp({ beside: here })
      const attributes = { name: 'acme', email: 'ops@example.com' }
      await here.root.post('/api/v2/organizations', { data: { type: 'organizations', attributes } })
    })
    afterAll(async () => {
      await there.close()
      await here.close()
    })

    const sendThere = (path: string, token: string, body: object, meanwhile: Meanwhile) =>
      sendSlowly({ url: `${there.url}${path}`, token, body, meanwhile })

    test('a token that was revoked is refused', async () => {
      const policy = 'path "sys/policies/acl/slow" { capabilities = ["create", "update"] }'
      await here.root.post('/v1/sys/policies/acl/writers', { policy })
      const { auth } = (await here.root.post('/v1/auth/token/create', { policies: ['writers'] })).body
      const write = (meanwhile: Meanwhile) =>
        sendThere('/v1/sys/policies/acl/slow', auth.client_token, { policy }, meanwhile)
      expect(await write(nothing)).toBe(204)
      const revoke = () => here.root.post('/v1/auth/token/revoke-accessor', { accessor: auth.accessor })
      expect(await write(revoke)).toBe(403)
    })

    test('a token whose large body is authenticated before it is read is asked again, but pays one use', async () => {
      const policy = `path "sys/policies/acl/slow" { capabilities = ["create", "update"] }\n${'#'.repeat(70_000)}`
      await here.root.post('/v1/sys/policies/acl/writers', { policy })
      const create = { policies: ['writers'], num_uses: 3 }
      const counted = (await here.root.post('/v1/auth/token/create', create)).body.auth
      const write = (token: string, meanwhile: Meanwhile) =>
        sendThere('/v1/sys/policies/acl/slow', token, { policy }, meanwhile)
      expect(await write(counted.client_token, nothing)).toBe(204)
      const lookup = await here.root.post('/v1/auth/token/lookup-accessor', { accessor: counted.accessor })
      expect(lookup.body.data.num_uses).toBe(2)
      for (const uses of [0, 1, 2]) {
        const { auth } = (await here.root.post('/v1/auth/token/create', { ...create, num_uses: uses })).body
        const revoke = () => here.root.post('/v1/auth/token/revoke-accessor', { accessor: auth.accessor })
        expect(await write(auth.client_token, revoke)).toBe(403)
      }
    })

    test('an API token that was deleted is refused', async () => {
      const owner = (await here.root.get('/api/v2/account/details')).body.data.id
      const description = { data: { type: 'authentication-tokens', attributes: { description: 'slow' } } }
      const made = await here.root.post(`/api/v2/users/${owner}/authentication-tokens`, description)
      const { id, attributes } = made.body.data
      const create = (name: string, meanwhile: Meanwhile) => {
        const body = { data: { type: 'workspaces', attributes: { name } } }
        return sendThere('/api/v2/organizations/acme/workspaces', attributes.token, body, meanwhile)
      }
      expect(await create('first', nothing)).toBe(201)
      expect(await create('second', () => here.root.delete(`/api/v2/authentication-tokens/${id}`))).toBe(401)
    })

    test('an answer that was wrapped with new keys is unwrapped', async () => {
      const wrapped = { token: '' }
      const wrapAfterRotation = async () => {
        await here.root.post('/v1/sys/rotate')
        const answer = await here.root.get('/v1/auth/token/lookup-self', { headers: { 'x-vault-wrap-ttl': '60s' } })
        wrapped.token = answer.body.wrap_info.token
      }
      expect(await sendThere('/v1/sys/wrapping/unwrap', here.rootToken, wrapped, wrapAfterRotation)).toBe(200)
    })

    test('a mount that was moved is not found at its old path', async () => {
      await here.root.post('/v1/sys/auth/leaving', { type: 'cert' })
      const policy = 'path "auth/leaving/*" { capabilities = ["create", "update"] }'
      await here.root.post('/v1/sys/policies/acl/leaving', { policy })
      const { auth } = (await here.root.post('/v1/auth/token/create', { policies: ['leaving'] })).body
      const move = () => here.root.post('/v1/sys/remount', { from: 'auth/leaving', to: 'auth/arrived' })
      const role = { certificate: mintCa({ commonName: 'Slow CA' }).pem }
      expect(await sendThere('/v1/auth/leaving/certs/evil', auth.client_token, role, move)).toBe(404)
      expect((await here.root.get('/v1/auth/arrived/certs/evil')).status).toBe(404)
    })

    test('a device that was enabled records the request', async () => {
      const path = `${here.data.directory}/slow-body-audit.log`
      const enable = () => here.root.post('/v1/sys/audit/slow', { type: 'file', options: { file_path: path } })
      const policy = 'path "sys/policies/acl/slow" { capabilities = ["create", "update"] }'
      expect(await sendThere('/v1/sys/policies/acl/recorded', here.rootToken, { policy }, enable)).toBe(204)
      expect(await readFile(path, 'utf8')).toContain('sys/policies/acl/recorded')
      await here.root.delete('/v1/sys/audit/slow')
    })
  })
})
