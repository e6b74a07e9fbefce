import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { testClock } from '../../../../test/support/clock.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import { openEvents } from '../../../../test/support/event-source.ts'
import { doc, mustBe } from '../../../../test/support/platform.ts'
import { ownApp, shared, sharedApp } from '../../../../test/support/shared.ts'
import { sendSlowly } from '../../../../test/support/slow-body.ts'
import { type Auth, tokenCalls } from '../../../../test/support/token-calls.ts'

eachEngine((engine) => {
  describe('counted tokens: a request takes one use, however often its caller is checked', () => {
    const app = sharedApp({ engine })
    const workspaces = '/api/v2/organizations/counted/workspaces'
    const prepared = shared(async () => {
      mustBe(await app.root.post('/api/v2/organizations', doc('organizations', { name: 'counted', email: 'a@b' })), 201)
      return tokenCalls(app)
    })

    /** A token that acts as the administrator this often. */
    const counted = (uses: number): Promise<Auth> => prepared.create({ policies: ['root'], num_uses: uses, ttl: '1h' })
    const revoke = async ({ accessor }: Auth) =>
      mustBe(await app.root.post('/v1/auth/token/revoke-accessor', { accessor }), 204)
    const workspace = async (name: string): Promise<string> =>
      mustBe(await app.root.post(workspaces, doc('workspaces', { name })), 201).body.data.id
    const isStored = async ({ accessor }: Auth): Promise<boolean> => {
      const rows = await app.deps.db.selectFrom('tokens').select('id').where('accessor', '=', accessor).execute()
      return rows.length > 0
    }
    const mustBeRevoked = (auth: Auth) => expect.poll(() => isStored(auth)).toBe(false)

    /** Creates a workspace with a body that comes late. */
    const createSlowly = ({ client_token: token }: Auth, name: string, meanwhile?: () => Promise<unknown>) =>
      sendSlowly({ url: `${app.url}${workspaces}`, token, body: doc('workspaces', { name }), meanwhile })

    test('a slow body', async () => {
      const twice = await counted(2)
      expect(await createSlowly(twice, 'slow-1')).toBe(201)
      expect(await prepared.lookup(twice)).toMatchObject({ num_uses: 1 })
      expect(await createSlowly(twice, 'slow-2')).toBe(201)
      await mustBeRevoked(twice)
      mustBe(await prepared.as(twice).get(workspaces), 401)
    })

    test('a slow body of a token that is revoked meanwhile is refused, on its last use too', async () => {
      for (const uses of [1, 2]) {
        const auth = await counted(uses)
        expect(await createSlowly(auth, `revoked-${uses}`, () => revoke(auth))).toBe(401)
      }
    })

    test('waiting for a lock', async () => {
      const locked = async (name: string) => {
        const path = `/api/v2/workspaces/${await workspace(name)}/actions`
        mustBe(await app.root.post(`${path}/lock`), 200)
        return path
      }
      // They wait for different locks: those who wait for the same one are only looked at in their turn.
      const [path, other] = [await locked('locked-1'), await locked('locked-2')]
      const [lasting, revoked] = [await counted(1), await counted(1)]
      const waiting = prepared.as(lasting).post(`${path}/lock?wait=10s`)
      const refused = prepared.as(revoked).post(`${other}/lock?wait=10s`)
      await sleep(600)
      expect(await isStored(lasting)).toBe(true)
      await revoke(revoked)
      mustBe(await refused, 401)
      mustBe(await app.root.post(`${path}/unlock`), 200)
      mustBe(await waiting, 200)
      await mustBeRevoked(lasting)
    })

    test('an action on many workspaces', async () => {
      // Whenever this process looks at its clock, so much has passed that callers are asked for again.
      let looks = 0
      const monotonic = () => performance.now() + 101 * looks++
      const hasty = await ownApp({ beside: app, clock: { ...testClock(), monotonic } })
      for (const name of ['bulk-1', 'bulk-2', 'bulk-3']) await workspace(name)
      const once = await counted(1)
      const path = `${workspaces}/actions/bulk?search[name]=bulk-`
      const caller = hasty.anonymous.as(once.client_token)
      const { body } = mustBe(await caller.post(path, { action: 'add-tags', tags: ['core'] }), 200)
      expect(body.meta).toMatchObject({ changed: 3 })
      await mustBeRevoked(once)
    })

    test('a stream of events', async () => {
      const once = await counted(1)
      const url = `${app.url}/api/v2/organizations/counted/events`
      const events = await openEvents({ url, token: once.client_token })
      for (const name of ['event-1', 'event-2', 'event-3']) {
        await workspace(name)
        expect((await events.next()).data.data.attributes.subject).toMatchObject({ name })
      }
      expect(await isStored(once)).toBe(true)
      events.close()
      await mustBeRevoked(once)
      const revoked = await counted(2)
      const ending = await openEvents({ url, token: revoked.client_token })
      await revoke(revoked)
      await ending.ended
    })

    test('a refused request', async () => {
      const linked = await prepared.create({ policies: ['default'], num_uses: 2 })
      mustBe(await prepared.as(linked).get('/api/v2/account/details'), 401)
      expect(await prepared.lookup(linked)).toMatchObject({ num_uses: 1 })
      mustBe(await prepared.as(linked).get('/api/v2/account/details'), 401)
      await mustBeRevoked(linked)
    })
  })
})
