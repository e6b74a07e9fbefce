import { expect, test } from 'vitest'
import { ownCertApp, sharedCertApp } from '../../../../../../test/support/cert-login.ts'
import * as der from '../../../../../pki/der-writer.ts'

const app = sharedCertApp()

/** The `auth` of a login by a role with these fields, and what a look-up says of its token. */
async function tokenBy(fields: Record<string, unknown>) {
  await app.root.delete('/v1/auth/cert/certs/web')
  await app.role('web', { certificate: app.ca.pem, ...fields })
  const { body } = await app.login(app.leaf(), { name: 'web' })
  const lookup = await app.root.post('/v1/auth/token/lookup', { token: body.auth.client_token })
  return { auth: body.auth, token: lookup.body.data, warnings: body.warnings }
}

test('tokens: display name, uses, period, explicit maximum TTL and bound CIDRs come from the role', async () => {
  const fields = { display_name: 'Shown', token_num_uses: 5, token_period: 600, token_explicit_max_ttl: 7200 }
  const { auth, token } = await tokenBy({ ...fields, token_bound_cidrs: '127.0.0.1' })
  expect(auth).toMatchObject({ num_uses: 5, lease_duration: 600 })
  expect(token).toMatchObject({
    display_name: 'cert-Shown',
    num_uses: 5,
    period: 600,
    explicit_max_ttl: 7200,
    bound_cidrs: ['127.0.0.1'],
    orphan: true,
  })
})

test.each([
  [{}, 2_764_800],
  [{ token_ttl: 60 }, 60],
  [{ ttl: '2m' }, 120],
  [{ token_ttl: 600, token_explicit_max_ttl: 300 }, 300],
  [{ token_max_ttl: 1000 }, 1000],
  [{ token_period: 77 }, 77],
])('tokens: a role with %j gives a lease of %i seconds', async (fields, seconds) => {
  expect((await tokenBy(fields)).auth.lease_duration).toBe(seconds)
})

test('tokens: a lifetime cut by the explicit maximum gives a warning', async () => {
  expect((await tokenBy({ token_ttl: 600, token_explicit_max_ttl: 300 })).warnings).toEqual([
    expect.stringContaining('300'),
  ])
})

test.each([
  [{ token_policies: 'b,A,b' }, ['a', 'b', 'default']],
  [{ policies: 'x' }, ['default', 'x']],
  [{ token_policies: 'a', token_no_default_policy: true }, ['a']],
  [{ token_no_default_policy: true }, []],
  [{}, ['default']],
])('tokens: a role with %j gives the policies %j', async (fields, policies) => {
  expect((await tokenBy(fields)).auth.policies).toEqual(policies)
})

test.each([
  ['default-service', 'default', 'service'],
  ['default-service', 'batch', 'batch'],
  ['default-batch', 'default', 'batch'],
  ['default-batch', 'service', 'service'],
  ['batch', 'service', 'batch'],
  ['service', 'batch', 'service'],
])('tokens: token_type %s of the mount and %s of the role give a %s token', async (mount, role, type) => {
  await app.root.post('/v1/sys/auth/cert/tune', { token_type: mount })
  expect((await tokenBy({ token_type: role })).auth.token_type).toBe(type)
  await app.root.post('/v1/sys/auth/cert/tune', { token_type: 'default-service' })
})

test.each(['service', 'batch'])(
  'tokens: with token_strictly_bind_ip, a %s token is bound to the address of its login',
  async (type) => {
    const { auth, token } = await tokenBy({ token_strictly_bind_ip: true, token_type: type })
    expect(token).toMatchObject({ type, bound_cidrs: ['127.0.0.1'] })
    expect((await app.anonymous.as(auth.client_token).get('/v1/auth/token/lookup-self')).status).toBe(200)
    await app.role('web', { token_strictly_bind_ip: false })
    const unbound = (await app.login(app.leaf(), { name: 'web' })).body.auth.client_token
    expect((await app.root.post('/v1/auth/token/lookup', { token: unbound })).body.data.bound_cidrs ?? []).toEqual([])
  },
)

test('tokens: with token_strictly_bind_ip, another address gets 403', async () => {
  const forwarding = { forwardedClientCertificate: 'off', forwardedClientCertificateHeader: 'x' } as const
  const proxies = new Map([['http', { trustedProxies: ['127.0.0.1'], ...forwarding }]])
  const own = await ownCertApp({ proxies })
  await own.role('web', { certificate: own.ca.pem, token_strictly_bind_ip: true })
  const holder = own.anonymous.as((await own.login(own.leaf())).body.auth.client_token)
  const elsewhere = { headers: { 'x-forwarded-for': '10.1.2.3' } }
  expect((await holder.get('/v1/auth/token/lookup-self')).status).toBe(200)
  expect((await holder.get('/v1/auth/token/lookup-self', elsewhere)).status).toBe(403)
})

test('tokens: with token_bind_certificate, without the certificate of the login the token gets 403', async () => {
  await app.root.delete('/v1/auth/cert/certs/web')
  await app.role('web', { certificate: app.ca.pem, token_bind_certificate: true })
  const leaf = app.leaf()
  const token = (await app.login(leaf)).body.auth.client_token
  expect((await app.with(leaf, token).get('/v1/auth/token/lookup-self')).status).toBe(200)
  expect((await app.with(app.leaf(), token).get('/v1/auth/token/lookup-self')).status).toBe(403)
  expect((await app.anonymous.as(token).get('/v1/auth/token/lookup-self')).status).toBe(403)
})

