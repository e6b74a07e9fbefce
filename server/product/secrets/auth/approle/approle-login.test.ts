import { describe, expect, test } from 'vitest'
import { sharedAppRoles } from '../../../../../test/support/approle.ts'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { doc, mustBe, organization, person, team } from '../../../../../test/support/platform.ts'
import { writeRole } from '../../login-roles/index.ts'
import { appRoles } from './roles/role-actions.ts'

eachEngine((engine) => {
  const { app, calls, base, write, roleIdOf, makeId, login, made, logged } = sharedAppRoles(engine)

  describe('login', () => {
    test.each([
      [{}, 'missing role_id'],
      [{ role_id: 'nobody', secret_id: 'x' }, 'invalid role or secret ID'],
      [{ role_id: 'nobody' }, 'invalid role or secret ID'],
    ])('%j gets 400', async (body, text) => {
      expect(await app.anonymous.post(`${base}/login`, body)).toMatchObject({ status: 400, body: { errors: [text] } })
    })

    test('a missing, wrong, expired or used-up secret id gets 400; expiry is exact, without a job', async () => {
      const { roleId, secretId } = await made('exact', {}, { ttl: 1 })
      const refused = { status: 400, body: { errors: ['invalid role or secret ID'] } }
      expect(await login(roleId)).toMatchObject({ status: 400, body: { errors: ['missing secret_id'] } })
      expect(await login(roleId, 'wrong')).toMatchObject(refused)
      expect((await login(roleId, secretId)).status).toBe(200)
      app.clock.advance('999ms')
      expect((await login(roleId, secretId)).status).toBe(200)
      app.clock.advance('1ms')
      expect(await login(roleId, secretId)).toMatchObject(refused)
      const once = await makeId('exact', { num_uses: 1 })
      expect((await login(roleId, once.secret_id)).status).toBe(200)
      expect(await login(roleId, once.secret_id)).toMatchObject(refused)
    })

    test('a token has the terms of the role, metadata of both, and the role id as its alias', async () => {
      const fields = { policies: 'web', token_ttl: 60, token_num_uses: 7, alias_metadata: { owner: 'ops' } }
      const { roleId, secretId } = await made('full', fields, { metadata: { build: '42' } })
      const { auth } = mustBe(await login(` ${roleId}\n`, `\t${secretId} `), 200).body
      expect(auth).toMatchObject({
        policies: ['default', 'web'],
        metadata: { build: '42', role_name: 'full' },
        lease_duration: 60,
        renewable: true,
        num_uses: 7,
        token_type: 'service',
      })
      const lookup = (await app.root.post('/v1/auth/token/lookup', { token: auth.client_token })).body.data
      expect(lookup).toMatchObject({ display_name: 'approle', path: 'auth/approle/login', orphan: true })
      const entity = (await app.root.get(`/v1/identity/entity/id/${auth.entity_id}`)).body.data
      expect(entity.aliases).toEqual([
        expect.objectContaining({
          name: roleId,
          mount_type: 'approle',
          metadata: { build: '42', role_name: 'full' },
          custom_metadata: { owner: 'ops' },
        }),
      ])
      expect((await login(roleId, secretId)).body.auth.entity_id).toBe(auth.entity_id)
    })

    test('batch tokens and wrapped logins work', async () => {
      const { roleId, secretId } = await made('batch', { token_type: 'batch' })
      expect((await login(roleId, secretId)).body.auth).toMatchObject({ token_type: 'batch', renewable: false })
      const wrapped = await app.anonymous.post(
        `${base}/login`,
        { role_id: roleId, secret_id: secretId },
        { headers: { 'x-vault-wrap-ttl': '60' } },
      )
      const opened = await app.anonymous.as(wrapped.body.wrap_info.token).put('/v1/sys/wrapping/unwrap')
      expect(opened.body.auth.token_type).toBe('batch')
    })

    test('addresses outside of any bound get 403, and use the secret id up', async () => {
      const { roleId, secretId } = await made('bounded', { secret_id_bound_cidrs: '10.0.0.0/8' }, { num_uses: 2 })
      expect((await login(roleId, secretId, '11.0.0.1')).status).toBe(403)
      expect((await login(roleId, secretId, '10.0.0.1')).status).toBe(200)
      expect((await login(roleId, secretId, '10.0.0.1')).status).toBe(400)
      const own = await makeId('bounded', { cidr_list: '10.1.0.0/16' })
      expect((await login(roleId, own.secret_id, '10.0.0.1')).status).toBe(403)
      expect((await login(roleId, own.secret_id, '10.1.0.1')).status).toBe(200)
      await write('bounded', { secret_id_bound_cidrs: '10.2.0.0/16' })
      expect((await login(roleId, own.secret_id, '10.1.0.1')).status).toBe(403)
    })

    test('token_bound_cidrs of a secret id replace those of the role on the token', async () => {
      const narrow = { token_bound_cidrs: '10.1.0.0/16' }
      const { roleId, secretId } = await made('narrowed', { token_bound_cidrs: '10.0.0.0/8' }, narrow)
      expect((await login(roleId, secretId, '10.2.0.1')).status).toBe(403)
      const { auth } = mustBe(await login(roleId, secretId, '10.1.0.1'), 200).body
      const { body } = await app.root.post('/v1/auth/token/lookup', { token: auth.client_token })
      expect(body.data.bound_cidrs).toEqual(['10.1.0.0/16'])
    })

    test('a role that does not ask for a secret id ignores one', async () => {
      await write('open', { bind_secret_id: false, token_bound_cidrs: '10.0.0.0/8' })
      const roleId = await roleIdOf('open')
      for (const secretId of [undefined, 'anything']) {
        expect((await login(roleId, secretId, '10.0.0.1')).status).toBe(200)
        expect((await login(roleId, secretId, '11.0.0.1')).status).toBe(403)
      }
    })

    test.each([1, 3])('20 parallel logins with a secret id of %i uses give that many tokens', async (uses) => {
      const { roleId, secretId } = await made(`raced-${uses}`, {}, { num_uses: uses })
      const answers = await Promise.all(Array.from({ length: 20 }, () => login(roleId, secretId)))
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(uses)
      expect(statuses.filter((status) => status === 400)).toHaveLength(20 - uses)
      expect((await app.root.list(`${base}/role/raced-${uses}/secret-id`)).status).toBe(404)
    })

    test('a login that is refused in the end has used the secret id up', async () => {
      const { roleId, secretId } = await made('disabled', {}, { num_uses: 2 })
      const { entity_id } = mustBe(await login(roleId, secretId), 200).body.auth
      await app.root.post(`/v1/identity/entity/id/${entity_id}`, { disabled: true })
      expect((await login(roleId, secretId)).status).toBe(403)
      await app.root.post(`/v1/identity/entity/id/${entity_id}`, { disabled: false })
      expect((await login(roleId, secretId)).status).toBe(400)
    })

    test('a renewal has the terms of the role as it is now, and is refused once the role is gone', async () => {
      const { roleId, secretId } = await made('renewed', { token_ttl: 60 })
      const holder = app.anonymous.as((await login(roleId, secretId)).body.auth.client_token)
      await write('renewed', { token_ttl: 120, policies: 'more' })
      expect((await holder.post('/v1/auth/token/renew-self', {})).body.auth.lease_duration).toBe(120)
      mustBe(await app.root.delete(`${base}/role/renewed`), 204)
      expect((await holder.post('/v1/auth/token/renew-self', {})).status).toBe(400)
      expect((await holder.get('/v1/auth/token/lookup-self')).status).toBe(200)
    })

    test('a deleted role takes its secret ids along, also when one of its name and role id comes again', async () => {
      const { roleId, secretId } = await made('again')
      mustBe(await app.root.delete(`${base}/role/again`), 204)
      expect((await login(roleId, secretId)).status).toBe(400)
      await write('again', { role_id: roleId })
      expect((await login(roleId, secretId)).status).toBe(400)
    })

    test('a policy that no login can grant gets 400', async () => {
      const { roleId, secretId } = await made('rooted', { policies: 'root' })
      expect((await login(roleId, secretId)).status).toBe(400)
    })
  })

  describe('mounts', () => {
    test('roles and secret ids of one mount mean nothing to another, and go with their mount', async () => {
      const { roleId, secretId } = await made('isolated')
      mustBe(await app.root.post('/v1/sys/auth/apps', { type: 'approle' }), 204)
      expect((await app.anonymous.post('/v1/auth/apps/login', { role_id: roleId, secret_id: secretId })).status).toBe(
        400,
      )
      const mount = await app.deps.mounts.find('auth/apps/')
      mustBe(await app.root.post('/v1/auth/apps/role/r', { role_id: roleId }), 204)
      mustBe(await app.root.post('/v1/auth/apps/role/r/secret-id', {}), 200)
      mustBe(await app.root.delete('/v1/sys/auth/apps'), 204)
      if (!mount) throw new Error('There is no mount.')
      for (const table of ['login_roles', 'approle_secret_ids'] as const) {
        const rows = app.deps.db.selectFrom(table).select('mount_id').where('mount_id', '=', mount.id)
        expect(await rows.execute()).toEqual([])
      }
      const late = { name: 'late', input: {}, checkLink: async () => undefined }
      await expect(writeRole(app.deps, mount, appRoles, late)).rejects.toMatchObject({ code: 'mount.gone' })
      expect((await login(roleId, secretId)).status).toBe(200)
    })

    test('a disabled mount ends the tokens of its logins', async () => {
      mustBe(await app.root.post('/v1/sys/auth/brief', { type: 'approle' }), 204)
      mustBe(
        await app.root.post('/v1/auth/brief/role/r', { bind_secret_id: false, token_bound_cidrs: '0.0.0.0/0' }),
        204,
      )
      const { role_id } = (await app.root.get('/v1/auth/brief/role/r/role-id')).body.data
      const { auth } = mustBe(await app.anonymous.post('/v1/auth/brief/login', { role_id }), 200).body
      mustBe(await app.root.delete('/v1/sys/auth/brief'), 204)
      expect((await app.anonymous.as(auth.client_token).get('/v1/auth/token/lookup-self')).status).toBe(403)
    })
  })

  describe('throttling', () => {
    const custom = async (name: string) => {
      await write(name)
      mustBe(await app.root.post(`${base}/role/${name}/custom-secret-id`, { secret_id: `${name}-chosen` }), 200)
      return { roleId: await roleIdOf(name), chosen: `${name}-chosen` }
    }
    const locked = async () => (await app.root.get('/v1/sys/locked-users')).body.data

    test('wrong secret ids of a role without chosen ones never make anybody wait', async () => {
      const { roleId, secretId } = await made('unlocked')
      for (let wrong = 0; wrong < 10; wrong++) expect((await login(roleId, 'wrong', '10.9.0.1')).status).toBe(400)
      expect((await login(roleId, secretId, '10.9.0.1')).status).toBe(200)
    })

    test('chosen secret ids: after five wrong ones a place waits, others do not, and an operator ends it', async () => {
      const { roleId, chosen } = await custom('guessed')
      for (let wrong = 0; wrong < 5; wrong++) expect((await login(roleId, 'wrong', '10.9.0.2')).status).toBe(400)
      const refused = await login(roleId, chosen, '10.9.0.2')
      expect([refused.status, refused.headers['retry-after']]).toEqual([403, '1'])
      expect((await login(roleId, chosen, '10.9.0.3')).status).toBe(200)
      for (let wrong = 0; wrong < 5; wrong++) await login(roleId, 'wrong', '10.9.0.2')
      const { accessor } = (await app.root.get('/v1/sys/auth/approle')).body.data
      expect(await locked()).toEqual({
        total: 1,
        by_namespace: [
          {
            namespace_id: 'root',
            namespace_path: '',
            counts: 1,
            mount_accessors: [{ mount_accessor: accessor, counts: 1, alias_identifiers: [roleId] }],
          },
        ],
      })
      expect((await app.root.get('/v1/sys/locked-users?mount_accessor=other')).body.data.total).toBe(0)
      mustBe(await app.root.post(`/v1/sys/locked-users/${accessor}/unlock/${roleId}`), 204)
      expect((await locked()).total).toBe(0)
      expect((await login(roleId, chosen, '10.9.0.2')).status).toBe(200)
    })

    test('waits above five seconds are not announced', async () => {
      const { roleId, chosen } = await custom('waited')
      for (let wrong = 0; wrong < 5; wrong++) await login(roleId, 'wrong', '10.9.0.4')
      for (const seconds of [1, 2, 4]) {
        app.clock.advance(`${seconds}s`)
        await login(roleId, 'wrong', '10.9.0.4')
      }
      const refused = await login(roleId, chosen, '10.9.0.4')
      expect([refused.status, refused.headers['retry-after']]).toEqual([403, undefined])
    })

    test('user_lockout_config sets how many are free, or that nobody waits; other types refuse it', async () => {
      const tune = (path: string, user_lockout_config: object) =>
        app.root.post(`/v1/sys/auth/${path}/tune`, { user_lockout_config })
      mustBe(await app.root.post('/v1/sys/auth/token-like', { type: 'cert' }), 204)
      expect((await tune('token-like', { lockout_threshold: '2' })).status).toBe(400)
      expect((await tune('approle', { lockout_threshold: 'x' })).status).toBe(400)
      expect((await tune('approle', { lockout_duration: '25h' })).status).toBe(400)
      expect((await tune('approle', { odd: 1 })).status).toBe(400)
      mustBe(await tune('approle', { lockout_threshold: '2', lockout_duration: '1m' }), 204)
      const info = (await app.root.get('/v1/sys/auth/approle/tune')).body.data
      expect(info).toMatchObject({
        user_lockout_threshold: 2,
        user_lockout_duration: 60,
        user_lockout_counter_reset_duration: 900,
        user_lockout_disable: false,
      })
      const { roleId, chosen } = await custom('tuned')
      const attempts = async () => {
        const statuses: number[] = []
        for (const id of ['wrong', 'wrong', chosen]) statuses.push((await login(roleId, id, '10.9.0.5')).status)
        return statuses
      }
      expect(await attempts()).toEqual([400, 400, 403])
      mustBe(await tune('approle', { lockout_disable: true }), 204)
      expect(await attempts()).toEqual([400, 400, 200])
    })
  })

  describe('teams', () => {
    test('a linked role needs sudo to be written; its token acts as the team once that allows the method', async () => {
      const ann = await person(app, 'ann')
      const deploy = await team(await organization(ann, 'acme'), 'deploy')
      await calls.policy('roles', 'path "auth/approle/role/*" { capabilities = ["create", "update"] }')
      const writer = calls.as(await calls.create({ policies: ['roles'] }))
      expect((await writer.post(`${base}/role/linked`, { platform_team: 'acme/deploy' })).status).toBe(403)
      expect((await write('linked', { platform_team: 'acme/nobody' })).status).toBe(400)
      const { body } = mustBe(await write('linked', { platform_team: 'acme/deploy' }), 200)
      expect(body.warnings).toEqual([expect.stringContaining("'approle' in 'allowed-login-methods'")])
      expect((await writer.post(`${base}/role/linked/policies`, { policies: 'x' })).status).toBe(403)
      const { secret_id } = await makeId('linked')
      const answer = mustBe(await login(await roleIdOf('linked'), secret_id), 200).body
      expect(answer.warnings).toEqual([expect.stringContaining('/v1 only')])
      const robot = app.anonymous.as(answer.auth.client_token)
      const patch = (attributes: object) => ann.patch(`/api/v2/teams/${deploy.id}`, doc('teams', attributes))
      mustBe(await robot.get('/api/v2/account/details'), 401)
      mustBe(await patch({ 'allow-certificate-login': true }), 200)
      mustBe(await robot.get('/api/v2/account/details'), 401)
      const { attributes } = mustBe(await patch({ 'allowed-login-methods': ['approle'] }), 200).body.data
      expect(attributes).toMatchObject({ 'allow-certificate-login': false, 'allowed-login-methods': ['approle'] })
      mustBe(await robot.get('/api/v2/account/details'), 200)
      mustBe(await patch({ name: 'renamed' }), 200)
      mustBe(await robot.get('/api/v2/account/details'), 401)
      expect(await login(await roleIdOf('linked'), secret_id)).toMatchObject({
        status: 400,
        body: { errors: [expect.stringContaining('renamed or replaced')] },
      })
    })
  })

  test('secrecy: no secret id is in the log or in the database', async () => {
    const { roleId, secretId } = await made('secret', {}, { metadata: { build: '42' } })
    await login(roleId, secretId)
    await login(roleId, `${secretId}x`)
    await app.root.delete(`${base}/role/secret/secret-id/destroy?secret_id=${secretId}`)
    expect(logged()).not.toContain(secretId)
    for (const table of ['login_roles', 'approle_secret_ids', 'tokens'] as const)
      expect(JSON.stringify(await app.deps.db.selectFrom(table).selectAll().execute())).not.toContain(secretId)
  })
})
