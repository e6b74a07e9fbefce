import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { sharedCertApp } from '../support/cert-login.ts'
import { eachEngine } from '../support/databases.ts'

/** Without repetition: PostgreSQL compresses repeated text and would accept it. */
const longName = (): string => randomBytes(1_500).toString('hex')

eachEngine((engine) => {
  describe('names too long for an index', () => {
    const app = sharedCertApp({ engine })
    beforeAll(async () => {
      await app.role('web', { certificate: app.ca.pem })
    })

    test.each([
      ['a certificate role', (name: string) => `/v1/auth/cert/certs/${name}`, () => ({ certificate: app.ca.pem })],
      ['a revocation list', (name: string) => `/v1/auth/cert/crls/${name}`, () => ({ crl: 'x' })],
      ['an auth method', (name: string) => `/v1/sys/auth/${name}`, () => ({ type: 'cert' })],
      ['a token role', (name: string) => `/v1/auth/token/roles/${name}`, () => ({})],
      ['a policy', (name: string) => `/v1/sys/policies/acl/${name}`, () => ({ policy: 'path "a" {}' })],
      ['an entity', (name: string) => `/v1/identity/entity/name/${name}`, () => ({})],
      ['a private value', (name: string) => `/v1/cubbyhole/${name}`, () => ({ key: 'value' })],
    ])('%s with such a name is refused with 400', async (_what, path, body) => {
      const { status, body: answer } = await app.root.post(path(longName()), body())
      expect(status).toBe(400)
      expect(answer.errors).toEqual([expect.stringContaining('has more than')])
    })

    test('an entity alias with such a name is refused with 400', async () => {
      const { accessor } = (await app.root.get('/v1/sys/auth/cert')).body.data
      const { id } = (await app.root.post('/v1/identity/entity', { name: 'someone' })).body.data
      const fields = { canonical_id: id, mount_accessor: accessor }
      expect((await app.root.post('/v1/identity/entity-alias', { name: longName(), ...fields })).status).toBe(400)
    })

    test('moving an auth method to such a path is refused with 400', async () => {
      const { status } = await app.root.post('/v1/sys/remount', { from: 'auth/cert', to: `auth/${longName()}` })
      expect(status).toBe(400)
    })

    test('a certificate with such a URI name is refused with 400; 2,048 characters are accepted', async () => {
      const long = app.leaf({ commonName: '', uris: [`spiffe://example.com/${longName()}`] })
      expect((await app.login(long)).status).toBe(400)
      const longest = app.leaf({ commonName: '', uris: [`spiffe://e/${longName()}`.slice(0, 2_048)] })
      expect((await app.login(longest)).status).toBe(200)
    })
  })
})
