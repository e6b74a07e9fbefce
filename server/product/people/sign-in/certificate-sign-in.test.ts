import { beforeAll, expect, test } from 'vitest'
import { ownCertApp, sharedCertApp } from '../../../../test/support/cert-login.ts'
import type { Minted } from '../../../../test/support/certificates.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import { doc, mustBe, person } from '../../../../test/support/platform.ts'
import { shared } from '../../../../test/support/shared.ts'

eachEngine((engine) => {
  const app = sharedCertApp({ engine })
  const ann = shared(() => person(app, 'ann'))

  beforeAll(async () => {
    const certificate = app.ca.pem
    await app.role('machines', { certificate, allowed_common_names: 'web-*' })
    await app.role('ann', { certificate, allowed_email_sans: ann.email, platform_user: 'ann' })
  })

  const allow = async (agreed: boolean) =>
    mustBe(await ann.patch('/api/v2/account/update', doc('users', { 'allow-certificate-login': agreed })), 200)

  /** Submits the form with this certificate, then reads the session with the cookie of the answer. */
  const signIn = async (identity: Minted, fields: Record<string, string> = {}) => {
    const client = app.with(identity)
    const raw = new URLSearchParams({ certificate: 'true', ...fields }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await client.post('/app/sign-in', undefined, { raw, headers })
    const cookie = [answer.headers['set-cookie']].flat()[0]?.split(';')[0] ?? ''
    const session = cookie ? await client.get('/app/session', { headers: { cookie } }) : undefined
    return { status: answer.status, username: session?.body.username, text: answer.text }
  }
  const annsCard = () => app.leaf({ commonName: 'Ann', emails: [ann.email] })

  test('certificate: signs a user in only while that user allows it (allow-certificate-login)', async () => {
    const card = annsCard()
    expect((await signIn(card)).status).toBe(401)
    const { attributes } = (await allow(true)).body.data
    expect(attributes['allow-certificate-login']).toBe(true)
    expect(await signIn(card)).toMatchObject({ status: 303, username: 'ann' })
    expect(await signIn(card, { role: 'ann' })).toMatchObject({ status: 303, username: 'ann' })
    await allow(false)
    expect((await signIn(card)).status).toBe(401)
  })

  test('certificate: the session ends with the certificate', async () => {
    const own = await ownCertApp({ engine })
    const bob = await person(own, 'bob')
    mustBe(await bob.patch('/api/v2/account/update', doc('users', { 'allow-certificate-login': true })), 200)
    await own.role('bob', { certificate: own.ca.pem, platform_user: 'bob' })
    const client = own.with(own.leaf({ notAfter: new Date(own.clock.now() + 3_600_000) }))
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = mustBe(await client.post('/app/sign-in', undefined, { raw: 'certificate=true', headers }), 303)
    const cookie = [answer.headers['set-cookie']].flat()[0]?.split(';')[0] ?? ''
    const status = async () => (await client.get('/app/session', { headers: { cookie } })).status
    own.clock.advance('59m')
    expect(await status()).toBe(200)
    own.clock.advance('1m')
    expect(await status()).toBe(401)
  })

  test('certificate: refused while the person is suspended', async () => {
    await allow(true)
    const card = annsCard()
    mustBe(await app.root.post(`/api/v2/admin/users/${ann.id}/actions/suspend`), 200)
    const refused = await signIn(card)
    expect(refused.status).toBe(401)
    expect(refused.text).toContain('Your certificate was received, but it cannot be used to sign in')
    mustBe(await app.root.post(`/api/v2/admin/users/${ann.id}/actions/unsuspend`), 200)
    expect(await signIn(card)).toMatchObject({ status: 303, username: 'ann' })
  })

  test('certificate: for a machine, an unknown user or another role it gets the same 401 page', async () => {
    await allow(true)
    const machine = await signIn(app.leaf({ commonName: 'web-1' }))
    const stranger = await signIn(app.leaf({ commonName: 'Bob', emails: ['bob@example.com'] }))
    const other = await signIn(annsCard(), { role: 'machines' })
    expect([machine.status, stranger.status, other.status]).toEqual([401, 401, 401])
    expect(other.text).toMatch(/name="role"[^>]* value="machines" aria-invalid="true"[^>]* autofocus>/)
    const same = other.text.replace('value="machines"', 'value=""')
    expect(new Set([machine.text, stranger.text, same]).size).toBe(1)
    expect(machine.text).toContain('Your certificate was received, but it cannot be used to sign in')
  })

  test('certificate: another role that accepts it but names no user does not prevent the sign-in', async () => {
    await allow(true)
    await app.role('aaa-everybody', { certificate: app.ca.pem })
    expect(await signIn(annsCard())).toMatchObject({ status: 303, username: 'ann' })
    expect((await signIn(annsCard(), { role: 'aaa-everybody' })).status).toBe(401)
  })

  test('certificate: the button shows only if a certificate was presented; without one the form is 401', async () => {
    const button = 'Sign in with certificate'
    expect((await app.with(annsCard()).get('/app/sign-in')).text).toContain(button)
    expect((await app.anonymous.get('/app/sign-in')).text).not.toContain(button)
    const raw = 'certificate=true'
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const refused = mustBe(await app.anonymous.post('/app/sign-in', undefined, { raw, headers }), 401)
    expect(refused.text).toContain('Your browser did not present a certificate.')
    expect(refused.text).toMatch(/name="username"[^>]* autofocus>/)
  })

  test('certificate: a site administrator cannot set allow-certificate-login for another user', async () => {
    const bob = await person(app, 'bob')
    const wish = doc('users', { 'allow-certificate-login': true })
    mustBe(await app.root.patch(`/api/v2/admin/users/${bob.id}`, wish), 200)
    const { attributes } = mustBe(await bob.get('/api/v2/account/details'), 200).body.data
    expect(attributes['allow-certificate-login']).toBe(false)
  })
})
