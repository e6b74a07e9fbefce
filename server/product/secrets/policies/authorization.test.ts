import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { Client } from '../../../../test/support/client.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'
import { tokenCalls } from '../../../../test/support/token-calls.ts'

eachEngine((engine) => {
  describe('authorization by policies', () => {
    const app = sharedApp({ engine })
    const calls = shared(() => tokenCalls(app))

    /** A token with one policy of this text and nothing else. */
    async function holder(policy: string, extras: object = {}): Promise<Client> {
      const name = `p${app.deps.ids.hex(8)}`
      await calls.policy(name, policy)
      return calls.as(await calls.create({ policies: [name], no_default_policy: true, ...extras }))
    }
    const status = async (client: Client, verb: string, path: string, body?: unknown) =>
      (await client.send(verb, `/v1/${path}`, body)).status

    test('a deny on the entries of a list denies the list, with and without the trailing slash', async () => {
      const client = await holder(`
        path "sys/*" { capabilities = ["list", "read"] }
        path "sys/policies/acl/*" { capabilities = ["deny"] }
      `)
      expect(await status(client, 'LIST', 'sys/policies/acl')).toBe(403)
      expect(await status(client, 'LIST', 'sys/policies/acl/')).toBe(403)
      expect(await status(client, 'GET', 'sys/policies/acl?list=true')).toBe(403)
      expect(await status(client, 'GET', 'sys/policies/acl/default')).toBe(403)
      expect(await status(client, 'GET', 'sys/mounts')).toBe(200)
    })

    test('only the most specific matching rule counts', async () => {
      const client = await holder(`
        path "sys/policies/*" { capabilities = ["read", "list", "update"] }
        path "sys/policies/acl/+" { capabilities = ["read"] }
        path "sys/policies/acl/web" { capabilities = ["update"] }
      `)
      expect(await status(client, 'GET', 'sys/policies/acl/default')).toBe(200)
      expect(await status(client, 'PUT', 'sys/policies/acl/other', { policy: 'x' })).toBe(403)
      expect(await status(client, 'GET', 'sys/policies/acl/web')).toBe(403)
      expect(await status(client, 'PUT', 'sys/policies/acl/web', { policy: 'path "a" {}' })).toBe(204)
    })

    test('a changed or deleted policy applies from the next request on', async () => {
      await calls.policy('moving', 'path "sys/mounts" { capabilities = ["read"] }')
      const client = calls.as(await calls.create({ policies: ['moving'], no_default_policy: true }))
      expect(await status(client, 'GET', 'sys/mounts')).toBe(200)
      await calls.policy('moving', 'path "sys/mounts" { capabilities = ["deny"] }')
      expect(await status(client, 'GET', 'sys/mounts')).toBe(403)
      await calls.policy('moving', 'path "sys/mounts" { capabilities = ["read"] }')
      await app.root.delete('/v1/sys/policies/acl/moving')
      expect(await status(client, 'GET', 'sys/mounts')).toBe(403)
    })

    test('of 9000 policies on a token the one that exists grants its path', async () => {
      await calls.policy('z-last', 'path "sys/mounts" { capabilities = ["read"] }')
      const unwritten = Array.from({ length: 9_000 }, (_, number) => `unwritten-${number}`)
      const client = calls.as(await calls.create({ policies: [...unwritten, 'z-last'], no_default_policy: true }))
      expect(await status(client, 'GET', 'sys/mounts')).toBe(200)
    })

    test('required, allowed and denied parameters are checked against the fields sent', async () => {
      const client = await holder(`
        path "sys/policies/acl/+" {
          capabilities = ["update"]
          required_parameters = ["policy"]
          allowed_parameters = { "policy" = ["path*"], "note" = [] }
          denied_parameters = { "rules" = [] }
        }
      `)
      const write = (body: object) => status(client, 'PUT', 'sys/policies/acl/fields', body)
      expect(await write({ policy: 'path "a" {}' })).toBe(204)
      expect(await write({ POLICY: 'path "a" {}' })).toBe(204)
      expect(await write({ note: 'x' })).toBe(403)
      expect(await write({ policy: '# no' })).toBe(403)
      expect(await write({ policy: 'path "a" {}', rules: 'x' })).toBe(403)
      expect(await write({ policy: 'path "a" {}', other: 'x' })).toBe(403)
      expect(await write({ policy: 'path "a" {}', note: 'anything' })).toBe(200)
    })

    test('a required parameter may be sent in another case and is read; sent twice it gets 400', async () => {
      const maker = await holder(`
        path "auth/token/create" { capabilities = ["update"] required_parameters = ["explicit_max_ttl"] }
        path "auth/token/lookup-self" { capabilities = ["read"] }
      `)
      const make = (body: object) => maker.post('/v1/auth/token/create', body)
      expect((await make({})).status).toBe(403)
      const made = await make({ EXPLICIT_MAX_TTL: '1h' })
      const { data } = (await calls.as(made.body.auth).get('/v1/auth/token/lookup-self')).body
      expect(data.explicit_max_ttl).toBe(3600)
      expect((await make({ explicit_max_ttl: 0, EXPLICIT_MAX_TTL: '1h' })).status).toBe(400)
    })

    test('wrapping bounds: an answer without a wrap TTL within them gets 403', async () => {
      const client = await holder(
        'path "sys/policies/acl/default" { capabilities = ["read"] min_wrapping_ttl = "1m" max_wrapping_ttl = "1h" }',
      )
      const read = async (ttl?: string) => {
        const headers: Record<string, string> = ttl ? { 'x-service-wrap-ttl': ttl } : {}
        return (await client.get('/v1/sys/policies/acl/default', { headers })).status
      }
      expect([await read(), await read('30s'), await read('2h'), await read('5m')]).toEqual([403, 403, 403, 200])
    })

    test('templates are filled in from the entity; wildcards in metadata grant nothing', async () => {
      await app.root.post('/v1/sys/auth/cert', { type: 'cert' })
      const { accessor } = (await app.root.get('/v1/sys/auth')).body.data['cert/']
      await calls.policy(
        'templated',
        `path "identity/entity/id/{{identity.entity.id}}" { capabilities = ["read"] }
         path "sys/policies/acl/{{identity.entity.metadata.team}}" { capabilities = ["read"] }
         path "sys/policies/acl/{{identity.entity.aliases.${accessor}.name}}-x" { capabilities = ["read"] }`,
      )
      const tokens: string[] = []
      for (const [alias, team] of [
        ['ann', 'blue'],
        ['bob', '*'],
      ] as const) {
        const body = { name: alias, mount_accessor: accessor }
        const { canonical_id } = (await app.root.post('/v1/identity/entity-alias', body)).body.data
        await app.root.post(`/v1/identity/entity/id/${canonical_id}`, { metadata: { team }, policies: ['templated'] })
        tokens.push(canonical_id)
      }
      await calls.policy('blue', 'path "x" {}')
      const [ann = '', bob = ''] = tokens
      const annsId = `identity/entity/id/${ann}`
      const { deps } = app
      const facts = async (id: string, path: string) => {
        const { aclOf } = await import('./policy-actions.ts')
        const base = await deps.tokens.authenticate(app.rootToken, {} as never)
        const token = { ...base, policies: [], identityPolicies: ['templated'], entityId: id, root: false }
        return (await aclOf(deps, token)).check({ path, operation: 'read' }).allowed
      }
      expect(await facts(ann, annsId)).toBe(true)
      expect(await facts(bob, annsId)).toBe(false)
      expect(await facts(ann, 'sys/policies/acl/blue')).toBe(true)
      expect(await facts(bob, 'sys/policies/acl/blue')).toBe(false)
      expect(await facts(bob, 'sys/policies/acl/anything')).toBe(false)
      expect(await facts(ann, 'sys/policies/acl/ann-x')).toBe(true)
    })

    test.each(['ROOT', 'Root', ' root ', 'root\u0000', 'ｒoot', 'rооt'])(
      'a token cannot be given the root policy by the name "%s"',
      async (name) => {
        const maker = calls.as(await calls.create({ policies: ['chief'] }))
        const answer = await maker.post('/v1/auth/token/create', { policies: [name] })
        if (answer.status !== 200) return expect(answer.status).toBe(400)
        expect(await status(app.root.as(answer.body.auth.client_token), 'GET', 'sys/mounts')).toBe(403)
      },
    )

    test('a policy name that contains separators does not grant the policies it seems to list', async () => {
      await calls.policy('app-x', 'path "cubbyhole/*" { capabilities = ["read"] }')
      await calls.policy('chief-of-all', 'path "sys/mounts" { capabilities = ["read"] }')
      const chief = calls.as(await calls.create({ policies: ['app-x', 'chief-of-all'], no_default_policy: true }))
      await app.root.post('/v1/auth/token/roles/apps', { allowed_policies_glob: ['app-*'] })
      const asker = await holder('path "auth/token/create/apps" { capabilities = ["update"] }')
      for (const name of ['app-x,chief-of-all', 'app-x","chief-of-all', 'app-x,chief-of-all|0|']) {
        const asked = { policies: [name], no_default_policy: true }
        const made = calls.as(await calls.create(asked, asker, 'create/apps'))
        // From here on the compiled rules of this token are cached.
        expect(await status(chief, 'GET', 'sys/mounts')).toBe(200)
        expect(await status(made, 'GET', 'sys/mounts'), name).toBe(403)
      }
    })

    test('a deny applies even if its policy is named in another case and with blanks', async () => {
      await calls.policy('open', 'path "sys/mounts" { capabilities = ["read"] }')
      await calls.policy('closed', 'path "sys/mounts" { capabilities = ["deny"] }')
      const client = calls.as(await calls.create({ policies: ['open', ' CLOSED '] }))
      expect(await status(client, 'GET', 'sys/mounts')).toBe(403)
    })

    test.each([
      '/v1/sys/policies/acl/../../mounts',
      '/v1/sys/policies/acl/%2e%2e/%2e%2e/mounts',
      '/v1/sys/policies/acl/..%2f..%2fmounts',
      '/v1/sys//mounts',
      '/v1//sys/mounts',
      '/v1/sys/./mounts',
      '/v1/sys%2fmounts',
      '/v1/sys/policies/acl/x%00/../../mounts',
      '/v1/./sys/mounts',
    ])('a path does not bypass a policy by its spelling: %s', async (path) => {
      const name = `p${app.deps.ids.hex(8)}`
      await calls.policy(name, 'path "sys/policies/acl/*" { capabilities = ["read", "list"] }')
      const { client_token } = await calls.create({ policies: [name], no_default_policy: true })
      const answer = await rawGet(app.url, path, client_token)
      expect(answer).toMatch(/^HTTP\/1\.1 (400|403|404) /)
      expect(answer).not.toContain('cubbyhole')
    })
  })
})

/** A client library would clean the path before sending it. */
function rawGet(url: string, path: string, token: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Service-Token: ${token}\r\nConnection: close\r\n\r\n`
    const socket = connect(Number(port), hostname, () => socket.write(head))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('end', () => resolve(text))
    socket.on('error', reject)
  })
}
