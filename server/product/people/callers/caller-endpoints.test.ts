import { expect, test } from 'vitest'
import { doc, mustBe, organization, person, team } from '../../../../test/support/platform.ts'
import { ownApp, shared, sharedApp } from '../../../../test/support/shared.ts'
import type { Mount } from '../../../kit/mount.ts'
import { issueLoginToken } from '../../secrets/tokens/index.ts'

const app = sharedApp()
const ann = shared(() => person(app, 'ann'))
const acme = shared(() => organization(ann, 'acme'))

test('401: a missing token gets token.missing with a hint, a wrong one token.invalid', async () => {
  const path = '/api/v2/account/details'
  const [bare] = mustBe(await app.anonymous.get(path), 401).body.errors
  expect(bare).toMatchObject({ code: 'token.missing', detail: expect.stringContaining('Authorization: Bearer') })
  const [wrong] = mustBe(await app.anonymous.as('hfu.nonsense').get(path), 401).body.errors
  expect(wrong).toMatchObject({ code: 'token.invalid', detail: expect.stringContaining('has expired') })
})

test('ping: answers 204 to any caller, with the headers clients read', async () => {
  for (const caller of [app.anonymous, app.anonymous.as('nonsense'), ann]) {
    const answer = mustBe(await caller.get('/api/v2/ping'), 204)
    expect(answer.headers).toMatchObject({
      'tfp-api-version': '2.6',
      'tfp-appname': 'Holdfast',
      'x-ratelimit-limit': '0',
    })
    expect(Number(answer.headers['x-ratelimit-reset'])).toBe(0)
    expect(answer.headers['content-type']).toBeUndefined()
  }
})

test('root token: acts as an administrator but gets 404 for organizations of others', async () => {
  mustBe(await app.root.get('/api/v2/organizations/acme'), 404)
  mustBe(await app.root.post('/api/v2/organizations', doc('organizations', { name: 'by-root', email: 'a@b' })), 201)
  mustBe(await app.root.get('/api/v2/organizations/by-root'), 200)
})

test('linked token: acts as its team only while role and team both allow it', async () => {
  await app.root.post('/v1/sys/auth/linked', { type: 'cert' })
  const mount = (await app.deps.mounts.find('auth/linked/login/')) as Mount
  const login = async (platformTeam: string, extra: object = {}) => {
    const grant = { mount, path: 'auth/linked/login', policies: ['default'], displayName: 'ci', platformTeam, ...extra }
    return app.anonymous.as((await issueLoginToken(app.deps, grant)).auth.client_token)
  }
  const robots = await team(acme, 'robots/night')
  const path = `/api/v2/teams/${robots.id}`
  const robot = await login('acme/robots/night')
  mustBe(await robot.get(path), 401)
  mustBe(await ann.patch(path, doc('teams', { 'allow-certificate-login': true })), 200)
  mustBe(await robot.get(path), 200)
  const account = mustBe(await robot.get('/api/v2/account/details'), 200).body.data
  expect(account.relationships['authenticated-resource'].data).toEqual({ type: 'teams', id: robots.id })
  for (const other of ['', 'acme', 'acme/', '/robots/night', 'acme/robots', 'acme/owners', 'nowhere/robots/night']) {
    mustBe(await (await login(other)).get(path), 401)
  }
  const once = await login('acme/robots/night', { numUses: 1 })
  mustBe(await once.get(path), 200)
  mustBe(await once.get(path), 401)
  mustBe(await ann.patch(path, doc('teams', { 'allow-certificate-login': false })), 200)
  mustBe(await robot.get(path), 401)
})

test('linked token: gets 401 if its team was deleted, even if a new team has the same name', async () => {
  await app.root.post('/v1/sys/auth/relinked', { type: 'cert' })
  const mount = (await app.deps.mounts.find('auth/relinked/login/')) as Mount
  const grant = { mount, path: 'auth/relinked/login', policies: [], displayName: 'ci', platformTeam: 'acme/drones' }
  const login = async () => app.anonymous.as((await issueLoginToken(app.deps, grant)).auth.client_token)
  const allowed = { 'allow-certificate-login': true }
  const first = await team(acme, 'drones', allowed)
  const drone = await login()
  mustBe(await drone.get('/api/v2/account/details'), 200)
  mustBe(await ann.delete(`/api/v2/teams/${first.id}`), 204)
  app.clock.advance('2m')
  await team(acme, 'drones', allowed)
  mustBe(await drone.get('/api/v2/account/details'), 401)
  mustBe(await (await login()).get('/api/v2/account/details'), 200)
})

