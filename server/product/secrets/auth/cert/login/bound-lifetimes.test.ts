import { expect, test } from 'vitest'
import { ownCertApp, sharedCertApp } from '../../../../../../test/support/cert-login.ts'
import type { Minted } from '../../../../../../test/support/certificates.ts'
import { recordingLog } from '../../../../../../test/support/recording-log.ts'

const app = sharedCertApp()
const validFor = (seconds: number): Minted => app.leaf({ notAfter: new Date(app.clock.now() + seconds * 1_000) })
const selfPath = '/v1/auth/token/lookup-self'

test.each<[string, Record<string, unknown>, number, [number, number]]>([
  ['a bound token ends with its certificate', { token_ttl: 3600 }, 600, [590, 600]],
  ['a bound token with a period, too', { token_period: 3600 }, 600, [590, 600]],
  ['a bound batch token, too', { token_ttl: 3600, token_type: 'batch' }, 600, [590, 600]],
  ['a shorter lifetime stays', { token_ttl: 60 }, 600, [60, 60]],
  ['a shorter explicit maximum stays', { token_ttl: 3600, token_explicit_max_ttl: 300 }, 600, [300, 300]],
  [
    'an unbound token lives as long as its role says',
    { token_ttl: 3600, token_bind_certificate: false },
    600,
    [3600, 3600],
  ],
])('lifetimes: %s', async (_what, fields, seconds, [least, most]) => {
  await app.root.delete('/v1/auth/cert/certs/web')
  await app.role('web', { certificate: app.ca.pem, token_bind_certificate: true, ...fields })
  const { lease_duration: lease } = (await app.login(validFor(seconds), { name: 'web' })).body.auth
  expect(lease).toBeGreaterThanOrEqual(least)
  expect(lease).toBeLessThanOrEqual(most)
})

test('lifetimes: renewals of a bound token with a period end with its certificate', async () => {
  const own = await ownCertApp()
  await own.role('web', { certificate: own.ca.pem, token_bind_certificate: true, token_period: 600 })
  const leaf = own.leaf({ notAfter: new Date(own.clock.now() + 900_000) })
  const holder = own.with(leaf, (await own.login(leaf)).body.auth.client_token)
  own.clock.advance('500s')
  const { auth } = (await holder.post('/v1/auth/token/renew-self')).body
  expect(auth.lease_duration).toBeLessThanOrEqual(400)
  own.clock.advance('401s')
  expect((await holder.get(selfPath)).status).toBe(403)
})

test('lifetimes: over a certificate that has expired, a bound token gets 403 even if its own lifetime has not ended', async () => {
  const { log, text } = recordingLog()
  const own = await ownCertApp({ log })
  await own.role('web', { certificate: own.ca.pem, token_bind_certificate: true })
  const leaf = own.leaf({ notAfter: new Date(own.clock.now() + 900_000) })
  const holder = own.with(leaf, (await own.login(leaf)).body.auth.client_token)
  await own.deps.db
    .updateTable('tokens')
    .set({ expires_at: own.clock.now() + 86_400_000 })
    .execute()
  expect((await holder.get(selfPath)).status).toBe(200)
  own.clock.advance('901s')
  expect((await holder.get(selfPath)).status).toBe(403)
  expect(text()).toContain('The certificate that the token is bound to has expired.')
})
