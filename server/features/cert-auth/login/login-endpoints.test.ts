import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CertApp, certApp } from '../../../../test/support/cert-login.ts'
import { eachEngine } from '../../../../test/support/databases.ts'

eachEngine((engine) => {
  let app: CertApp
  beforeAll(async () => {
    app = await certApp({ engine })
    await app.role('web', { certificate: app.ca.pem, token_policies: 'web', token_ttl: '1h' })
  })
  afterAll(() => app.close())

  test('login: a certificate of a trusted CA gets a token that works', async () => {
    const answer = await app.login(app.leaf({ commonName: 'web-1' }), { name: 'web' })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ lease_id: '', data: {}, wrap_info: null })
    expect(answer.body.auth).toMatchObject({
      policies: ['default', 'web'],
      token_policies: ['default', 'web'],
      lease_duration: 3600,
      renewable: true,
      token_type: 'service',
      orphan: true,
      num_uses: 0,
      mfa_requirement: null,
      metadata: { cert_name: 'web', common_name: 'web-1' },
    })
    const self = await app.anonymous.as(answer.body.auth.client_token).get('/v1/auth/token/lookup-self')
    expect(self.body.data).toMatchObject({
      path: 'auth/cert/login',
      display_name: 'cert-web',
      policies: ['default', 'web'],
    })
  })
})
