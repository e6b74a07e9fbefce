import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, testClient } from '../../test/support/client.ts'
import { eachEngine } from '../../test/support/databases.ts'
import { type TestApp, testApp } from '../../test/support/test-app.ts'

const rounds = 20

eachEngine((engine) => {
  describe('two nodes: a change on one node applies on the other from the next request on', () => {
    let here: TestApp
    let there: TestApp
    beforeAll(async () => {
      here = await testApp({ engine })
      there = await testApp({ beside: here })
      await here.root.post('/api/v2/organizations', {
        data: { type: 'organizations', attributes: { name: 'acme', email: 'ops@example.com' } },
      })
    })
    afterAll(async () => {
      await there.close()
      await here.close()
    })

    const withToken = (token: string): Client => testClient({ url: there.url, token })

    test('a token revoked on one node is 403 on the other', async () => {
      for (let round = 0; round < rounds; round++) {
        const { auth } = (await here.root.post('/v1/auth/token/create', { ttl: '1h' })).body
        const caller = withToken(auth.client_token)
        expect((await caller.get('/v1/auth/token/lookup-self')).status).toBe(200)
        await here.root.post('/v1/auth/token/revoke-accessor', { accessor: auth.accessor })
        expect((await caller.get('/v1/auth/token/lookup-self')).status).toBe(403)
        caller.close()
      }
    })

    test('a token with one use works once when a hundred concurrent requests reach both nodes', async () => {
      const { auth } = (await here.root.post('/v1/auth/token/create', { policies: ['default'], num_uses: 1 })).body
      const callers = [here.anonymous.as(auth.client_token), there.anonymous.as(auth.client_token)]
      const asked = Array.from({ length: 50 }, () => callers.map((caller) => caller.get('/v1/auth/token/lookup-self')))
      const statuses = (await Promise.all(asked.flat())).map(({ status }) => status)
      expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 99 }, () => 403)])
    })

    test('a changed policy allows and denies at once on the other node', async () => {
      const rule = (capability: string) => ({ policy: `path "sys/policies/acl" { capabilities = ["${capability}"] }` })
      await here.root.post('/v1/sys/policies/acl/moving', rule('deny'))
      const { auth } = (await here.root.post('/v1/auth/token/create', { policies: ['moving'] })).body
      const caller = withToken(auth.client_token)
      for (let round = 0; round < rounds; round++) {
        const [capability, status] = round % 2 === 0 ? ['list', 200] : ['deny', 403]
        await here.root.post('/v1/sys/policies/acl/moving', rule(String(capability)))
        expect((await caller.get('/v1/sys/policies/acl?list=true')).status).toBe(status)
        const { policy } = (await there.root.get('/v1/sys/policies/acl/moving')).body.data
        expect(policy).toContain(capability)
      }
      caller.close()
    })

    test('a secret written on one node is read on the other at once, and of two writes with one cas one succeeds', async () => {
      await here.root.post('/v1/sys/mounts/kv', { type: 'kv-v2' })
      const nodes = [here, there]
      const read = async ({ root }: TestApp) => (await root.get('/v1/kv/data/raced')).body.data
      for (let round = 0; round < rounds; round++) {
        const write = ({ root }: TestApp, node: number) =>
          root.put('/v1/kv/data/raced', { data: { node, round }, options: { cas: round } })
        const answers = await Promise.all(nodes.map(write))
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
        const node = answers.findIndex(({ status }) => status === 200)
        for (const { data, metadata } of await Promise.all(nodes.map(read)))
          expect([data, metadata.version]).toEqual([{ node, round }, round + 1])
      }
    })

    test('a secret id of one use gives one token, however many logins reach both nodes', async () => {
      await here.root.post('/v1/sys/auth/approle', { type: 'approle' })
      await here.root.post('/v1/auth/approle/role/app', { secret_id_num_uses: 1 })
      const { role_id } = (await there.root.get('/v1/auth/approle/role/app/role-id')).body.data
      for (let round = 0; round < rounds; round++) {
        const { secret_id } = (await here.root.post('/v1/auth/approle/role/app/secret-id')).body.data
        const logins = [here, there, here, there].map(({ anonymous }) =>
          anonymous.post('/v1/auth/approle/login', { role_id, secret_id }),
        )
        const statuses = (await Promise.all(logins)).map(({ status }) => status)
        expect(statuses.toSorted()).toEqual([200, 400, 400, 400])
      }
    })

    test('an API token deleted on one node is 401 on the other', async () => {
      const owner = (await here.root.get('/api/v2/account/details')).body.data.id
      const tokens = `/api/v2/users/${owner}/authentication-tokens`
      for (let round = 0; round < rounds; round++) {
        const body = { data: { type: 'authentication-tokens', attributes: { description: `round ${round}` } } }
        const { id, attributes } = (await here.root.post(tokens, body)).body.data
        const caller = withToken(attributes.token)
        expect((await caller.get('/api/v2/organizations/acme')).status).toBe(200)
        await here.root.delete(`/api/v2/authentication-tokens/${id}`)
        expect((await caller.get('/api/v2/organizations/acme')).status).toBe(401)
        caller.close()
      }
    })

    test('a workspace locked or unlocked on one node shows it on the other by id, by name and in lists', async () => {
      const made = await here.root.post('/api/v2/organizations/acme/workspaces', {
        data: { type: 'workspaces', attributes: { name: 'moving' } },
      })
      const path = `/api/v2/workspaces/${made.body.data.id}`
      for (let round = 0; round < rounds; round++) {
        const locked = round % 2 === 0
        await here.root.post(`${path}/actions/${locked ? 'lock' : 'unlock'}`)
        const answers = [
          (await there.root.get(path)).body.data,
          (await there.root.get('/api/v2/organizations/acme/workspaces/moving')).body.data,
          (await there.root.get('/api/v2/organizations/acme/workspaces')).body.data[0],
        ]
        expect(answers.map(({ attributes }) => attributes.locked)).toEqual([locked, locked, locked])
      }
    })
  })
})
