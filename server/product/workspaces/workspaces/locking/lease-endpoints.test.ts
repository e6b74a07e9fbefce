import { expect, test } from 'vitest'
import type { Client } from '../../../../../test/support/client.ts'
import { eachEngine } from '../../../../../test/support/databases.ts'
import {
  mustBe,
  organization,
  organizationToken,
  person,
  pointers,
  team,
  workspaceIn,
} from '../../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../../test/support/shared.ts'
import { releaseExpiredLocks } from './lock-actions.ts'

type Told = { attributes: { action: string } }

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const bob = shared(() => person(app, 'bob'))
  const org = shared(() => organization(ann, 'acme'))
  const manager = { 'organization-access': { 'manage-workspaces': true } }
  let count = 0

  const workspace = (): Promise<string> => workspaceIn(org, { name: `ws-${++count}` })
  const act = (caller: Client, id: string, action: string, body?: unknown) =>
    caller.post(`/api/v2/workspaces/${id}/actions/${action}`, body)
  const extend = (caller: Client, id: string, body: unknown = { 'expires-after': '30m' }) =>
    act(caller, id, 'extend-lock', body)
  const lease = async (caller: Client, id: string, time = '10m') =>
    mustBe(await act(caller, id, 'lock', { 'expires-after': time }), 200).body.data.attributes
  const endOf = async (id: string) =>
    mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200).body.data.attributes['lock-expires-at']
  const lockOf = async (caller: Client, id: string, query = '') =>
    mustBe(await caller.get(`/api/v2/workspaces/${id}/lock${query}`), 200).body
  const minutesFromNow = (minutes: number) => new Date(app.clock.now() + minutes * 60_000).toISOString()
  const actions = async (id: string): Promise<string[]> => {
    const { data } = mustBe(await ann.get(`/api/v2/workspaces/${id}/changes`), 200).body
    return data.map(({ attributes }: Told) => attributes.action).toReversed()
  }
  /** Two tokens: one may read workspaces, the other may also lock them. */
  const teams = async () => [
    await team(org, `readers-${++count}`, { 'organization-access': { 'read-workspaces': true } }),
    await team(org, `ops-${count}`, { ...manager, visibility: 'organization' }),
  ]

  test('extend lock: who cannot lock the workspace gets the same 404 as for a missing one', async () => {
    const id = await workspace()
    const { 'lock-expires-at': end } = await lease(ann, id)
    const [readers] = await teams()
    const missing = await extend(bob, 'ws-1111111111111111')
    for (const caller of [bob, readers as Client]) {
      const hidden = await extend(caller, id)
      expect([hidden.status, hidden.body]).toEqual([404, missing.body])
    }
    mustBe(await extend(app.anonymous, id), 401)
    expect(await endOf(id)).toBe(end)
  })

  test('extend lock: the lock of another is 409, names its holder, and stays as it is', async () => {
    const id = await workspace()
    const [, ops] = await teams()
    const { 'lock-expires-at': end } = await lease(ops as Client, id)
    const { body } = mustBe(await extend(ann, id), 409)
    expect(body.errors[0]).toMatchObject({
      code: 'lock.lost',
      detail: expect.stringMatching(/is locked by Team ops-\d+/),
    })
    expect(await endOf(id)).toBe(end)
  })

  test('extend lock: after the lock has ended it is 409, before and after the job, and says who holds it now', async () => {
    const id = await workspace()
    const first = await lease(ann, id)
    app.clock.advance('10m')
    const over = mustBe(await extend(ann, id), 409).body.errors[0]
    expect(over.detail).toContain(`ended at ${first['lock-expires-at']}, and nobody holds the workspace now`)
    expect(await releaseExpiredLocks(app.deps)).toBeGreaterThan(0)
    expect(mustBe(await extend(ann, id), 409).body.errors[0].detail).toContain('nobody holds the workspace now')
    const [, ops] = await teams()
    mustBe(await act(ops as Client, id, 'lock', { reason: 'next' }), 200)
    expect(mustBe(await extend(ann, id), 409).body.errors[0].detail).toMatch(/is locked by Team ops-\d+ since .*next/)
  })

  test('extend lock: a later lock of the same holder is not extended for an earlier one', async () => {
    const id = await workspace()
    const { 'locked-at': lockedAt } = await lease(ann, id)
    const own = { 'expires-after': '30m', 'locked-at': lockedAt }
    mustBe(await extend(ann, id, own), 200)
    app.clock.advance('31m')
    const { 'lock-expires-at': end } = await lease(ann, id)
    const { detail } = mustBe(await extend(ann, id, own), 409).body.errors[0]
    expect(detail).toContain(`The lock of ${lockedAt} is over. The workspace is locked by User ann since`)
    expect(await endOf(id)).toBe(end)
    mustBe(await extend(ann, id, { 'expires-after': '30m', 'locked-at': null }), 200)
  })

  test('extend lock: a lock without an end is 409 and stays without one', async () => {
    const id = await workspace()
    mustBe(await act(ann, id, 'lock'), 200)
    expect(mustBe(await extend(ann, id), 409).body.errors[0].code).toBe('lock.endless')
    expect(await endOf(id)).toBeNull()
  })

  test.each([
    ['no time', {}, '/expires-after'],
    ['a blank time', { 'expires-after': '' }, '/expires-after'],
    ['a short time', { 'expires-after': '999ms' }, '/expires-after'],
    ['a faulty beginning', { 'expires-after': '1h', 'locked-at': 'today' }, '/locked-at'],
  ])('extend lock: %s is 422 with a pointer', async (_name, body, pointer) => {
    const id = await workspace()
    await lease(ann, id)
    expect(pointers(mustBe(await extend(ann, id, body), 422))).toEqual([pointer])
  })

  test('extend lock: the lock ends later, the document is that of a read, and the history has no entry', async () => {
    const id = await workspace()
    const before = await lease(ann, id, '10m')
    for (let beat = 0; beat < 3; beat++) {
      app.clock.advance('9m')
      const extended = mustBe(await extend(ann, id, { data: { attributes: { 'expires-after': '10m' } } }), 200)
      expect(extended.body.data.attributes).toEqual({ ...before, 'lock-expires-at': minutesFromNow(10) })
      const shown = mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200)
      expect([extended.body, extended.headers.etag]).toEqual([shown.body, shown.headers.etag])
    }
    expect(await actions(id)).toEqual(['create', 'lock'])
    app.clock.advance('11m')
    await releaseExpiredLocks(app.deps)
    expect(await actions(id)).toEqual(['create', 'lock', 'expire-lock'])
  })

  test('extend lock: the same again changes nothing, and less time does not shorten the lock', async () => {
    const id = await workspace()
    await lease(ann, id)
    const first = mustBe(await extend(ann, id), 200)
    for (const time of ['30m', '1m']) {
      const again = mustBe(await extend(ann, id, { 'expires-after': time }), 200)
      expect([again.body, again.headers.etag]).toEqual([first.body, first.headers.etag])
    }
  })

  test('extend lock: any token of the holder extends it, and unlocking works as before', async () => {
    const id = await workspace()
    const [, ops] = await teams()
    await lease(ops as Client, id)
    mustBe(await extend(ops as Client, id), 200)
    expect(await endOf(id)).toBe(minutesFromNow(30))
    mustBe(await act(ops as Client, id, 'unlock'), 200)
    expect(await actions(id)).toEqual(['create', 'lock', 'unlock'])
  })

  test('extend lock: of concurrent ones all succeed, and the longest counts', async () => {
    const id = await workspace()
    await lease(ann, id)
    const times = Array.from({ length: 20 }, (_, index) => `${11 + ((index * 7) % 20)}m`)
    const answers = await Promise.all(times.map((time) => extend(ann, id, { 'expires-after': time })))
    expect(answers.map(({ status }) => status)).toEqual(times.map(() => 200))
    expect(await endOf(id)).toBe(minutesFromNow(30))
  })

  test('extend lock: against a concurrent force-unlock and lock of another, the other lock is never extended', async () => {
    const [, ops] = await teams()
    for (let round = 0; round < 10; round++) {
      const id = await workspace()
      await lease(ann, id)
      const beats = Array.from({ length: 6 }, () => extend(ann, id, { 'expires-after': '5h' }))
      mustBe(await act(ann, id, 'force-unlock'), 200)
      mustBe(await act(ops as Client, id, 'lock', { 'expires-after': '1m' }), 200)
      for (const { status, body } of await Promise.all([...beats, extend(ann, id)]))
        expect(status === 200 || body.errors[0].code === 'lock.lost').toBe(true)
      expect(await endOf(id)).toBe(minutesFromNow(1))
    }
  })

  test('extend lock: a lock that ends at this moment is either extended or released, never both', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await workspace()
      await lease(ann, id, '1m')
      app.clock.advance('59s')
      const beat = extend(ann, id)
      app.clock.advance('2s')
      const [{ status }] = await Promise.all([beat, releaseExpiredLocks(app.deps)])
      const ended = (await actions(id)).includes('expire-lock')
      expect([status, ended]).toEqual(status === 200 ? [200, false] : [409, true])
    }
  })

  test('lock of a workspace: who cannot see the workspace gets the same 404 as for a missing one', async () => {
    const id = await workspace()
    const hidden = await bob.get(`/api/v2/workspaces/${id}/lock`)
    const missing = await bob.get('/api/v2/workspaces/ws-1111111111111111/lock')
    expect([hidden.status, hidden.body]).toEqual([404, missing.body])
    mustBe(await app.anonymous.get(`/api/v2/workspaces/${id}/lock`), 401)
  })

  test('lock of a workspace: readers learn the holder, the reason, the beginning and the end', async () => {
    const id = await workspace()
    const [readers] = await teams()
    expect(await lockOf(readers as Client, id)).toEqual({ data: null })
    const taken = mustBe(await act(ann, id, 'lock', { reason: 'moving', 'expires-after': '1m' }), 200).body.data
    const { data, included } = await lockOf(readers as Client, id)
    expect(data).toEqual({
      type: 'workspace-locks',
      id,
      attributes: {
        reason: 'moving',
        'locked-at': taken.attributes['locked-at'],
        'expires-at': taken.attributes['lock-expires-at'],
        'holder-name': 'ann',
        waiting: 0,
      },
      relationships: {
        'locked-by': taken.relationships['locked-by'],
        workspace: { data: { type: 'workspaces', id }, links: { related: `/api/v2/workspaces/${id}` } },
      },
      links: { self: `/api/v2/workspaces/${id}/lock` },
    })
    expect(included).toBeUndefined()
    app.clock.advance('61s')
    expect(await lockOf(readers as Client, id)).toEqual({ data: null })
  })

  test('lock of a workspace: the holder can be included, and a team that the reader cannot see is not named', async () => {
    const id = await workspace()
    const secret = await team(org, `secret-${count}`, manager)
    const [readers] = await teams()
    mustBe(await act(secret, id, 'lock'), 200)
    const holder = { type: 'teams', id: secret.id }
    const toOwner = await lockOf(ann, id, '?include=locked_by')
    expect(toOwner.data.attributes['holder-name']).toBe(secret.name)
    expect(toOwner.included).toMatchObject([holder])
    const toReader = await lockOf(readers as Client, id, '?include=locked-by')
    expect(toReader.data.attributes['holder-name']).toBeNull()
    expect(toReader.data.relationships['locked-by'].data).toEqual(holder)
    expect(toReader.included).toEqual([])
    mustBe(await ann.get(`/api/v2/workspaces/${id}/lock?include=nothing`), 400)
  })

  test('lock of a workspace: the token of the organization is named after it', async () => {
    const id = await workspace()
    mustBe(await act(await organizationToken(org), id, 'lock'), 200)
    const { data, included } = await lockOf(ann, id, '?include=locked_by')
    expect(data.attributes['holder-name']).toBe('acme')
    expect(included).toMatchObject([data.relationships['locked-by'].data])
  })
})
