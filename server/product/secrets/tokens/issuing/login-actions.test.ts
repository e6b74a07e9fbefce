import { beforeAll, expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { testMethod } from '../../../../../test/support/login-method.ts'
import { sharedApp } from '../../../../../test/support/shared.ts'
import type { Mount, MountConfig } from '../../../../kit/mount.ts'
import { issueLoginToken } from '../index.ts'
import type { LoginGrant } from './login.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine, features: testMethod().features })
  let mount: Mount
  const mounted = async (name: string): Promise<Mount> => {
    expect((await app.root.post(`/v1/sys/auth/${name}`, { type: 'cert' })).status).toBe(204)
    return (await app.deps.mounts.find(`auth/${name}/login/`)) as Mount
  }
  beforeAll(async () => {
    mount = await mounted('cert')
  })

  const grant = (changes: Partial<LoginGrant> = {}, tuning: Partial<MountConfig> = {}): LoginGrant => ({
    mount: { ...mount, config: { ...mount.config, ...tuning } },
    path: 'auth/cert/login',
    policies: ['Web'],
    displayName: 'web',
    ...changes,
  })
  const lookup = async (token: string) => (await app.root.post('/v1/auth/token/lookup', { token })).body.data

  test('login: the token has the policies, display name, lifetime and entity of the grant', async () => {
    const { auth, entityCreated } = await issueLoginToken(
      app.deps,
      grant({ alias: { name: 'Web', metadata: { cn: 'web' } }, metadata: { cert_name: 'web' }, ttl: 600, numUses: 3 }),
    )
    expect(entityCreated).toBe(true)
    expect(auth).toMatchObject({
      policies: ['default', 'web'],
      token_policies: ['default', 'web'],
      metadata: { cert_name: 'web' },
      lease_duration: 600,
      renewable: true,
      token_type: 'service',
      orphan: true,
      num_uses: 3,
      entity_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(await lookup(auth.client_token)).toMatchObject({
      path: 'auth/cert/login',
      display_name: 'cert-web',
      orphan: true,
      num_uses: 3,
    })
  })

  test('login: concurrent first logins of one alias share one entity', async () => {
    const both = await Promise.all(
      Array.from({ length: 8 }, () => issueLoginToken(app.deps, grant({ alias: { name: 'twin' } }))),
    )
    expect(new Set(both.map(({ auth }) => auth.entity_id)).size).toBe(1)
    expect(both.filter(({ entityCreated }) => entityCreated)).toHaveLength(1)
  })

  test.each([
    ['service', 'batch', 'service'],
    ['batch', 'service', 'batch'],
    ['default-service', 'default', 'service'],
    ['default-service', 'batch', 'batch'],
    ['default-batch', '', 'batch'],
    ['default-batch', 'service', 'service'],
  ] as const)(
    'login: a mount tuned to %s and a role that wants %s give a %s token',
    async (tokenType, wanted, type) => {
      const login = grant({ tokenType: wanted, numUses: 2 }, { tokenType })
      const { auth, warnings } = await issueLoginToken(app.deps, login)
      expect(auth).toMatchObject({
        token_type: type,
        renewable: type === 'service',
        num_uses: type === 'service' ? 2 : 0,
      })
      expect(warnings).toEqual(type === 'service' ? [] : [expect.stringContaining('of 2 has no effect')])
      expect(auth.client_token).toMatch(type === 'service' ? /^hfs\./ : /^hfb\./)
      expect(auth.accessor === '').toBe(type === 'batch')
      expect((await app.root.as(auth.client_token).get('/v1/auth/token/lookup-self')).status).toBe(200)
    },
  )

  test.each([
    [{ ttl: 3_600, explicitMaxTtl: 60 }, 60],
    [{ period: 50 }, 50],
    [{ period: 50, explicitMaxTtl: 30 }, 30],
    [{ ttl: 3_600, maxTtl: 90 }, 90],
  ] as const)('login: a batch token with the terms %j lives %i seconds', async (terms, seconds) => {
    const { auth } = await issueLoginToken(app.deps, grant(terms, { tokenType: 'batch' }))
    expect(auth).toMatchObject({ token_type: 'batch', lease_duration: seconds, renewable: false })
    expect(await lookup(auth.client_token)).toMatchObject({ creation_ttl: seconds, explicit_max_ttl: 0 })
  })

  test.each(['root', 'ROOT ', 'response-wrapping'])('login: a grant of the policy %j is refused', async (policy) => {
    await expect(issueLoginToken(app.deps, grant({ policies: ['web', policy] }))).rejects.toMatchObject({
      kind: 'invalid',
    })
  })

  test('login: what is written alongside can refuse it, and then there is neither token nor entity', async () => {
    const before = (await app.root.list('/v1/auth/token/accessors')).body.data.keys.length
    const failing = issueLoginToken(app.deps, grant({ alias: { name: 'ghost' } }), async () => {
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect((await app.root.list('/v1/auth/token/accessors')).body.data.keys).toHaveLength(before)
    const again = await issueLoginToken(app.deps, grant({ alias: { name: 'ghost' } }))
    expect(again.entityCreated).toBe(true)
  })

  test('login: disabling a mount kills all its tokens, batch tokens too, for good', async () => {
    const passing = { mount: await mounted('passing'), path: 'auth/passing/login' }
    const service = await issueLoginToken(app.deps, grant(passing))
    const batch = await issueLoginToken(app.deps, grant({ ...passing, tokenType: 'batch' }))
    expect((await app.root.delete('/v1/sys/auth/passing')).status).toBe(204)
    for (const { auth } of [service, batch]) {
      expect((await app.root.as(auth.client_token).get('/v1/auth/token/lookup-self')).status).toBe(403)
    }
    await mounted('passing')
    expect((await app.root.as(batch.auth.client_token).get('/v1/auth/token/lookup-self')).status).toBe(403)
  })
})
