import { describe, expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { sharedApp } from '../../../../test/support/shared.ts'

const read = 'path "a/*" { capabilities = ["read"] }'
const at = (name: string) => `/v1/sys/policies/acl/${name}`
const old = (name: string) => `/v1/sys/policy/${name}`

eachEngine((engine) => {
  describe('policies', () => {
    const app = sharedApp({ engine })

    test('a policy is written, read as it was sent, listed and deleted', async () => {
      const text = `# keep this\n${read}\n`
      expect((await app.root.put(at('web'), { policy: text })).status).toBe(204)
      expect((await app.root.get(at('web'))).body.data).toEqual({ name: 'web', policy: text })
      expect((await app.root.list('/v1/sys/policies/acl')).body.data.keys).toEqual(['default', 'web', 'root'])
      expect((await app.root.get('/v1/sys/policies/acl')).body.data.keys).toEqual(['default', 'web', 'root'])
      expect((await app.root.delete(at('web'))).status).toBe(204)
      expect((await app.root.delete(at('web'))).status).toBe(204)
      expect(await app.root.get(at('web'))).toMatchObject({ status: 404, body: { errors: [] } })
    })

    test.each(['policies/acl', 'policy'])(
      'a policy that denies one name below sys/%s denies every spelling of it',
      async (path) => {
        await app.root.put(at('prod'), { policy: read })
        const rule = (name: string, capabilities: string[]) =>
          `path "sys/${path}/${name}" { capabilities = ${JSON.stringify(capabilities)} }\n`
        const policy = rule('*', ['read', 'update', 'delete']) + rule('prod', ['deny'])
        await app.root.put(at('clerk'), { policy: policy + rule('team/*', ['deny']) })
        const token = await app.root.post('/v1/auth/token/create', { policies: ['clerk'] })
        const clerk = app.anonymous.as(token.body.auth.client_token)
        for (const name of ['prod', 'PROD', 'Prod', '%20prod', 'team/app', 'Team/app', '%20team/app']) {
          const address = `/v1/sys/${path}/${name}`
          expect((await clerk.get(address)).status, name).toBe(403)
          expect((await clerk.post(address, { policy: read })).status, name).toBe(403)
          expect((await clerk.delete(address)).status, name).toBe(403)
        }
        expect((await clerk.get(`/v1/sys/${path}/CLERK`)).status).toBe(200)
        for (const name of ['prod', 'clerk']) await app.root.delete(at(name))
      },
    )

    test('a rule with min_wrapping_ttl applies to every spelling of the name', async () => {
      await app.root.put(at('prod'), { policy: read })
      const rule = `path "sys/policies/acl/prod" { capabilities = ["read"] min_wrapping_ttl = "10s" }`
      await app.root.put(at('clerk'), { policy: `${rule}\npath "sys/policies/acl/*" { capabilities = ["read"] }` })
      const token = await app.root.post('/v1/auth/token/create', { policies: ['clerk'] })
      const clerk = app.anonymous.as(token.body.auth.client_token)
      for (const name of ['prod', 'PROD']) {
        expect((await clerk.get(at(name))).status, name).toBe(403)
        expect((await clerk.get(at(name), { headers: { 'x-service-wrap-ttl': '1m' } })).status, name).toBe(200)
      }
      for (const name of ['prod', 'clerk']) await app.root.delete(at(name))
    })

    test('sys/policy lists the names twice and in both places, and shows the text as rules', async () => {
      expect((await app.root.post(old('web'), { policy: read })).status).toBe(204)
      const { body } = await app.root.get('/v1/sys/policy')
      const names = ['default', 'web', 'root']
      expect([body.data, body.keys, body.policies]).toEqual([{ keys: names, policies: names }, names, names])
      const one = (await app.root.get(old('WEB'))).body
      expect([one.data, one.name, one.rules]).toEqual([{ name: 'web', rules: read }, 'web', read])
      const warned = await app.root.put(old('web'), { rules: read })
      expect([warned.status, warned.body.warnings.length]).toEqual([200, 1])
      expect((await app.root.delete(old('web'))).status).toBe(204)
      expect((await app.root.get(old('web'))).status).toBe(404)
    })

    test('a policy sent as JSON or in base64 is accepted and stored decoded', async () => {
      const json = '{"path":{"a/*":{"capabilities":["read"]}}}'
      expect((await app.root.put(at('json'), { policy: json })).status).toBe(204)
      await app.root.put(at('encoded'), { policy: Buffer.from(read).toString('base64') })
      expect((await app.root.get(at('encoded'))).body.data.policy).toBe(read)
      for (const name of ['json', 'encoded']) await app.root.delete(at(name))
    })

    test.each(['policies/acl', 'policy'])('below sys/%s, a name can have several segments', async (path) => {
      const address = (name: string) => `/v1/sys/${path}/${name}`
      expect((await app.root.put(address('team/app'), { policy: read })).status).toBe(204)
      expect((await app.root.put(address('team/app/prod'), { policy: read })).status).toBe(204)
      expect((await app.root.get(address('TEAM/app'))).body.data.name).toBe('team/app')
      expect((await app.root.get(address('team'))).status).toBe(404)
      const names = ['default', 'team/app', 'team/app/prod', 'root']
      expect((await app.root.list('/v1/sys/policies/acl')).body.data.keys).toEqual(names)
      expect((await app.root.list(address('team'))).status).toBe(405)
      expect((await app.root.get(address('team/app/'))).status).toBe(404)
      for (const unclean of ['team//app', 'team%2Fapp']) {
        expect((await app.root.get(address(unclean))).status, unclean).toBe(400)
      }
      for (const name of ['team/app', 'team/app/prod']) {
        expect((await app.root.delete(address(name))).status).toBe(204)
        expect((await app.root.get(address(name))).status).toBe(404)
      }
    })

    test('a policy of several segments grants what it says, to tokens, through token roles and through entities', async () => {
      const listing = 'path "sys/policies/acl" { capabilities = ["list"] }'
      await app.root.put(at('team/lister'), { policy: listing })
      const mayList = async (token: string) => (await app.anonymous.as(token).list('/v1/sys/policies/acl')).status
      const plain = await app.root.post('/v1/auth/token/create', { policies: ['Team/Lister'] })
      expect([plain.body.warnings, plain.body.auth.policies]).toEqual([null, ['default', 'team/lister']])
      expect(await mayList(plain.body.auth.client_token)).toBe(200)
      await app.root.post('/v1/auth/token/roles/several', { allowed_policies: ['team/lister'] })
      const byRole = await app.root.post('/v1/auth/token/create/several', {})
      expect(await mayList(byRole.body.auth.client_token)).toBe(200)
      const glob = { allowed_policies_glob: ['team/*'], allowed_entity_aliases: ['ida'] }
      await app.root.post('/v1/auth/token/roles/several', { ...glob, allowed_policies: [] })
      const byGlob = await app.root.post('/v1/auth/token/create/several', { policies: ['team/lister'] })
      expect(await mayList(byGlob.body.auth.client_token)).toBe(200)
      const named = { policies: ['team/none'], entity_alias: 'ida' }
      const { auth } = (await app.root.post('/v1/auth/token/create/several', named)).body
      expect(await mayList(auth.client_token)).toBe(403)
      await app.root.post(`/v1/identity/entity/id/${auth.entity_id}`, { policies: ['team/lister'] })
      expect(await mayList(auth.client_token)).toBe(200)
      await app.root.delete(`/v1/identity/entity/id/${auth.entity_id}`)
      await app.root.delete('/v1/auth/token/roles/several')
      await app.root.delete(at('team/lister'))
    })

    test('names are stored in lower case, with a warning', async () => {
      const answer = await app.root.put(at('Mixed-Case'), { policy: read })
      expect(answer.status).toBe(200)
      expect(answer.body.warnings[0]).toContain("'mixed-case'")
      expect((await app.root.get(at('MIXED-case'))).body.data.name).toBe('mixed-case')
      expect((await app.root.delete(at('MIXED-CASE'))).status).toBe(204)
    })

    test('an attribute given twice gives a warning', async () => {
      const policy = 'path "a" { capabilities = ["read"] capabilities = ["list"] }'
      expect((await app.root.put(at('doubled'), { policy })).body.warnings).toHaveLength(1)
      await app.root.delete(at('doubled'))
    })

    test.each([
      ['PUT', at('root'), { policy: read }],
      ['PUT', at('ROOT'), { policy: read }],
      ['PUT', at('response-wrapping'), { policy: read }],
      ['PUT', at('team/%20'), { policy: read }],
      ['PUT', at('%20/team'), { policy: read }],
      ['PUT', at('%20..'), { policy: read }],
      ['PUT', at('x'), {}],
      ['PUT', at('x'), { policy: '' }],
      ['PUT', at('x'), { policy: 'path "a" {' }],
      ['PUT', at('x'), { policy: 'path "a" { capabilities = ["fly"] }' }],
      ['PUT', at('x'), { policy: 'rule "a" { }' }],
      ['PUT', old('root'), { policy: read }],
      ['DELETE', at('root'), undefined],
      ['DELETE', at('default'), undefined],
      ['DELETE', at('Default'), undefined],
      ['DELETE', at('response-wrapping'), undefined],
    ])('%s %s %j gets 400 and changes nothing', async (verb, path, body) => {
      const answer = await app.root.send(verb, path, body)
      expect(answer.status).toBe(400)
      expect(answer.body.errors).toHaveLength(1)
      expect((await app.root.list('/v1/sys/policies/acl')).body.data.keys).toEqual(['default', 'root'])
    })

    test('a parse error gives the position', async () => {
      const answer = await app.root.put(at('x'), { policy: 'path "a" {\n  capabilities = read\n}' })
      expect(answer.body.errors[0]).toContain('line 2, column 18')
    })

    test('the response-wrapping policy can be read but is not listed', async () => {
      const { policy } = (await app.root.get(at('Response-Wrapping'))).body.data
      expect(policy).toContain('path "sys/wrapping/unwrap"')
      const { data } = (await app.root.get(old('response-wrapping'))).body
      expect(data).toEqual({ name: 'response-wrapping', rules: policy })
      expect((await app.root.list('/v1/sys/policies/acl')).body.data.keys).toEqual(['default', 'root'])
    })

    test('root has an empty text; default can be edited', async () => {
      expect((await app.root.get(at('root'))).body.data).toEqual({ name: 'root', policy: '' })
      const { policy } = (await app.root.get(at('default'))).body.data
      expect((await app.root.put(at('default'), { policy: `${policy}\n# edited` })).status).toBe(204)
      expect((await app.root.get(at('default'))).body.data.policy).toContain('# edited')
      await app.root.put(at('default'), { policy })
    })
  })
})
