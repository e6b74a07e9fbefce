import { beforeEach, expect, test } from 'vitest'
import { sharedCertApp } from '../../../../../../test/support/cert-login.ts'
import {
  type Minted,
  mintCa,
  mintCrl,
  mintIntermediate,
  mintLeaf,
} from '../../../../../../test/support/certificates.ts'
import { eachEngine } from '../../../../../../test/support/databases.ts'

const config = '/v1/auth/cert/config'

eachEngine((engine) => {
  const app = sharedCertApp({ engine })
  beforeEach(async () => {
    await app.root.delete('/v1/auth/cert/certs/web')
    await app.role('web', { certificate: app.ca.pem, token_policies: 'Web,ops', token_ttl: '1h', token_max_ttl: '10h' })
    await app.root.post(config, { disable_binding: false, enable_metadata_on_failures: false })
  })

  const tokenOf = async (leaf: Minted): Promise<string> => {
    const answer = await app.login(leaf, { name: 'web' })
    expect(answer.status, answer.text).toBe(200)
    return answer.body.auth.client_token
  }
  const renew = async (token: string, leaf: Pick<Minted, 'chainPem' | 'keyPem'> | undefined, body = {}) => {
    const client = leaf ? app.with(leaf, token) : app.overTls({ ca: app.serverCa.pem }, token)
    const answer = await client.post('/v1/auth/token/renew-self', body)
    client.close()
    return answer
  }

  test('renewal: the certificate of the login renews the token under the current terms of the role', async () => {
    const leaf = app.leaf({ commonName: 'web-1' })
    const token = await tokenOf(leaf)
    const answer = await renew(token, leaf)
    expect(answer.status).toBe(200)
    expect(answer.body.auth).toMatchObject({
      client_token: token,
      lease_duration: 3600,
      renewable: true,
      policies: ['default', 'ops', 'web'],
      metadata: { cert_name: 'web', common_name: 'web-1' },
    })
    expect((await renew(token, leaf, { increment: 7200 })).body.auth.lease_duration).toBe(7200)
    await app.role('web', { token_ttl: 600 })
    expect((await renew(token, leaf)).body.auth.lease_duration).toBe(600)
    await app.role('web', { token_period: 1200 })
    expect((await renew(token, leaf)).body.auth.lease_duration).toBe(1200)
    await app.role('web', { token_period: 0, token_ttl: 0, token_max_ttl: 900 })
    expect((await renew(token, leaf)).body.auth.lease_duration).toBe(900)
  })

  test('renewal: another certificate of the CA, another key, another CA or no certificate gets 400', async () => {
    const leaf = app.leaf({ commonName: 'web-1' })
    const token = await tokenOf(leaf)
    const other = mintCa({ commonName: 'Other CA' })
    await app.role('web', { certificate: app.ca.pem + other.pem })
    const strangers = [
      app.leaf({ commonName: 'web-2' }),
      app.leaf({ commonName: 'web-1' }),
      app.leaf({ commonName: 'web-2', key: leaf.key }),
      mintLeaf(other, { commonName: 'web-1', key: leaf.key }),
      mintLeaf(mintCa(), { commonName: 'web-1' }),
      undefined,
    ]
    for (const stranger of strangers) expect((await renew(token, stranger)).status).toBe(400)
    const plain = await app.anonymous.as(token).post('/v1/auth/token/renew-self')
    expect(plain.status).toBe(400)
    expect((await renew(token, leaf)).status).toBe(200)
  })

  test('renewal: a certificate reissued for the same key and common name renews', async () => {
    const leaf = app.leaf({ commonName: 'web-1', dns: ['a'] })
    const token = await tokenOf(leaf)
    expect((await renew(token, app.leaf({ commonName: 'web-1', dns: ['b'], key: leaf.key }))).status).toBe(200)
  })

  test('renewal: certificates without key identifiers are told apart by their keys', async () => {
    const plain = { commonName: 'web-1', subjectKeyId: null, authorityKeyId: null }
    const leaf = app.leaf(plain)
    const token = await tokenOf(leaf)
    expect((await renew(token, app.leaf(plain))).status).toBe(400)
    expect((await renew(token, leaf)).status).toBe(200)
  })

  test('renewal: new token_bound_cidrs of the role apply to new logins, not to renewals', async () => {
    const leaf = app.leaf()
    const token = await tokenOf(leaf)
    await app.role('web', { token_bound_cidrs: '10.0.0.0/8' })
    expect((await app.login(leaf, { name: 'web' })).status).toBe(403)
    expect((await renew(token, leaf)).status).toBe(200)
  })

  test('renewal: with disable_binding no certificate is needed, but role and policies must still match', async () => {
    const token = await tokenOf(app.leaf())
    await app.root.post(config, { disable_binding: true })
    expect((await renew(token, undefined)).status).toBe(200)
    const accessor = (await app.root.post('/v1/auth/token/lookup', { token })).body.data.accessor
    expect((await app.root.post('/v1/auth/token/renew-accessor', { accessor })).status).toBe(200)
    await app.role('web', { token_policies: 'other' })
    expect((await renew(token, undefined)).status).toBe(400)
    await app.root.delete('/v1/auth/cert/certs/web')
    expect((await renew(token, undefined)).status).toBe(400)
  })

  test('renewal: while binding is on, another caller with the root token gets 400', async () => {
    const token = await tokenOf(app.leaf())
    expect((await app.root.post('/v1/auth/token/renew', { token })).status).toBe(400)
  })

  test.each([
    ['other policies', { token_policies: 'web' }, 400],
    ['further policies', { token_policies: 'web,ops,more' }, 400],
    ['the same in another order and case', { token_policies: ['OPS', 'web'] }, 200],
    ['the same and default', { token_policies: 'web,ops,default' }, 200],
    ['the same without default', { token_no_default_policy: true }, 200],
  ])('renewal: accepted or refused under a role that now has %s', async (_what, fields, status) => {
    const leaf = app.leaf()
    const token = await tokenOf(leaf)
    await app.role('web', fields)
    expect((await renew(token, leaf)).status).toBe(status)
  })

  test('renewal: a failed constraint, another CA, a revocation or a deleted role gets 400', async () => {
    const leaf = app.leaf({ commonName: 'web-1' })
    const token = await tokenOf(leaf)
    await app.role('web', { allowed_common_names: 'other' })
    expect((await renew(token, leaf)).status).toBe(400)
    await app.role('web', { allowed_common_names: [], certificate: mintCa().pem })
    expect((await renew(token, leaf)).status).toBe(400)
    await app.role('web', { certificate: app.ca.pem })
    await app.root.post('/v1/auth/cert/crls/web', { crl: mintCrl(app.ca, { revoked: [leaf.serial] }).pem })
    expect((await renew(token, leaf)).status).toBe(400)
    await app.root.delete('/v1/auth/cert/crls/web')
    expect((await renew(token, leaf)).status).toBe(200)
    await app.root.delete('/v1/auth/cert/certs/web')
    expect((await renew(token, leaf)).status).toBe(400)
  })

  test('renewal: a certificate that expired since the login gets 400, and the TTL is not extended', async () => {
    const leaf = app.leaf({ notAfter: new Date(app.clock.now() + 60_000) })
    const token = await tokenOf(leaf)
    expect((await renew(token, leaf)).status).toBe(200)
    app.clock.advance('61s')
    expect((await renew(token, leaf)).status).toBe(400)
    expect((await app.root.as(token).get('/v1/auth/token/lookup-self')).body.data.ttl).toBe(3539)
  })

  test('renewal: another role that accepts the certificate is not used in place of the one of the login', async () => {
    const leaf = app.leaf()
    const token = await tokenOf(leaf)
    await app.role('spare', { certificate: app.ca.pem, token_policies: 'web,ops' })
    await app.role('web', { allowed_common_names: 'other' })
    expect((await renew(token, leaf)).status).toBe(400)
    await app.root.delete('/v1/auth/cert/certs/spare')
  })

  test('renewal: a certificate below a name-constrained intermediate renews', async () => {
    const intermediate = mintIntermediate(app.ca, { permitted: { dns: ['example.com'] } })
    const leaf = mintLeaf(intermediate, { commonName: 'a', dns: ['a.example.com'] })
    expect((await renew(await tokenOf(leaf), leaf)).status).toBe(200)
  })

  test('renewal: a refused renewal has certificate data only with enable_metadata_on_failures', async () => {
    const leaf = app.leaf({ commonName: 'holder' })
    const token = await tokenOf(leaf)
    const sibling = app.leaf({ commonName: 'sibling' })
    expect((await renew(token, sibling)).body).not.toHaveProperty('data')
    await app.root.post(config, { enable_metadata_on_failures: true })
    expect((await renew(token, sibling)).body.data).toMatchObject({ common_name: 'sibling' })
    await app.role('web', { token_policies: 'others' })
    const refused = await renew(token, leaf)
    expect([refused.status, refused.body.data]).toEqual([400, expect.objectContaining({ common_name: 'holder' })])
  })

  test('renewal: a batch token gets 400; an explicit maximum TTL caps renewals', async () => {
    const leaf = app.leaf()
    await app.role('web', { token_type: 'batch' })
    const batch = await app.login(leaf, { name: 'web' })
    expect(batch.body.auth).toMatchObject({ renewable: false, accessor: '', token_type: 'batch' })
    expect((await renew(batch.body.auth.client_token, leaf)).status).toBe(400)
    await app.role('web', { token_type: 'service', token_explicit_max_ttl: 100, token_period: 60 })
    const token = await tokenOf(leaf)
    app.clock.advance('50s')
    expect((await renew(token, leaf)).body.auth.lease_duration).toBe(50)
    app.clock.advance('49s')
    expect((await renew(token, leaf)).body.auth.lease_duration).toBe(1)
  })
})
