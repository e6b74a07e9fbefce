import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { type ProviderKey, providerKey, tokenProvider } from '../../../../../test/support/fakes/token-provider.ts'
import { doc, mustBe, organization, person, team } from '../../../../../test/support/platform.ts'
import { recordingLog } from '../../../../../test/support/recording-log.ts'
import { ownApp, shared, sharedApp, sharedUntilClosed } from '../../../../../test/support/shared.ts'
import { tokenCalls } from '../../../../../test/support/token-calls.ts'
import type { JobRun } from '../../../../kit/job.ts'
import { usedIdJob } from './login/login-actions.ts'

const brokenPem = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'

/** The job does not use its run. */
const unusedRun = {} as JobRun

eachEngine((engine) => {
  const { log, text: logged } = recordingLog()
  const app = sharedApp({ engine, log })
  const provider = sharedUntilClosed(tokenProvider)
  const keys = shared(async () => ({ rsa: await providerKey('rsa', 'RS256'), other: await providerKey('other') }))
  const calls = shared(async () => {
    mustBe(await app.root.post('/v1/sys/auth/jwt', { type: 'jwt' }), 204)
    return await tokenCalls(app)
  })
  const base = '/v1/auth/jwt'
  let first: ProviderKey

  beforeAll(() => {
    first = provider.state.keys[0] as ProviderKey
  })
  const configure = (fields: object) => app.root.post(`${base}/config`, fields)
  const write = (name: string, fields: object = {}) =>
    app.root.post(`${base}/role/${name}`, {
      role_type: 'jwt',
      user_claim: 'sub',
      bound_audiences: 'holdfast',
      token_policies: 'ci',
      ...fields,
    })
  const seconds = () => Math.floor(app.clock.now() / 1_000)
  const claims = (fields: object = {}) => ({
    iss: provider.url,
    sub: 'repo:acme/app',
    aud: 'holdfast',
    iat: seconds(),
    exp: seconds() + 300,
    ...fields,
  })
  const login = (jwt: string, role = 'ci') => app.anonymous.post(`${base}/login`, { role, jwt })
  const refusal = (text: string) => ({ status: 400, body: { errors: [expect.stringContaining(text)] } })

  beforeEach(async () => {
    // Keys are fetched once in ten seconds, and each test shall be able to.
    app.clock.advance('11s')
    Object.assign(provider.state, { keys: [first], extraKeys: [], isDown: false, issuer: provider.url })
    mustBe(await configure({ oidc_discovery_url: provider.url }), 204)
    mustBe(await write('ci'), 204)
  })

  describe('config', () => {
    test('callers without a policy get 403, and there is none before the first write', async () => {
      const nobody = calls.as(await calls.create({ policies: ['default'] }))
      expect((await nobody.get(`${base}/config`)).status).toBe(403)
      expect((await nobody.post(`${base}/config`, {})).status).toBe(403)
      mustBe(await app.root.post('/v1/sys/auth/empty', { type: 'jwt' }), 204)
      expect((await app.root.get('/v1/auth/empty/config')).status).toBe(404)
      const answer = await app.anonymous.post('/v1/auth/empty/login', { role: 'x', jwt: 'x' })
      expect(answer).toMatchObject(refusal('could not load configuration'))
    })

    test.each([
      [{}, 'exactly one of'],
      [{ jwks_url: 'https://a.test/k', oidc_discovery_url: 'https://a.test' }, 'exactly one of'],
      [{ oidc_discovery_url: 'https://a.test/.well-known/openid-configuration' }, '.well-known'],
      [{ oidc_discovery_url: 'http://a.test' }, 'https'],
      [{ jwks_url: 'ftp://a.test' }, 'https'],
      [{ jwks_pairs: [{ jwks_ca_pem: 'x' }] }, 'jwks_pairs'],
      [{ jwks_pairs: [{ jwks_url: 'https://a.test' }], bound_issuer: 'x' }, 'bound_issuer'],
      [{ jwks_pairs: [{ jwks_url: 'https://a.test', jwks_ca_pem: 'x' }] }, 'error checking jwks_ca_pem'],
      [{ jwks_url: 'https://a.test', jwks_ca_pem: brokenPem }, 'error checking jwks_ca_pem'],
      [{ oidc_discovery_url: 'https://a.test', oidc_discovery_ca_pem: 'x' }, 'error checking oidc_discovery_ca_pem'],
      [{ jwt_validation_pubkeys: 'x' }, 'error parsing public key'],
      [{ oidc_discovery_url: 'https://a.test', oidc_client_id: 'x' }, 'oidc_client_secret'],
      [{ jwks_url: 'https://a.test', oidc_client_id: 'x', oidc_client_secret: 'y' }, 'oidc_discovery_url'],
      [{ oidc_discovery_url: 'https://a.test', provider_config: { provider: 'azure' } }, 'not supported'],
      [{ oidc_discovery_url: 'https://a.test', jwt_supported_algs: 'HS256' }, 'HS256'],
      [{ oidc_discovery_url: 'https://a.test', jwt_supported_algs: 'none' }, 'none'],
      [{ oidc_discovery_url: 'https://a.test', oidc_response_mode: 'x' }, 'oidc_response_mode'],
      [{ oidc_discovery_url: 'https://a.test', oidc_response_types: 'id_token' }, 'form_post'],
      [{ oidc_discovery_url: 'http://127.0.0.1:9' }, 'error checking oidc discovery URL'],
      [{ jwks_url: 'http://127.0.0.1:9/keys' }, 'error checking jwks URL'],
      // The address of the metadata of a cloud.
      [{ jwks_url: 'https://169.254.169.254/keys' }, 'error checking jwks URL'],
    ])('%j gets 400 and changes nothing', async (fields, text) => {
      const before = (await app.root.get(`${base}/config`)).body.data
      expect(await configure(fields)).toMatchObject(refusal(text))
      expect((await app.root.get(`${base}/config`)).body.data).toEqual(before)
    })

    test('a provider that calls itself otherwise is refused', async () => {
      provider.state.issuer = 'https://evil.test'
      const answer = await configure({ oidc_discovery_url: provider.url })
      expect(answer).toMatchObject(refusal('error checking oidc discovery URL'))
      expect(JSON.stringify(answer.body)).not.toContain('evil')
    })

    test('a write replaces everything but namespace_in_state; the client secret is kept for the same client and never shown', async () => {
      const client = { oidc_discovery_url: provider.url, oidc_client_id: 'me', oidc_client_secret: 'very-secret' }
      mustBe(await configure({ ...client, default_role: 'CI', bound_issuer: 'x', namespace_in_state: false }), 204)
      const first = await app.root.get(`${base}/config`)
      expect(first.body.data).toMatchObject({ default_role: 'ci', bound_issuer: 'x', namespace_in_state: false })
      expect(JSON.stringify(first.body)).not.toContain('very-secret')
      mustBe(await configure({ oidc_discovery_url: provider.url, oidc_client_id: 'me' }), 204)
      expect((await app.root.get(`${base}/config`)).body.data).toEqual({
        oidc_discovery_url: provider.url,
        oidc_discovery_ca_pem: '',
        oidc_client_id: 'me',
        oidc_response_mode: '',
        oidc_response_types: [],
        jwks_url: '',
        jwks_ca_pem: '',
        jwks_pairs: [],
        jwt_validation_pubkeys: [],
        jwt_supported_algs: [],
        bound_issuer: '',
        default_role: '',
        provider_config: {},
        namespace_in_state: false,
        override_allowed_server_names: [],
        skip_jwks_validation: false,
        unsupported_critical_cert_extensions: [],
        status: 'valid',
      })
      expect(await configure({ oidc_discovery_url: provider.url, oidc_client_id: 'other' })).toMatchObject({
        status: 400,
      })
      const rows = await app.deps.db.selectFrom('jwt_configs').selectAll().execute()
      expect(rows.map(({ client_secret }) => Buffer.from(client_secret ?? []).toString('latin1')).join()).not.toContain(
        'very-secret',
      )
    })

    test('skip_jwks_validation stores an address that cannot be reached, with a warning', async () => {
      provider.state.isDown = true
      const { status, body } = await configure({ jwks_url: provider.jwksUrl, skip_jwks_validation: true })
      expect([status, body.warnings]).toEqual([200, [expect.stringContaining('error checking jwks URL')]])
      expect(await login(await provider.sign(claims()))).toMatchObject(refusal('cannot be fetched'))
    })
  })

  describe('roles', () => {
    test.each([
      [{ role_type: 'oidc' }, 'role_type'],
      [{ role_type: undefined }, 'role_type'],
      [{ role_type: 'x' }, 'role_type'],
      [{ user_claim: '' }, 'user_claim'],
      [{ bound_audiences: '' }, 'at least one bound constraint'],
      [{ bound_claims_type: 'regex' }, 'bound_claims_type'],
      [{ bound_claims: { a: { b: 1 } } }, 'bound_claims'],
      [{ bound_claims: { a: 1 }, bound_claims_type: 'glob' }, 'glob'],
      [{ claim_mappings: { a: 'role' } }, 'claim_mappings'],
      [{ claim_mappings: { a: 'x', b: 'x' } }, 'claim_mappings'],
      [{ callback_mode: 'device' }, 'callback_mode'],
      [{ oauth2_metadata: ['id_token'] }, 'oauth2_metadata'],
      [{ token_policies_template_claims: true }, 'token_policies_template_claims'],
      [{ bound_audience: 'x' }, 'bound_audiences'],
    ])('a new role with %j gets 400', async (fields, text) => {
      expect(await write('refused', fields)).toMatchObject(refusal(text))
      expect((await app.root.get(`${base}/role/refused`)).status).toBe(404)
    })

    test('texts are texts and lists are lists, old names are taken, and absent fields stay', async () => {
      mustBe(await write('Full', { ttl: 60, num_uses: 3, bound_claims: { ref: ['a', 'b'] } }), 204)
      mustBe(await app.root.post(`${base}/role/full`, { bound_subject: 'x' }), 204)
      expect((await app.root.get(`${base}/role/FULL`)).body.data).toMatchObject({
        role_type: 'jwt',
        user_claim: 'sub',
        bound_subject: 'x',
        groups_claim: '',
        bound_audiences: ['holdfast'],
        bound_claims: { ref: ['a', 'b'] },
        bound_claims_type: 'string',
        claim_mappings: {},
        clock_skew_leeway: 0,
        token_ttl: 60,
        token_num_uses: 3,
        token_policies: ['ci'],
      })
      expect((await app.root.list(`${base}/role`)).body.data.keys).toEqual(['ci', 'full'])
      mustBe(await write('full', { clock_skew_leeway: -1 }), 204)
      expect((await app.root.get(`${base}/role/full`)).body.data.clock_skew_leeway).toBe(-1)
    })
  })

  describe('login', () => {
    test('a token gives the terms of the role, its claims become metadata, and the user claim names the entity', async () => {
      mustBe(await write('ci', { claim_mappings: { ref: 'branch' }, token_ttl: '10m' }), 204)
      const { auth } = mustBe(await login(await provider.sign(claims({ ref: 'main' }))), 200).body
      expect(auth).toMatchObject({
        policies: ['ci', 'default'],
        metadata: { branch: 'main', role: 'ci' },
        lease_duration: 600,
      })
      const lookup = (await app.root.post('/v1/auth/token/lookup', { token: auth.client_token })).body.data
      expect(lookup).toMatchObject({ display_name: 'jwt-repo:acme/app', path: 'auth/jwt/login' })
      const entity = (await app.root.get(`/v1/identity/entity/id/${auth.entity_id}`)).body.data
      expect(entity.aliases[0]).toMatchObject({ name: 'repo:acme/app', metadata: { branch: 'main', role: 'ci' } })
    })

    test('the role may be left to the default role of the mount', async () => {
      const jwt = await provider.sign(claims())
      expect(await app.anonymous.post(`${base}/login`, { jwt })).toMatchObject(refusal('missing role'))
      mustBe(await configure({ oidc_discovery_url: provider.url, default_role: 'ci' }), 204)
      expect((await app.anonymous.post(`${base}/login`, { jwt })).status).toBe(200)
    })

    test('an unknown role, no token, and a foreign address are refused before the token is read', async () => {
      expect(await login('x', 'nobody')).toMatchObject(refusal('role "nobody" could not be found'))
      expect(await app.anonymous.post(`${base}/login`, { role: 'ci' })).toMatchObject(refusal('missing token'))
      mustBe(await write('far', { token_bound_cidrs: '10.0.0.0/8' }), 204)
      expect((await login('x', 'far')).status).toBe(403)
    })

    test.each([
      [{ iss: 'https://evil.test' }, 'issuer'],
      [{ aud: 'them' }, 'audience'],
      [{ aud: undefined }, 'audience'],
      [{ exp: 1 }, 'expired'],
      [{ exp: undefined, iat: undefined }, "none of 'iat', 'nbf' and 'exp'"],
      [{ sub: undefined }, 'lacks a claim'],
    ])('a token with %j gets 400', async (fields, text) => {
      const answer = await login(await provider.sign(claims(fields)))
      expect(answer).toMatchObject(refusal('error validating token: '))
      expect(answer).toMatchObject(refusal(text))
    })

    test('static keys: RSA, EC and Ed25519 sign; each only by its own algorithms', async () => {
      const made = [keys.rsa, first, await providerKey('ed', 'EdDSA'), await providerKey('p384', 'ES384')]
      const pems = await Promise.all(made.map((key) => provider.pem(key)))
      mustBe(await configure({ jwt_validation_pubkeys: pems }), 204)
      for (const key of made) expect((await login(await provider.sign(claims(), { key }))).status).toBe(200)
      const pss = { ...keys.rsa, alg: 'PS256' }
      const { importPKCS8, exportPKCS8 } = await import('jose')
      const privateKey = await importPKCS8(await exportPKCS8(keys.rsa.pair.privateKey), 'PS256')
      const key = { ...pss, pair: { ...keys.rsa.pair, privateKey } }
      expect((await login(await provider.sign(claims(), { key }))).status).toBe(200)
      mustBe(await configure({ jwt_validation_pubkeys: pems, jwt_supported_algs: ['RS256'] }), 204)
      expect(await login(await provider.sign(claims(), { key }))).toMatchObject(refusal('algorithm'))
      expect((await login(await provider.sign(claims(), { key: keys.rsa }))).status).toBe(200)
    })

    test('several key sets: a key of any of them signs, and there is no issuer to compare', async () => {
      mustBe(await configure({ jwks_pairs: [{ jwks_url: provider.jwksUrl }, { jwks_url: provider.jwksUrl }] }), 204)
      expect((await login(await provider.sign(claims({ iss: 'any' })))).status).toBe(200)
    })

    test('batch tokens, wrapping, and renewal by the role as it is now', async () => {
      mustBe(await write('batch', { token_type: 'batch' }), 204)
      const jwt = await provider.sign(claims())
      expect((await login(jwt, 'batch')).body.auth).toMatchObject({ token_type: 'batch', renewable: false })
      mustBe(await write('renewed', { token_ttl: 60 }), 204)
      const holder = app.anonymous.as((await login(jwt, 'renewed')).body.auth.client_token)
      mustBe(await write('renewed', { token_ttl: 90 }), 204)
      expect((await holder.post('/v1/auth/token/renew-self', {})).body.auth.lease_duration).toBe(90)
      mustBe(await app.root.delete(`${base}/role/renewed`), 204)
      expect((await holder.post('/v1/auth/token/renew-self', {})).status).toBe(400)
    })

    test('a mount at kubernetes serves clients that send role and jwt there; other types say so', async () => {
      const refused = await app.root.post('/v1/sys/auth/kubernetes', { type: 'kubernetes' })
      expect(refused).toMatchObject(refusal("'jwt'"))
      mustBe(await app.root.post('/v1/sys/auth/kubernetes', { type: 'jwt' }), 204)
      mustBe(await app.root.post('/v1/auth/kubernetes/config', { jwks_url: provider.jwksUrl }), 204)
      const role = {
        role_type: 'jwt',
        user_claim: 'sub',
        bound_audiences: 'holdfast',
        bound_claims: { '/kubernetes.io/namespace': 'web' },
      }
      mustBe(await app.root.post('/v1/auth/kubernetes/role/web', role), 204)
      const account = (namespace: string) =>
        provider.sign(claims({ sub: `system:serviceaccount:${namespace}:app`, 'kubernetes.io': { namespace } }))
      const send = async (namespace: string) =>
        app.anonymous.put('/v1/auth/kubernetes/login', { role: 'web', jwt: await account(namespace) })
      expect((await send('web')).status).toBe(200)
      expect((await send('other')).status).toBe(400)
    })

    test.each(['single', 'parallel'])(
      'single_use: a token logs in once (%s), and is forgotten when it has expired',
      async (how) => {
        mustBe(await write('once', { single_use: true }), 204)
        expect(await login(await provider.sign(claims()), 'once')).toMatchObject(refusal('jti'))
        const jwt = await provider.sign(claims({ jti: how, exp: seconds() + 10 }))
        const send = () => login(jwt, 'once')
        const answers =
          how === 'single' ? [await send(), await send()] : await Promise.all(Array.from({ length: 8 }, send))
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
        expect(answers.filter(({ status }) => status === 400)).toHaveLength(answers.length - 1)
        app.clock.advance('2m')
        await usedIdJob.run(app.deps, unusedRun)
        expect(await app.deps.db.selectFrom('jwt_used_ids').selectAll().execute()).toEqual([])
      },
    )
  })

  describe('hostile tokens', () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

    test('alg none, HS256 with the public key, a wrong signature and none are refused', async () => {
      mustBe(await configure({ jwt_validation_pubkeys: [await provider.pem(keys.rsa)] }), 204)
      const { CompactSign } = await import('jose')
      const secret = new TextEncoder().encode(await provider.pem(keys.rsa))
      const payload = new TextEncoder().encode(JSON.stringify(claims()))
      const signed = await new CompactSign(payload).setProtectedHeader({ alg: 'HS256' }).sign(secret)
      const good = await provider.sign(claims(), { key: keys.rsa })
      const [header = '', body = '', signature = ''] = good.split('.')
      const foreign = await providerKey('rsa', 'RS256')
      for (const jwt of [
        `${part({ alg: 'none' })}.${part(claims())}.`,
        `${part({ alg: 'none' })}.${part(claims())}.AA`,
        `${part({ alg: 'nOnE' })}.${part(claims())}.AA`,
        signed,
        `${header}.${body}.`,
        `${header}.${body}`,
        `${header}.${body}.${signature}.${signature}`,
        `${header}.${part(claims({ sub: 'root' }))}.${signature}`,
        `${header}.${body}.${signature.split('').reverse().join('')}`,
        await provider.sign(claims(), { key: foreign }),
        JSON.stringify({ payload: body, signatures: [{ protected: header, signature }] }),
        JSON.stringify({ payload: body, protected: header, signature }),
        'x',
        '..',
      ])
        expect(await login(jwt)).toMatchObject(refusal('error validating token: '))
      expect((await login(good)).status).toBe(200)
    })

    test('crit, an over-long token, a kid that is no text and a payload that is no object are refused', async () => {
      for (const [jwt, text] of [
        [await provider.sign(claims({ pad: 'x'.repeat(17_000) })), 'longer'],
        [await provider.sign('[]'), 'payload'],
        [await provider.sign('null'), 'payload'],
        [await provider.sign('{'), 'payload'],
      ] as const)
        expect(await login(jwt)).toMatchObject(refusal(text))
      const [, body = '', signature = ''] = (await provider.sign(claims())).split('.')
      const critical = `${part({ alg: 'ES256', kid: 'first', crit: ['x'], x: 1 })}.${body}.${signature}`
      expect(await login(critical)).toMatchObject(refusal('crit'))
      expect(await login(`${part({ alg: 'ES256', kid: 7 })}.${body}.${signature}`)).toMatchObject(refusal('kid'))
      expect(await login(`${part([])}.${body}.${signature}`)).toMatchObject(refusal('header'))
    })

    test('keys and addresses in the header of a token are ignored', async () => {
      const { other } = keys
      const fetches = provider.state.fetches
      for (const header of [
        { jwk: other.jwk, kid: 'first' },
        { jku: provider.jwksUrl, kid: 'first' },
        { x5u: 'http://127.0.0.1:9/x', kid: 'first' },
        { jwk: other.jwk, kid: undefined },
      ])
        expect(await login(await provider.sign(claims(), { key: other, header }))).toMatchObject(refusal('signature'))
      expect(provider.state.fetches - fetches).toBeLessThanOrEqual(1)
    })

    test('a key id of another type of key, and strange key ids, find no key', async () => {
      provider.state.keys = [first, keys.rsa]
      for (const kid of ['rsa', '../first', '__proto__', 'first\u0000', ''])
        expect(await login(await provider.sign(claims(), { header: { kid } }))).toMatchObject(refusal('key'))
    })

    test('short RSA keys, shared secrets and keys for encryption in a key set are left out', async () => {
      const fresh = await providerKey('fresh')
      const send = async () => login(await provider.sign(claims(), { key: fresh }))
      provider.state.keys = []
      provider.state.extraKeys = [{ kty: 'oct', k: 'AAAA', kid: 'fresh' }, { ...fresh.jwk, use: 'enc' }, { kty: 'EC' }]
      expect(await send()).toMatchObject(refusal('not known'))
      provider.state.extraKeys = [{ ...fresh.jwk, kid: undefined }]
      app.clock.advance('11s')
      expect((await send()).status).toBe(200)
    })
  })

  describe('keys of a provider', () => {
    test('a new key is found also where keys have no ids', async () => {
      const [old, next] = [await providerKey('old'), await providerKey('next')]
      const send = async (key: ProviderKey) => login(await provider.sign(claims(), { key, header: { kid: undefined } }))
      const publish = ({ jwk }: ProviderKey) =>
        Object.assign(provider.state, { keys: [], extraKeys: [{ ...jwk, kid: undefined }] })
      publish(old)
      expect((await send(old)).status).toBe(200)
      publish(next)
      app.clock.advance('11s')
      expect((await send(next)).status).toBe(200)
      expect(await send(old)).toMatchObject(refusal('signature'))
    })

    test('50 parallel logins with a new key fetch the key set once, and strangers cannot make it be fetched more', async () => {
      expect((await login(await provider.sign(claims()))).status).toBe(200)
      app.clock.advance('11s')
      const next = await provider.newKey('next')
      provider.state.keys = [next]
      const before = provider.state.fetches
      const jwt = await provider.sign(claims())
      const answers = await Promise.all(Array.from({ length: 50 }, () => login(jwt)))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      expect(provider.state.fetches - before).toBe(1)
      const unknown = await provider.sign(claims(), { key: keys.other })
      for (let stranger = 0; stranger < 5; stranger++) expect(await login(unknown)).toMatchObject(refusal('not known'))
      expect(provider.state.fetches - before).toBe(1)
      app.clock.advance('10s')
      expect(await login(unknown)).toMatchObject(refusal('not known'))
      expect(provider.state.fetches - before).toBe(2)
    })

    test('while the provider is down, known keys are used for a day after the daily fetch', async () => {
      const send = async () => (await login(await provider.sign(claims()))).status
      expect(await send()).toBe(200)
      provider.state.isDown = true
      app.clock.advance('25h')
      expect(await send()).toBe(200)
      app.clock.advance('22h')
      expect(await send()).toBe(200)
      app.clock.advance('2h')
      expect(await send()).toBe(400)
      provider.state.isDown = false
      app.clock.advance('11s')
      expect(await send()).toBe(200)
    })

    test('keys of the former address do not count once the configuration names another', async () => {
      const jwt = await provider.sign(claims())
      expect((await login(jwt)).status).toBe(200)
      mustBe(await configure({ jwt_validation_pubkeys: [await provider.pem(keys.other)] }), 204)
      expect(await login(jwt)).toMatchObject(refusal('error validating token'))
    })
  })

  test('teams: a token acts as the team of its role once the team allows the method', async () => {
    const ann = await person(app, 'ann')
    const deploy = await team(await organization(ann, 'acme'), 'deploy')
    mustBe(await write('linked', { platform_team: 'acme/deploy' }), 200)
    const { body } = mustBe(await login(await provider.sign(claims()), 'linked'), 200)
    expect(body.warnings).toEqual([expect.stringContaining('/v1 only')])
    const robot = app.anonymous.as(body.auth.client_token)
    mustBe(await robot.get('/api/v2/account/details'), 401)
    mustBe(await ann.patch(`/api/v2/teams/${deploy.id}`, doc('teams', { 'allowed-login-methods': ['jwt'] })), 200)
    mustBe(await robot.get('/api/v2/account/details'), 200)
  })

  test('mounts: what is stored goes with its mount', async () => {
    mustBe(await app.root.post('/v1/sys/auth/brief', { type: 'jwt' }), 204)
    const mount = await app.deps.mounts.find('auth/brief/')
    mustBe(await app.root.post('/v1/auth/brief/config', { jwks_url: provider.jwksUrl }), 204)
    mustBe(
      await app.root.post('/v1/auth/brief/role/x', { role_type: 'jwt', user_claim: 'sub', bound_subject: 'x' }),
      204,
    )
    mustBe(await app.root.delete('/v1/sys/auth/brief'), 204)
    for (const table of ['login_roles', 'jwt_configs', 'jwt_used_ids'] as const) {
      const rows = app.deps.db
        .selectFrom(table)
        .select('mount_id')
        .where('mount_id', '=', mount?.id ?? '')
      expect(await rows.execute()).toEqual([])
    }
  })

  test('secrecy: neither tokens nor what is in them are in the log', async () => {
    const jwt = await provider.sign(claims({ sub: 'hidden-subject', aud: 'hidden-audience' }))
    const answer = await login(jwt)
    expect(answer.status).toBe(400)
    for (const secret of [...jwt.split('.'), 'hidden-subject', 'hidden-audience']) {
      expect(logged()).not.toContain(secret)
      expect(JSON.stringify(answer.body)).not.toContain(secret)
    }
  })

  test('in server mode, keys are not fetched from this machine', async () => {
    const own = await ownApp({ engine, outbound: { denyLoopback: true } })
    mustBe(await own.root.post('/v1/sys/auth/jwt', { type: 'jwt' }), 204)
    const before = provider.state.fetches
    const answer = await own.root.post('/v1/auth/jwt/config', { jwks_url: provider.jwksUrl })
    expect(answer).toMatchObject(refusal('error checking jwks URL'))
    expect(provider.state.fetches).toBe(before)
  })
})
