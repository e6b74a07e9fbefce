import { describe, expect, test } from 'vitest'
import { sharedAppRoles } from '../../../../../test/support/approle.ts'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { mustBe } from '../../../../../test/support/platform.ts'
import type { JobRun } from '../../../../kit/job.ts'
import { tidyJob } from './secret-ids/secret-id-actions.ts'

/** The job does not use its run. */
const unusedRun = {} as JobRun

eachEngine((engine) => {
  const { app, calls, base, write, roleIdOf, makeId, login, made } = sharedAppRoles(engine)
  const read = async (name: string) => (await app.root.get(`${base}/role/${name}`)).body.data

  describe('roles', () => {
    test('callers without a policy get 403', async () => {
      const nobody = calls.as(await calls.create({ policies: ['default'] }))
      for (const path of ['role/x', 'role/x/role-id', 'role/x/policies'])
        expect((await nobody.get(`${base}/${path}`)).status).toBe(403)
      expect((await nobody.post(`${base}/role/x`, {})).status).toBe(403)
    })

    test.each([
      [{ bind_secret_id: false }, 'at least one constraint should be enabled on the role'],
      [{ secret_id_num_uses: -1 }, 'secret_id_num_uses'],
      [{ secret_id_bound_cidrs: 'x' }, "'secret_id_bound_cidrs' holds 'x'"],
      [{ bound_cidr_list: '10.0.0.0/33' }, '10.0.0.0/33'],
      [{ token_bound_cidrs: 'x' }, "'token_bound_cidrs' holds 'x'"],
      [{ role_id: '' }, 'role_id'],
      [{ token_type: 'odd' }, 'token_type'],
      [{ token_period: '5000h' }, 'token_period'],
      [{ token_ttl: 61, token_max_ttl: 60 }, 'token_ttl'],
      [{ secret_id_bound_cidr: ['10.0.0.0/8'] }, 'secret_id_bound_cidrs'],
    ])('a write of %j gets 400 and stores nothing', async (fields, text) => {
      const answer = await write('refused', fields)
      expect([answer.status, answer.body.errors?.[0]]).toEqual([400, expect.stringContaining(text)])
      expect((await app.root.get(`${base}/role/refused`)).status).toBe(404)
    })

    test('a role is read without its role id, names have no case, and absent fields stay', async () => {
      expect((await write('Web', { policies: 'a,B', period: 60, token_type: 'default-batch' })).status).toBe(400)
      const { status, body } = await write('Web', { policies: 'a,B', period: 60, token_type: 'default-service' })
      expect([status, body.warnings]).toEqual([200, [expect.stringContaining("'service'")]])
      expect((await write('wEB', { secret_id_ttl: '10m' })).status).toBe(204)
      expect(await read('WEB')).toEqual({
        bind_secret_id: true,
        secret_id_bound_cidrs: [],
        secret_id_num_uses: 0,
        secret_id_ttl: 600,
        local_secret_ids: false,
        token_ttl: 0,
        token_max_ttl: 0,
        token_explicit_max_ttl: 0,
        token_period: 60,
        token_policies: ['a', 'b'],
        token_bound_cidrs: [],
        token_strictly_bind_ip: false,
        token_no_default_policy: false,
        token_num_uses: 0,
        token_type: 'service',
        alias_metadata: {},
        platform_team: '',
      })
      expect((await app.root.list(`${base}/role`)).body.data.keys).toContain('web')
    })

    test('local_secret_ids can be set at creation only', async () => {
      await write('local', { local_secret_ids: true })
      expect((await app.root.get(`${base}/role/local/local-secret-ids`)).body.data).toEqual({ local_secret_ids: true })
      expect((await write('local', { local_secret_ids: false })).status).toBe(400)
      expect((await write('local', { local_secret_ids: true })).status).toBe(204)
    })

    test('role ids are unique in a mount; a new one replaces the old one for logins', async () => {
      const { roleId, secretId } = await made('renamed')
      await write('other')
      const put = (role_id: string) => app.root.post(`${base}/role/renamed/role-id`, { role_id })
      expect((await put(await roleIdOf('other'))).status).toBe(400)
      expect((await put('')).status).toBe(400)
      expect((await app.root.post(`${base}/role/nobody/role-id`, { role_id: 'x' })).status).toBe(404)
      mustBe(await put('chosen'), 204)
      expect((await login(roleId, secretId)).status).toBe(400)
      expect((await login('chosen', secretId)).status).toBe(200)
    })

    test.each([
      ['policies', { policies: ['x'] }, []],
      ['bound-cidr-list', { bound_cidr_list: ['127.0.0.1/32'] }, []],
      ['secret-id-bound-cidrs', { secret_id_bound_cidrs: ['127.0.0.0/8'] }, []],
      ['token-bound-cidrs', { token_bound_cidrs: ['127.0.0.0/8'] }, []],
      ['bind-secret-id', { bind_secret_id: false }, true],
      ['secret-id-num-uses', { secret_id_num_uses: 3 }, 0],
      ['secret-id-ttl', { secret_id_ttl: 60 }, 0],
      ['period', { period: 60 }, 0],
      ['token-num-uses', { token_num_uses: 4 }, 0],
      ['token-ttl', { token_ttl: 60 }, 0],
      ['token-max-ttl', { token_max_ttl: 70 }, 0],
    ])('the field %s can be read, written and reset by itself', async (path, fields, initial) => {
      const name = `one-${path}`
      const at = `${base}/role/${name}/${path}`
      for (const answer of [app.root.get(at), app.root.post(at, fields), app.root.delete(at)])
        expect((await answer).status).toBe(404)
      await write(name, path === 'bind-secret-id' ? { secret_id_bound_cidrs: '127.0.0.1' } : {})
      mustBe(await app.root.post(at, fields), 204)
      expect((await app.root.get(at)).body.data).toEqual(fields)
      mustBe(await app.root.delete(at), 204)
      expect((await app.root.get(at)).body.data).toEqual({ [path.replaceAll('-', '_')]: initial })
    })

    test('a policy about one spelling of a name holds for all of them', async () => {
      await write('guarded')
      const policy = `path "auth/approle/role/*" { capabilities = ["read", "update"] }
        path "auth/approle/role/guarded/*" { capabilities = ["deny"] }`
      await calls.policy('spelled', policy)
      const caller = calls.as(await calls.create({ policies: ['spelled'] }))
      for (const name of ['guarded', 'GUARDED'])
        expect((await caller.post(`${base}/role/${name}/secret-id`, {})).status).toBe(403)
    })

    test('policies distinguish the creation of a role from its change', async () => {
      await calls.policy('maker', 'path "auth/approle/role/*" { capabilities = ["create"] }')
      const maker = calls.as(await calls.create({ policies: ['maker'] }))
      expect((await maker.post(`${base}/role/fresh`, {})).status).toBe(204)
      expect((await maker.post(`${base}/role/fresh`, {})).status).toBe(403)
    })

    test('parallel writes of different fields all last', async () => {
      const fields = [{ token_ttl: 5 }, { token_max_ttl: 50 }, { secret_id_ttl: 7 }, { policies: 'p' }]
      await Promise.all(fields.map((each) => write('contended', each)))
      expect(await read('contended')).toMatchObject({
        token_ttl: 5,
        token_max_ttl: 50,
        secret_id_ttl: 7,
        token_policies: ['p'],
      })
    })
  })

  describe('secret ids', () => {
    test.each([
      ['POST', 'secret-id', {}],
      ['POST', 'custom-secret-id', { secret_id: 'x' }],
      ['POST', 'secret-id/lookup', { secret_id: 'x' }],
      ['POST', 'secret-id-accessor/lookup', { secret_id_accessor: 'x' }],
    ])('%s %s of an unknown role gets 404', async (_verb, path, body) => {
      const answer = await app.root.post(`${base}/role/nobody/${path}`, body)
      expect(answer).toMatchObject({ status: 404, body: { errors: ['role "nobody" does not exist'] } })
    })

    test.each([
      [{ secret_id_num_uses: 5 }, { num_uses: 0 }, 'num_uses cannot be higher than'],
      [{ secret_id_num_uses: 5 }, { num_uses: 6 }, 'num_uses cannot be higher than'],
      [{ secret_id_ttl: 60 }, { ttl: 61 }, 'ttl cannot be longer than'],
      [{ secret_id_ttl: 60 }, { ttl: 0 }, 'ttl cannot be longer than'],
      [{ secret_id_bound_cidrs: '10.0.0.0/8' }, { cidr_list: '11.0.0.1' }, 'cidr_list'],
      [{ secret_id_bound_cidrs: '10.0.0.0/8' }, { cidr_list: '10.0.0.0/7' }, 'cidr_list'],
      [{ token_bound_cidrs: '10.0.0.0/8' }, { token_bound_cidrs: '::/0' }, 'token_bound_cidrs'],
      [{}, { cidr_list: 'x' }, 'cidr_list'],
      [{}, { metadata: '[1]' }, 'metadata'],
      [{ bind_secret_id: false, token_bound_cidrs: '127.0.0.1' }, {}, 'bind_secret_id'],
    ])('a role with %j refuses a secret id with %j', async (role, fields, text) => {
      await app.root.delete(`${base}/role/strict`)
      mustBe(await write('strict', role), 204)
      const answer = await app.root.post(`${base}/role/strict/secret-id`, fields)
      expect([answer.status, answer.body.errors[0]]).toEqual([400, expect.stringContaining(text)])
      expect((await app.root.list(`${base}/role/strict/secret-id`)).status).toBe(404)
    })

    test('a secret id takes limits from the role, and a look-up shows all but its text', async () => {
      await write('limits', { secret_id_num_uses: 5, secret_id_ttl: '1h' })
      const usual = await makeId('limits')
      expect(usual).toMatchObject({ secret_id_ttl: 3600, secret_id_num_uses: 5 })
      const fields = { metadata: '{"build":"42"}', cidr_list: '127.0.0.1/32', num_uses: 2, ttl: 60 }
      const { secret_id, secret_id_accessor } = await makeId('limits', fields)
      expect((await login(await roleIdOf('limits'), secret_id)).status).toBe(200)
      const lookup = (await app.root.post(`${base}/role/limits/secret-id/lookup`, { secret_id })).body.data
      expect(lookup).toMatchObject({
        secret_id_accessor,
        secret_id_num_uses: 1,
        secret_id_ttl: 60,
        metadata: { build: '42' },
        cidr_list: ['127.0.0.1/32'],
        token_bound_cidrs: [],
      })
      expect(JSON.stringify(lookup)).not.toContain(secret_id)
      expect(Date.parse(lookup.expiration_time) - Date.parse(lookup.creation_time)).toBe(60_000)
      const byAccessor = await app.root.post(`${base}/role/limits/secret-id-accessor/lookup`, { secret_id_accessor })
      expect(byAccessor.body.data).toEqual(lookup)
      expect((await app.root.list(`${base}/role/limits/secret-id`)).body.data.keys.sort()).toEqual(
        [usual.secret_id_accessor, secret_id_accessor].sort(),
      )
    })

    test('without a lifetime there is no end, and a lifetime is cut to the maximum of the mount', async () => {
      await write('endless')
      const { secret_id } = await makeId('endless')
      const { body } = await app.root.post(`${base}/role/endless/secret-id/lookup`, { secret_id })
      expect(body.data).toMatchObject({ secret_id_ttl: 0, expiration_time: '0001-01-01T00:00:00Z' })
      expect((await makeId('endless', { ttl: '9000h' })).secret_id_ttl).toBe(2_764_800)
    })

    test('unknown secret ids: a look-up gets 204, one by accessor 404, destroying succeeds', async () => {
      const { accessor } = await made('own')
      await write('foreign')
      const post = (path: string, body: object) => app.root.post(`${base}/role/foreign/${path}`, body)
      expect((await post('secret-id/lookup', { secret_id: 'x' })).status).toBe(204)
      expect((await post('secret-id/destroy', { secret_id: 'x' })).status).toBe(204)
      for (const secret_id_accessor of ['x', accessor]) {
        expect(await post('secret-id-accessor/lookup', { secret_id_accessor })).toMatchObject({
          status: 404,
          body: { errors: ['failed to find accessor entry for secret_id_accessor'] },
        })
        const destroyed = await post('secret-id-accessor/destroy', { secret_id_accessor })
        expect([destroyed.status, destroyed.body.warnings]).toEqual([200, [expect.stringContaining('accessor')]])
      }
      const lookup = await app.root.post(`${base}/role/own/secret-id-accessor/lookup`, { secret_id_accessor: accessor })
      expect(lookup.status).toBe(200)
    })

    test('a destroyed secret id is dead, whichever way it was named', async () => {
      await write('destroyed')
      const roleId = await roleIdOf('destroyed')
      const ways = [
        ({ secret_id }: { secret_id: string }) =>
          app.root.post(`${base}/role/destroyed/secret-id/destroy`, { secret_id }),
        ({ secret_id }: { secret_id: string }) =>
          app.root.delete(`${base}/role/destroyed/secret-id/destroy?secret_id=${secret_id}`),
        ({ secret_id_accessor }: { secret_id_accessor: string }) =>
          app.root.post(`${base}/role/destroyed/secret-id-accessor/destroy`, { secret_id_accessor }),
        ({ secret_id_accessor }: { secret_id_accessor: string }) =>
          app.root.delete(`${base}/role/destroyed/secret-id-accessor/destroy?secret_id_accessor=${secret_id_accessor}`),
      ]
      for (const destroy of ways) {
        const id = await makeId('destroyed')
        mustBe(await destroy(id), 204)
        expect((await login(roleId, id.secret_id)).status).toBe(400)
      }
    })

    test('a custom secret id works, and cannot be registered twice', async () => {
      await write('custom')
      const register = () => app.root.post(`${base}/role/custom/custom-secret-id`, { secret_id: 'a chosen text' })
      expect(mustBe(await register(), 200).body.data.secret_id).toBe('a chosen text')
      expect((await register()).status).toBe(400)
      expect((await login(await roleIdOf('custom'), 'a chosen text')).status).toBe(200)
    })

    test('a wrapped secret id: the wrapped accessor is that of the secret id, the path that of the request', async () => {
      await write('wrapped')
      const path = 'auth/approle/role/wrapped/secret-id'
      const { wrap_info } = mustBe(
        await app.root.post(`/v1/${path}`, {}, { headers: { 'x-vault-wrap-ttl': '60' } }),
        200,
      ).body
      expect(wrap_info.creation_path).toBe(path)
      const holder = app.anonymous.as(wrap_info.token)
      const lookup = (await holder.get('/v1/sys/wrapping/lookup')).body.data
      expect(lookup.creation_path).toBe(path)
      const { data } = mustBe(await holder.put('/v1/sys/wrapping/unwrap'), 200).body
      expect(wrap_info.wrapped_accessor).toBe(data.secret_id_accessor)
      expect((await login(await roleIdOf('wrapped'), data.secret_id)).status).toBe(200)
    })

    test('tidy removes expired secret ids and those of deleted roles, and keeps the others', async () => {
      await made('kept')
      await made('gone')
      await makeId('kept', { ttl: 1 })
      mustBe(await app.root.delete(`${base}/role/gone`), 204)
      app.clock.advance('2s')
      const started = await app.root.post(`${base}/tidy/secret-id`)
      expect([started.status, started.body.warnings]).toEqual([202, [expect.any(String)]])
      await tidyJob.run(app.deps, unusedRun)
      expect((await app.root.list(`${base}/role/kept/secret-id`)).body.data.keys).toHaveLength(1)
      const roles = app.deps.db.selectFrom('login_roles').select('id')
      const left = app.deps.db.selectFrom('approle_secret_ids').select('hash').where('role_id', 'not in', roles)
      expect(await left.execute()).toEqual([])
    })
  })
})
