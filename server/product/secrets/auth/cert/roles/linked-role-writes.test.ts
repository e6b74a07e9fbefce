import { beforeAll, expect, test } from 'vitest'
import { sharedCertApp } from '../../../../../../test/support/cert-login.ts'
import { mintCa, mintLeaf } from '../../../../../../test/support/certificates.ts'
import type { Client } from '../../../../../../test/support/client.ts'
import { eachEngine } from '../../../../../../test/support/databases.ts'
import { doc, mustBe, organization, person, team } from '../../../../../../test/support/platform.ts'
import { shared } from '../../../../../../test/support/shared.ts'

eachEngine((engine) => {
  const app = sharedCertApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const certificate = mintCa({ commonName: 'Own CA' })
  const denied = { status: 403, body: { errors: ['permission denied'] } }

  beforeAll(async () => {
    mustBe(await ann.patch('/api/v2/account/update', doc('users', { 'allow-certificate-login': true })), 200)
    const victim = await organization(ann, 'victim')
    await team(victim, 'deploy', { 'allow-certificate-login': true })
    mustBe(await app.root.post('/v1/sys/auth/tenant-a', { type: 'cert' }), 204)
  })

  let policies = 0
  const under = async (policy: string): Promise<Client> => {
    const name = `links-${policies++}`
    mustBe(await app.root.post(`/v1/sys/policies/acl/${name}`, { policy }), 204)
    const token = await app.root.post('/v1/auth/token/create', { policies: [name] })
    return app.anonymous.as(token.body.auth.client_token)
  }
  const rule = (path: string, ...more: string[]): string =>
    `path "auth/${path}" { capabilities = ${JSON.stringify(['create', 'read', 'update', 'delete', ...more])} }\n`

  test('links: whoever may only write a role cannot sign in as a person with their own CA', async () => {
    const mallory = await under(rule('cert/certs/lab-*'))
    const path = '/v1/auth/cert/certs/lab-x'
    expect(await mallory.post(path, { certificate: certificate.pem, platform_user: 'ann' })).toMatchObject(denied)
    mustBe(await app.root.get(path), 404)
    mustBe(await mallory.post(path, { certificate: certificate.pem }), 204)
    expect(await mallory.post(path, { platform_user: 'ann' })).toMatchObject(denied)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const raw = 'certificate=true&role=lab-x'
    mustBe(await app.with(mintLeaf(certificate)).post('/app/sign-in', undefined, { raw, headers }), 401)
  })

  test('links: whoever may only write roles of one mount cannot act as a team', async () => {
    const mallory = await under(rule('tenant-a/*'))
    const path = '/v1/auth/tenant-a/certs/x'
    const linked = { certificate: certificate.pem, platform_team: 'victim/deploy' }
    expect(await mallory.post(path, linked)).toMatchObject(denied)
    mustBe(await mallory.post(path, { ...linked, platform_team: '' }), 204)
    mustBe(await (await under(rule('tenant-a/*', 'sudo'))).post(path, linked), 204)
  })

  test('links: every write of a linked role needs sudo, so nobody swaps its CA or ends its link', async () => {
    const path = '/v1/auth/cert/certs/prod'
    const linked = { certificate: app.ca.pem, allowed_common_names: 'web-*', platform_team: 'victim/deploy' }
    await app.role('prod', linked)
    const before = (await app.root.get(path)).body.data
    const writer = await under(rule('cert/certs/*'))
    const changes = [
      { certificate: certificate.pem },
      { allowed_common_names: '*' },
      { platform_team: '' },
      { platform_user: 'ann' },
      { display_name: 'other' },
      {},
    ]
    for (const change of changes) expect(await writer.post(path, change)).toMatchObject(denied)
    expect((await app.root.get(path)).body.data).toEqual(before)
    const trusted = await under(rule('cert/certs/prod', 'sudo'))
    mustBe(await trusted.post(path, { allowed_common_names: 'app-*' }), 204)
    mustBe(await trusted.post(path, { platform_team: '' }), 204)
    mustBe(await writer.post(path, { certificate: certificate.pem }), 204)
  })

  test('links: a field that a policy requires may be sent by its older name with sudo too', async () => {
    const parameters = 'required_parameters = ["token_ttl"]'
    const trusted = await under(
      `path "auth/cert/certs/*" { capabilities = ["create", "update", "sudo"] ${parameters} }`,
    )
    const linked = { certificate: app.ca.pem, platform_team: 'victim/deploy' }
    mustBe(await trusted.post('/v1/auth/cert/certs/aged', { ...linked, ttl: '1h' }), 204)
    mustBe(await trusted.post('/v1/auth/cert/certs/aged', { ...linked, token_ttl: '1h' }), 204)
    mustBe(await trusted.post('/v1/auth/cert/certs/aged', linked), 403)
  })

  test('links: sudo on another spelling of the name does not help if the name has a rule without it', async () => {
    await app.role('Spelled', { certificate: app.ca.pem, platform_team: 'victim/deploy' })
    const change = { certificate: certificate.pem }
    const mallory = await under(rule('cert/certs/SPELLED', 'sudo') + rule('cert/certs/spelled'))
    expect(await mallory.post('/v1/auth/cert/certs/SPELLED', change)).toMatchObject(denied)
    expect(await mallory.post('/v1/auth/cert/certs/spelled', change)).toMatchObject(denied)
  })
})
