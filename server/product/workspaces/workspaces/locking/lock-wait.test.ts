import { expect, test, vi } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { doc, mustBe, organization, person, team, workspaceIn } from '../../../../../test/support/platform.ts'
import { recordingLog } from '../../../../../test/support/recording-log.ts'
import { ownApp } from '../../../../../test/support/shared.ts'
import type { TestApp } from '../../../../../test/support/test-app.ts'

/** Watches a token; the result resolves once a call with it waits: each try to get the lock checks the caller again. */
function watchWaiting({ deps }: TestApp, token: string): () => Promise<void> {
  const spy = vi.spyOn(deps.callers, 'authenticate')
  const checks = () => spy.mock.calls.filter(([request]) => request.presentedToken === token).length
  return () => expect.poll(checks).toBeGreaterThan(2)
}

/** A locked workspace on one node, and a second node. */
async function setUp(engine: 'sqlite' | 'postgres') {
  const { log, text } = recordingLog()
  const here = await ownApp({ engine })
  const there = await ownApp({ beside: here, log })
  const ann = await person(here, 'ann')
  const org = await organization(ann, 'acme')
  const path = `/api/v2/workspaces/${await workspaceIn(org, { name: 'network' })}/actions`
  const attributes = { description: 'waits' }
  const tokens = `/api/v2/users/${ann.id}/authentication-tokens`
  const token = mustBe(await ann.post(tokens, doc('authentication-tokens', attributes)), 201).body.data
  mustBe(await ann.post(`${path}/lock`), 200)
  return { here, there, ann, org, path, token, logged: text }
}

eachEngine((engine) => {
  test.each([
    ['is still valid gets the lock', false, 200],
    ['is deleted on another node does not get the lock', true, 401],
  ] as const)('lock wait: a token that %s', async (_name, isDeleted, status) => {
    const { there, ann, path, token } = await setUp(engine)
    const untilWaiting = watchWaiting(there, token.attributes.token)
    const waiting = there.anonymous.as(token.attributes.token).post(`${path}/lock?wait=20s`)
    await untilWaiting()
    if (isDeleted) mustBe(await ann.delete(`/api/v2/authentication-tokens/${token.id}`), 204)
    mustBe(await ann.post(`${path}/unlock`), 200)
    expect((await waiting).status).toBe(status)
  })

  test('lock wait: a caller who loses the permission meanwhile gets 404 and no lock', async () => {
    const { there, ann, org, path } = await setUp(engine)
    const crew = await team(org, 'crew', { 'organization-access': { 'manage-workspaces': true } })
    const untilWaiting = watchWaiting(there, crew.token)
    const waiting = there.anonymous.as(crew.token).post(`${path}/lock?wait=20s`)
    await untilWaiting()
    const less = doc('teams', { 'organization-access': { 'manage-workspaces': false, 'read-workspaces': true } })
    mustBe(await ann.patch(`/api/v2/teams/${crew.id}`, less), 200)
    mustBe(await ann.post(`${path}/unlock`), 200)
    mustBe(await waiting, 404)
    mustBe(await ann.post(`${path}/lock`), 200)
  })

  test('lock wait: a client that leaves gets no lock, and is not logged as an error of the server', async () => {
    const { there, ann, path, token, logged } = await setUp(engine)
    const untilWaiting = watchWaiting(there, token.attributes.token)
    const stop = new AbortController()
    const headers = { authorization: `Bearer ${token.attributes.token}` }
    const waiting = fetch(`${there.url}${path}/lock?wait=20s`, { method: 'POST', headers, signal: stop.signal })
    await untilWaiting()
    stop.abort()
    await expect(waiting).rejects.toThrow()
    await expect.poll(logged).toMatch(/"endpoint":"workspaces.lock","status":503/)
    expect(logged()).not.toContain('request failed')
    mustBe(await ann.post(`${path}/unlock`), 200)
    mustBe(await ann.post(`${path}/lock`), 200)
  })

  test('lock wait: of many who wait at once, on two nodes, each gets the lock once', async () => {
    const { here, there, ann, path } = await setUp(engine)
    const reasons = Array.from({ length: 8 }, (_, index) => `waiter ${index}`)
    const held: string[] = []
    const waiting = reasons.map(async (reason, index) => {
      const caller = (index % 2 === 0 ? here : there).anonymous.as(ann.token)
      const locked = mustBe(await caller.post(`${path}/lock?wait=60s`, { reason }), 200).body.data.attributes
      held.push(locked['locked-reason'])
      mustBe(await caller.post(`${path}/unlock`), 200)
    })
    mustBe(await ann.post(`${path}/unlock`), 200)
    await Promise.all(waiting)
    expect(held.toSorted()).toEqual(reasons)
    mustBe(await ann.post(`${path}/unlock`), 409)
  })
})