test.each(['service', 'batch'])(
  'tokens: a %s child of a certificate-bound token is bound to the same certificate; an orphan is not',
  async (type) => {
    await app.root.delete('/v1/auth/cert/certs/web')
    const policy = 'path "auth/token/create*" { capabilities = ["update", "sudo"] }'
    await app.root.post('/v1/sys/policies/acl/parent', { policy })
    await app.role('web', { certificate: app.ca.pem, token_bind_certificate: true, token_policies: 'parent' })
    const leaf = app.leaf()
    const holder = app.with(leaf, (await app.login(leaf)).body.auth.client_token)
    const child = (await holder.post('/v1/auth/token/create', { type })).body.auth.client_token
    const orphan = (await holder.post('/v1/auth/token/create-orphan', { type })).body.auth.client_token
    expect((await app.with(leaf, child).get('/v1/auth/token/lookup-self')).status).toBe(200)
    expect((await app.anonymous.as(child).get('/v1/auth/token/lookup-self')).status).toBe(403)
    expect((await app.anonymous.as(orphan).get('/v1/auth/token/lookup-self')).status).toBe(200)
  },
)

test('alias metadata: stored and usable in templated policies only with enable_identity_alias_metadata', async () => {
  const oid = '1.3.6.1.4.1.99999.7'
  await app.root.delete('/v1/auth/cert/certs/web')
  await app.role('web', { certificate: app.ca.pem, token_policies: 'own', allowed_metadata_extensions: oid })
  const { accessor } = (await app.root.get('/v1/sys/auth/cert')).body.data
  const alias = `identity.entity.aliases.${accessor}.metadata`
  const policy = `
    path "sys/policies/acl/{{${alias}.common_name}}" { capabilities = ["read"] }
    path "sys/policies/acl/{{${alias}.1-3-6-1-4-1-99999-7}}" { capabilities = ["update"] }`
  await app.root.post('/v1/sys/policies/acl/own', { policy })
  const extensions = [{ oid, value: der.utf8String('edge') }]
  const login = async () => {
    const { body } = await app.login(app.leaf({ commonName: 'web-7', extensions }))
    const caller = app.anonymous.as(body.auth.client_token)
    return { metadata: body.auth.metadata, caller, entity: body.auth.entity_id }
  }
  const aliasOf = async (entity: string): Promise<object> => {
    const query = app.deps.db.selectFrom('entity_aliases').select('metadata').where('entity_id', '=', entity)
    return JSON.parse((await query.executeTakeFirstOrThrow()).metadata)
  }
  const paths = ['web-7', 'edge', 'web-8'].map((name) => `sys/policies/acl/${name}`)
  const allowed = async ({ caller }: { caller: typeof app.root }) => {
    const { body } = await caller.post('/v1/sys/capabilities-self', { paths })
    return paths.map((path) => body[path])
  }
  const before = await login()
  expect(await aliasOf(before.entity)).toEqual({})
  expect(await allowed(before)).toEqual([['deny'], ['deny'], ['deny']])
  await app.root.post('/v1/auth/cert/config', { enable_identity_alias_metadata: true })
  const after = await login()
  expect(after.entity).toBe(before.entity)
  expect(await aliasOf(after.entity)).toEqual(after.metadata)
  expect(await allowed(after)).toEqual([['read'], ['update'], ['deny']])
  await app.root.post('/v1/auth/cert/config', { enable_identity_alias_metadata: false })
  await login()
  expect(await aliasOf(after.entity)).toEqual({})
})

test('alias metadata: wildcards or a slash in a common name grant no other path in a templated policy', async () => {
  await app.root.post('/v1/auth/cert/config', { enable_identity_alias_metadata: true })
  const { accessor } = (await app.root.get('/v1/sys/auth/cert')).body.data
  const policy = `path "sys/policies/acl/{{identity.entity.aliases.${accessor}.metadata.common_name}}" { capabilities = ["read"] }`
  await app.root.post('/v1/sys/policies/acl/templated', { policy })
  await app.role('web', { certificate: app.ca.pem, token_policies: 'templated' })
  for (const commonName of ['*', '+', 'def*', '../acl/default']) {
    const { body } = await app.login(app.leaf({ commonName }))
    const answer = await app.anonymous.as(body.auth.client_token).get('/v1/sys/policies/acl/default')
    expect(answer.status).toBe(403)
  }
  await app.root.post('/v1/auth/cert/config', { enable_identity_alias_metadata: false })
})

test('alias_metadata of a role adds missing keys to the alias and replaces no existing value', async () => {
  await app.root.delete('/v1/auth/cert/certs/web')
  await app.role('web', { certificate: app.ca.pem, alias_metadata: { team: 'a', site: 'x' } })
  const custom = async (): Promise<object> => {
    const { entity_id: id } = (await app.login(app.leaf({ commonName: 'custom' }))).body.auth
    const query = app.deps.db.selectFrom('entity_aliases').select('custom_metadata').where('entity_id', '=', id)
    return JSON.parse((await query.executeTakeFirstOrThrow()).custom_metadata)
  }
  expect(await custom()).toEqual({ team: 'a', site: 'x' })
  await app.role('web', { alias_metadata: { team: 'b', more: 'y' } })
  expect(await custom()).toEqual({ team: 'a', site: 'x', more: 'y' })
})
