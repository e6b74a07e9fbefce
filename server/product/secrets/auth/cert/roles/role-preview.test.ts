import { expect, test } from 'vitest'
import { sharedCertApp } from '../../../../../../test/support/cert-login.ts'
import { mintCa, mintIntermediate } from '../../../../../../test/support/certificates.ts'
import { eachEngine } from '../../../../../../test/support/databases.ts'

eachEngine((engine) => {
  const app = sharedCertApp({ engine })
  const preview = async (name: string, fields: object) =>
    (await app.root.post(`/v1/auth/cert/certs/${name}/preview`, fields)).body.data

  test('preview: is for those who may write the role, whatever the case of its name', async () => {
    expect((await app.anonymous.post('/v1/auth/cert/certs/web/preview', {})).status).toBe(403)
    await app.role('web', { certificate: app.ca.pem })
    const policy =
      'path "auth/cert/certs/*" { capabilities = ["update"] }\npath "auth/cert/certs/web/*" { capabilities = ["deny"] }'
    await app.root.put('/v1/sys/policies/acl/most', { policy })
    const { body } = await app.root.post('/v1/auth/token/create', { policies: ['most'] })
    const caller = app.anonymous.as(body.auth.client_token)
    expect((await caller.post('/v1/auth/cert/certs/WEB/preview', {})).status).toBe(403)
    expect((await caller.post('/v1/auth/cert/certs/other/preview', {})).status).toBe(200)
  })

  test('preview: shows each certificate as it was read, and stores nothing', async () => {
    const below = mintIntermediate(app.ca, { commonName: 'Below', pathLength: 0 })
    const { kind, certificates, problem, warnings } = await preview('new', { certificate: app.ca.pem + below.pem })
    expect([kind, problem, warnings]).toEqual(['ca', '', []])
    expect(certificates[1]).toMatchObject({
      subject: 'CN=Below',
      issuer: certificates[0].subject,
      is_ca: true,
      self_issued: false,
      path_length: 0,
      key: 'ECDSA P-256',
      signature: 'ECDSA with SHA-256',
      key_usage: expect.arrayContaining(['sign certificates']),
    })
    expect((await app.root.get('/v1/auth/cert/certs/new')).status).toBe(404)
  })

  test('preview: tells the warnings of the write, and why it would be refused', async () => {
    const soon = mintCa({ commonName: 'Soon', notAfter: new Date(app.clock.now() + 5 * 86_400_000) })
    expect((await preview('new', { certificate: soon.pem })).warnings).toEqual([expect.stringMatching(/expires at/)])
    const ttl = { certificate: app.ca.pem, token_ttl: 20, token_max_ttl: 10 }
    const refused = await preview('new', ttl)
    expect(refused.problem).toMatch(/'token_ttl'.*must not exceed/)
    expect(refused.certificates).toHaveLength(1)
    expect((await app.root.post('/v1/auth/cert/certs/new', ttl)).body.errors).toEqual([refused.problem])
    const nothing = await preview('new', { certificate: 'no certificate' })
    expect(nothing).toMatchObject({ kind: '', certificates: [], problem: expect.stringMatching(/could not be parsed/) })
  })

  test('preview: fields that are not sent are those that are stored', async () => {
    await app.role('kept', { certificate: app.ca.pem, token_max_ttl: 10 })
    expect((await preview('kept', {})).certificates).toHaveLength(1)
    expect((await preview('kept', { token_ttl: 20 })).problem).toMatch(/must not exceed/)
  })
})
