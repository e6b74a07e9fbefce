import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../../../test/support/client.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import { join, mustBe, organization, person, team, workspaceIn } from '../../../../test/support/platform.ts'
import { type StateBench, stateBench, stateDocument, stateOf } from '../../../../test/support/states.ts'

const state = stateOf({ serial: 1 })
const manager = { 'organization-access': { 'manage-workspaces': true } }

eachEngine((engine) => {
  let bench: StateBench

  beforeAll(async () => {
    bench = await stateBench(engine)
  })
  afterAll(() => bench.app.close())

  /** A pending state version in a workspace that this caller has locked. */
  const awaitedFrom = async (caller: Client) => {
    const workspace = await bench.workspace()
    mustBe(await caller.post(`/api/v2/workspaces/${workspace}/actions/lock`), 200)
    const made = mustBe(await caller.post(`/api/v2/workspaces/${workspace}/state-versions`, stateDocument(state)), 201)
    const { id, attributes } = made.body.data
    return { workspace, id, url: attributes['hosted-state-upload-url'] as string }
  }
  const statusOf = async (id: string) =>
    mustBe(await bench.ann.get(`/api/v2/state-versions/${id}`), 200).body.data.attributes.status

  /** The pending state is discarded; the lock stays until somebody releases it by force. */
  const expectGivenUp = async ({ workspace, id, url }: Awaited<ReturnType<typeof awaitedFrom>>) => {
    expect(await statusOf(id)).toBe('discarded')
    mustBe(await bench.put(url, state), 409)
    mustBe(await bench.ann.post(`/api/v2/workspaces/${workspace}/actions/force-unlock`), 200)
    mustBe(await bench.ann.get(`/api/v2/workspaces/${workspace}/current-state-version`), 404)
  }

  test('holder gone: deleting a user discards the pending state, and its upload is 409', async () => {
    const managers = await team(bench.org, 'managers', manager)
    const gus = await person(bench.app, 'gus')
    await join(bench.org, gus, [managers.id])
    const awaited = await awaitedFrom(gus)
    mustBe(await bench.app.root.delete(`/api/v2/admin/users/${gus.id}`), 204)
    await expectGivenUp(awaited)
  })

  test('holder gone: deleting a team discards its pending state and no other', async () => {
    const robots = await team(bench.org, 'robots', manager)
    const awaited = await awaitedFrom(robots)
    const other = await awaitedFrom(bench.ann)
    mustBe(await bench.ann.delete(`/api/v2/teams/${robots.id}`), 204)
    await expectGivenUp(awaited)
    expect(await statusOf(other.id)).toBe('pending')
    mustBe(await bench.put(other.url, state), 200)
  })

  test('holder gone: a user who leaves the organization loses pending states there, not elsewhere', async () => {
    const guests = await team(bench.org, 'guests', manager)
    const eve = await person(bench.app, 'eve')
    const membership = await join(bench.org, eve, [guests.id])
    const awaited = await awaitedFrom(eve)
    const own = await organization(eve, 'of-eve')
    const workspace = `/api/v2/workspaces/${await workspaceIn(own)}`
    mustBe(await eve.post(`${workspace}/actions/lock`), 200)
    const elsewhere = mustBe(await eve.post(`${workspace}/state-versions`, stateDocument(state)), 201).body.data
    mustBe(await bench.ann.delete(`/api/v2/organization-memberships/${membership}`), 204)
    await expectGivenUp(awaited)
    mustBe(await bench.put(elsewhere.attributes['hosted-state-upload-url'], state), 200)
  })
})
