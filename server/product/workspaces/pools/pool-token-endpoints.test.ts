import { beforeAll, expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { doc, join, mustBe, organization, person, team } from '../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const acme = shared(async () => organization(await person(app, 'ann'), 'acme'))
  let tokens: string

  const newPool = async (name: string): Promise<string> => {
    const made = await acme.owner.post('/api/v2/organizations/acme/agent-pools', doc('agent-pools', { name }))
    return mustBe(made, 201).body.data.id
  }
  const tokensOf = (pool: string): string => `/api/v2/agent-pools/${pool}/authentication-tokens`
  beforeAll(async () => {
    tokens = tokensOf(await newPool('rack'))
  })

  const wanted = (attributes: object) => doc('authentication-tokens', attributes)

  test('agent tokens: the token text is shown only on creation; tokens can be listed, read and revoked', async () => {
    const pool = await newPool('listed')
    const tokens = tokensOf(pool)
    const made = mustBe(await acme.owner.post(tokens, wanted({ description: 'rack 7' })), 201).body.data
    expect(made.attributes).toMatchObject({
      description: 'rack 7',
      token: expect.stringMatching(/^hfa\.\w{32}$/),
      'last-used-at': null,
      'expired-at': new Date(app.clock.now() + 90 * 86_400_000).toISOString(),
    })
    expect(made.relationships['agent-pool'].data).toEqual({ type: 'agent-pools', id: pool })
    const listed = mustBe(await acme.owner.get(tokens), 200).body.data
    expect(listed).toMatchObject([{ id: made.id, attributes: { token: null, description: 'rack 7' } }])
    const one = `/api/v2/authentication-tokens/${made.id}`
    expect(mustBe(await acme.owner.get(one), 200).body.data).toEqual(listed[0])
    mustBe(await acme.owner.delete(one), 204)
    expect(mustBe(await acme.owner.get(tokens), 200).body.data).toEqual([])
    mustBe(await acme.owner.get(one), 404)
  })

  test('agent tokens: a pool can have several', async () => {
    const made = [await acme.owner.post(tokens, wanted({})), await acme.owner.post(tokens, wanted({}))]
    for (const one of made) mustBe(await acme.owner.get(`/api/v2/authentication-tokens/${one.body.data.id}`), 200)
  })

  test('agent tokens: the API refuses an agent token as credentials with 401', async () => {
    const { token } = mustBe(await acme.owner.post(tokens, wanted({})), 201).body.data.attributes
    for (const path of ['/api/v2/account/details', '/api/v2/organizations/acme', tokens]) {
      mustBe(await app.root.as(token).get(path), 401)
    }
  })

  test('agent tokens: only owners and teams with manage-agent-pools see and manage them; others get 404', async () => {
    const { id } = mustBe(await acme.owner.post(tokens, wanted({ description: 'x' })), 201).body.data
    const bob = await person(app, 'bob')
    await join(acme, bob)
    const stranger = await organization(await person(app, 'eve'), 'other')
    for (const other of [bob, stranger.owner, await team(acme, 'ops')]) {
      mustBe(await other.post(tokens, wanted({})), 404)
      mustBe(await other.get(tokens), 404)
      mustBe(await other.get(`/api/v2/authentication-tokens/${id}`), 404)
      mustBe(await other.delete(`/api/v2/authentication-tokens/${id}`), 404)
    }
    const keepers = await team(acme, 'keepers', { 'organization-access': { 'manage-agent-pools': true } })
    mustBe(await keepers.get(tokens), 200)
    mustBe(await keepers.delete(`/api/v2/authentication-tokens/${id}`), 204)
  })

  test('agent tokens: deleting a pool deletes its tokens', async () => {
    const id = await newPool('gone')
    const token = await acme.owner.post(tokensOf(id), wanted({}))
    mustBe(await acme.owner.delete(`/api/v2/agent-pools/${id}`), 204)
    mustBe(await acme.owner.get(`/api/v2/authentication-tokens/${token.body.data.id}`), 404)
  })
})
