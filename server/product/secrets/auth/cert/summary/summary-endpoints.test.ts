import { describe, expect, test } from 'vitest'
import { ownCertApp } from '../../../../../../test/support/cert-login.ts'
import { mintCa, mintCrl } from '../../../../../../test/support/certificates.ts'
import { eachEngine } from '../../../../../../test/support/databases.ts'

eachEngine((engine) => {
  describe('summary', () => {
    test('is for those who may read it', async () => {
      const app = await ownCertApp({ engine })
      for (const part of ['roles', 'crls', 'trust'])
        expect((await app.anonymous.get(`/v1/auth/cert/summary/${part}`)).status).toBe(403)
    })

    test('roles: what they trust, and what they accepted and refused in the last day', async () => {
      const app = await ownCertApp({ engine })
      await app.role('Web', { certificate: app.ca.pem, allowed_common_names: 'web-*', token_policies: 'web' })
      await app.role('pinned_1', { certificate: app.leaf({ commonName: 'x' }).pem })
      await app.role('db', { certificate: `${app.ca.pem}\n${mintCa({ commonName: 'B' }).pem}` })
      await app.login(app.leaf({ commonName: 'old' }), { name: 'web' })
      app.clock.advance('25h')
      await app.login(app.leaf({ commonName: 'web-1' }), { name: 'web' })
      await app.login(app.leaf({ commonName: 'nobody' }), { name: 'web' })
      const { roles, total } = (await app.root.get('/v1/auth/cert/summary/roles')).body.data
      expect([roles.map(({ name }: { name: string }) => name), total]).toEqual([['db', 'pinned_1', 'Web'], 3])
      expect(roles[0]).toMatchObject({ pinned: false, certificates: 2, accepted: 0, refused: 0, last_login: null })
      expect(roles[1]).toMatchObject({ pinned: true, certificates: 1 })
      expect(roles[2]).toMatchObject({ accepted: 1, refused: 1, clients: 1, token_policies: ['web'] })
      const page = async (query: string) =>
        (await app.root.get(`/v1/auth/cert/summary/roles?${query}`)).body.data.roles.map(
          ({ name }: { name: string }) => name,
        )
      expect(await page('search=_1')).toEqual(['pinned_1'])
      expect(await page('after=DB&limit=1')).toEqual(['pinned_1'])
      expect(await page('search=nothing')).toEqual([])
    })

    test('crls: how fresh and how long each list is', async () => {
      const app = await ownCertApp({ engine })
      expect((await app.root.get('/v1/auth/cert/summary/crls')).body.data).toEqual({ lists: [] })
      await app.role('web', { certificate: app.ca.pem })
      const put = (name: string, crl: string) => app.root.post(`/v1/auth/cert/crls/${name}`, { crl })
      const soon = new Date(app.clock.now() + 3_600_000)
      await put('own', mintCrl(app.ca, { revoked: [{ serial: 5n }], nextUpdate: soon }).pem)
      await put('foreign', mintCrl(mintCa({ commonName: 'Foreign' }), {}).pem)
      const lists = async () => (await app.root.get('/v1/auth/cert/summary/crls')).body.data.lists
      expect(await lists()).toEqual([
        expect.objectContaining({ name: 'foreign', in_force: false, signature_verified: false, entries: 0 }),
        expect.objectContaining({ name: 'own', in_force: true, signature_verified: true, entries: 1, stale: false }),
      ])
      app.clock.advance('2h')
      expect((await lists())[1]).toMatchObject({ stale: true, next_fetch: null, url: '' })
    })

    test('trust: each certificate once, with its roles, lists and clients', async () => {
      const app = await ownCertApp({ engine })
      const other = mintCa({ commonName: 'Other', notAfter: new Date(app.clock.now() + 5 * 86_400_000) })
      await app.role('one', { certificate: app.ca.pem })
      await app.role('Two', { certificate: `${app.ca.pem}\n${other.pem}` })
      await app.root.post('/v1/auth/cert/crls/own', { crl: mintCrl(app.ca, {}).pem })
      await app.login(app.leaf({ commonName: 'web-1' }))
      const { certificates, total } = (await app.root.get('/v1/auth/cert/summary/trust')).body.data
      expect(total).toBe(2)
      expect(certificates).toEqual([
        expect.objectContaining({
          subject: 'CN=Other',
          days_left: 4,
          roles: 1,
          role_names: ['Two'],
          lists: [],
          clients: 0,
        }),
        expect.objectContaining({ roles: 2, role_names: ['one', 'Two'], lists: ['own'], clients: 1, logins: 1 }),
      ])
      expect((await app.root.get('/v1/auth/cert/summary/trust?limit=1')).body.data.certificates).toHaveLength(1)
    })
  })
})
