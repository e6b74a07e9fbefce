import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ownCertApp } from '../../../../../../test/support/cert-login.ts'
import { mintCrl } from '../../../../../../test/support/certificates.ts'
import { eachEngine } from '../../../../../../test/support/databases.ts'
import { serveDuringTest } from '../../../../../../test/support/fakes/loopback.ts'

eachEngine((engine) => {
  test('crl: a list is not stored if the token was revoked while it was fetched', async () => {
    const app = await ownCertApp({ engine })
    await app.role('web', { certificate: app.ca.pem })
    const policy = 'path "auth/cert/crls/*" { capabilities = ["create", "update"] }'
    await app.root.post('/v1/sys/policies/acl/lists', { policy })
    const { client_token: token } = (await app.root.post('/v1/auth/token/create', { policies: ['lists'] })).body.auth
    const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const url = await serveDuringTest(async (_request, response) => {
      asked.resolve()
      await held.promise
      response.end(mintCrl(app.ca, {}).der)
    })
    const writing = app.anonymous.as(token).post('/v1/auth/cert/crls/corp', { url })
    await asked.promise
    await app.root.post('/v1/auth/token/revoke', { token })
    await sleep(150)
    held.resolve()
    expect((await writing).status).toBe(403)
    expect((await app.root.get('/v1/auth/cert/crls/corp')).status).toBe(400)
  })
})
