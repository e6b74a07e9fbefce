import { createHash } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { mustBe, person } from '../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'

const verifier = 'a-verifier-of-at-least-forty-three-characters-000'
const challenge = createHash('sha256').update(verifier).digest('base64url')
const redirectUri = 'http://localhost:10003/login'
const requested = {
  response_type: 'code',
  client_id: 'terraform-cli',
  redirect_uri: redirectUri,
  state: 'question 1',
  code_challenge: challenge,
  code_challenge_method: 'S256',
}
const page = (changes: Record<string, string> = {}) =>
  `/oauth/authorization?${new URLSearchParams({ ...requested, ...changes })}`
const form = { 'content-type': 'application/x-www-form-urlencoded' }

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  let cookie: string
  let csrf: string

  beforeAll(async () => {
    const signedIn = mustBe(await submit('/app/sign-in', { token: ann.token }), 303)
    cookie = String(signedIn.headers['set-cookie']).split(';')[0] as string
    csrf = (await app.anonymous.get('/app/session', { headers: { cookie } })).body.csrf_token
  })

  const submit = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    app.anonymous.post(path, undefined, {
      raw: new URLSearchParams(fields).toString(),
      headers: { ...form, ...headers },
    })
  const allow = async (): Promise<string> => {
    const answer = mustBe(await submit(page(), { csrf, decision: 'allow' }, { cookie }), 303)
    const target = new URL(String(answer.headers.location))
    expect(target.origin + target.pathname).toBe(redirectUri)
    expect(target.searchParams.get('state')).toBe('question 1')
    return target.searchParams.get('code') ?? ''
  }
  const redeem = (code: string, changes: Record<string, string> = {}) =>
    submit('/oauth/token', {
      grant_type: 'authorization_code',
      client_id: 'terraform-cli',
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri,
      ...changes,
    })

  test('forms: a body larger than any form, sent without a session, is 413', async () => {
    for (const path of ['/oauth/token', '/oauth/authorization', '/app/sign-out']) {
      mustBe(await submit(path, { code: 'x'.repeat(100_000) }), 413)
    }
  })

  test('login: service discovery, consent in the browser and the code exchange yield a working token', async () => {
    const found = mustBe(await app.anonymous.get('/.well-known/terraform.json'), 200).body
    expect(found['login.v1']).toMatchObject({ client: 'terraform-cli', authz: '/oauth/authorization' })
    expect(mustBe(await app.anonymous.get(page(), { headers: { cookie } }), 200).text).toContain('localhost:10003')
    const { body: issued, headers } = mustBe(await redeem(await allow()), 200)
    // RFC 6749 §5.1
    expect(headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' })
    expect(issued.token_type).toBe('bearer')
    const account = mustBe(await app.anonymous.as(issued.access_token).get('/api/v2/account/details'), 200)
    const tokens = mustBe(await ann.get(`/api/v2/users/${ann.id}/authentication-tokens`), 200).body.data
    const ends = { description: 'Command line login', 'expired-at': expect.any(String) }
    expect(tokens).toContainEqual(expect.objectContaining({ attributes: expect.objectContaining(ends) }))
    expect(account.body.data.id).toBe(ann.id)
  })

  test('login: without a session the consent page redirects to sign-in, which redirects back', async () => {
    const location = String(mustBe(await app.anonymous.get(page()), 303).headers.location)
    const next = new URL(location, 'http://x').searchParams.get('next') ?? ''
    expect(next).toBe(page())
    const back = mustBe(await submit('/app/sign-in', { token: ann.token, next }), 303)
    expect(back.headers.location).toBe(page())
  })

  test('login: the code of a user who is then suspended is invalid_grant, also after unsuspending', async () => {
    const bob = await person(app, 'bob')
    const signedIn = mustBe(await submit('/app/sign-in', { token: bob.token }), 303)
    const bobs = String(signedIn.headers['set-cookie']).split(';')[0] as string
    const proof = (await app.anonymous.get('/app/session', { headers: { cookie: bobs } })).body.csrf_token
    const allowed = mustBe(await submit(page(), { csrf: proof, decision: 'allow' }, { cookie: bobs }), 303)
    const code = new URL(String(allowed.headers.location)).searchParams.get('code') ?? ''
    mustBe(await app.root.post(`/api/v2/admin/users/${bob.id}/actions/suspend`), 200)
    expect(mustBe(await redeem(code), 400).body.error).toBe('invalid_grant')
    mustBe(await app.anonymous.get(page(), { headers: { cookie: bobs } }), 303)
    mustBe(await app.root.post(`/api/v2/admin/users/${bob.id}/actions/unsuspend`), 200)
    mustBe(await redeem(code), 400)
  })

  test('login: allowing without the CSRF token is 403', async () => {
    mustBe(await submit(page(), { decision: 'allow' }, { cookie }), 403)
  })

  test('login: denying redirects to the client with error=access_denied', async () => {
    const answer = mustBe(await submit(page(), { csrf, decision: 'deny' }, { cookie }), 303)
    expect(answer.headers.location).toContain('error=access_denied')
  })

  test('code: can be redeemed once, also when several requests redeem it concurrently', async () => {
    const code = await allow()
    const all = await Promise.all(Array.from({ length: 5 }, () => redeem(code)))
    expect(all.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400])
  })

  test.each([
    ['another code_verifier', { code_verifier: `${verifier}x` }],
    ['another redirect_uri', { redirect_uri: 'http://localhost:10004/login' }],
    ['another client', { client_id: 'other' }],
    ['another grant_type', { grant_type: 'password' }],
  ])('code: redeeming it with %s is 400 and issues no token', async (_name, changes) => {
    const answer = mustBe(await redeem(await allow(), changes), 400)
    expect(answer.body.access_token).toBeUndefined()
  })

  test.each(['grant_type', 'code', 'code_verifier', 'redirect_uri'])(
    'code: a token request without %s is 400 invalid_request and names the parameter',
    async (name) => {
      const { body } = mustBe(await redeem(await allow(), { [name]: '' }), 400)
      expect(body).toEqual({ error: 'invalid_request', error_description: `${name} is missing.` })
    },
  )

  test('code: after 60 seconds it is invalid_grant', async () => {
    const code = await allow()
    app.clock.advance('60s')
    expect(mustBe(await redeem(code), 400).body.error).toBe('invalid_grant')
  })

  test.each([
    ['another host', { redirect_uri: 'http://evil.example:10003/login' }],
    ['a look-alike host', { redirect_uri: 'http://localhost.evil.example:10003/' }],
    ['a user in the address', { redirect_uri: 'http://localhost:10003@evil.example:10003/' }],
    ['another port', { redirect_uri: 'http://localhost:22/login' }],
    ['another scheme', { redirect_uri: 'javascript:alert(1)' }],
    ['another client', { client_id: 'other' }],
    ['another client and response_type', { client_id: 'other', response_type: 'token' }],
  ])('authorization request: with %s it is 400 and redirects nowhere', async (_name, changes) => {
    const answer = mustBe(await app.anonymous.get(page(changes), { headers: { cookie } }), 400)
    expect([answer.headers.location, answer.text.includes('evil')]).toEqual([undefined, false])
  })

  test.each([
    ['no code_challenge', { code_challenge: '' }, 'invalid_request'],
    ['a plain code_challenge_method', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no response_type', { response_type: '' }, 'invalid_request'],
    ['an unsupported response_type', { response_type: 'token' }, 'unsupported_response_type'],
  ])('authorization request: with %s the redirect carries error and state', async (_name, changes, error) => {
    const target = new URL(String(mustBe(await app.anonymous.get(page(changes)), 303).headers.location))
    expect(target.origin + target.pathname).toBe(redirectUri)
    const { error_description: text, ...rest } = Object.fromEntries(target.searchParams)
    expect(rest).toEqual({ error, state: 'question 1' })
    // RFC 6749 §4.1.2.1
    expect(text).toMatch(/^[ !#-[\]-~]+$/)
  })
})