test('linked token: gets 401 once the organization of its team was renamed', async () => {
  await app.root.post('/v1/sys/auth/renamed', { type: 'cert' })
  const mount = (await app.deps.mounts.find('auth/renamed/login/')) as Mount
  const before = await organization(ann, 'before')
  await team(before, 'robots', { 'allow-certificate-login': true })
  const grant = { mount, path: 'auth/renamed/login', policies: [], displayName: 'ci', platformTeam: 'before/robots' }
  const robot = app.anonymous.as((await issueLoginToken(app.deps, grant)).auth.client_token)
  mustBe(await robot.get('/api/v2/account/details'), 200)
  mustBe(await ann.patch('/api/v2/organizations/before', doc('organizations', { name: 'after' })), 200)
  mustBe(await robot.get('/api/v2/account/details'), 401)
})

test('media types: a wrong Content-Type gets 415, Accept 406, bad JSON 400; DELETE may send a type alone', async () => {
  const path = '/api/v2/organizations'
  const typed = (type: string) => ({ headers: { 'content-type': type } })
  mustBe(await ann.post(path, doc('organizations'), typed('text/plain')), 415)
  mustBe(await ann.post(path, doc('organizations'), typed('application/vnd.api+json; ext=x')), 422)
  mustBe(await ann.post(path, doc('organizations'), typed('application/json')), 422)
  mustBe(await ann.get('/api/v2/account/details', { headers: { accept: 'text/html' } }), 406)
  mustBe(await ann.get('/api/v2/account/details', { headers: { accept: 'text/html, application/*;q=0.1' } }), 200)
  mustBe(await ann.get('/api/v2/account/details', { headers: { accept: 'text/html, */*; q=0.000' } }), 406)
  mustBe(await ann.get('/api/v2/account/details', { headers: { accept: '*/*;q=0, application/json;q=0.01' } }), 200)
  mustBe(await ann.post(path, undefined, { raw: '{', ...typed('application/vnd.api+json') }), 400)
  mustBe(await ann.post(path, undefined, { raw: '[]', ...typed('application/vnd.api+json') }), 400)
  mustBe(await ann.post(path, undefined, typed('application/vnd.api+json')), 422)
  const ops = await team(acme, 'typed')
  mustBe(await ann.delete(`/api/v2/teams/${ops.id}`, undefined, typed('application/vnd.api+json')), 204)
})

test('size: a document above 10 MiB gets 413', async () => {
  const raw = JSON.stringify(doc('organizations', { name: 'x', email: 'a@b', filler: 'x'.repeat(10 * 1024 * 1024) }))
  mustBe(await ann.post('/api/v2/organizations', undefined, { raw }), 413)
})

test('rate limit: counts per user over all tokens, gets 429 with headers, and spares other callers', async () => {
  const limited = await ownApp({ settings: { apiRateLimit: 8 } })
  const bob = await person(limited, 'bob')
  const second = (await bob.post(`/api/v2/users/${bob.id}/authentication-tokens`)).body.data.attributes.token as string
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => (index % 2 ? bob : bob.as(second)).get('/api/v2/account/details')),
  )
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThanOrEqual(8)
  expect(refused[0]?.body.errors[0]).toMatchObject({ status: '429', title: 'too many requests' })
  expect(Number(refused[0]?.headers['x-ratelimit-reset'])).toBeGreaterThan(0)
  expect(refused[0]?.headers['x-ratelimit-limit']).toBe('8')
  mustBe(await limited.root.get('/api/v2/account/details'), 200)
  const guesses = await Promise.all(
    Array.from({ length: 30 }, () => limited.anonymous.as('bad').get('/api/v2/account/details')),
  )
  expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([401, 429]))
  expect(new Set(guesses.map(({ headers }) => headers['x-ratelimit-limit']))).toEqual(new Set(['8']))
  const last = guesses.find(({ status }) => status === 429)
  expect(Number(last?.headers['x-ratelimit-reset'])).toBeGreaterThan(0)
})
