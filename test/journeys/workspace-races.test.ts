import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { eachEngine } from '../support/databases.ts'
import { mustBe, type Organization, organization, type Person, person, workspaceIn } from '../support/platform.ts'
import { stateDocument, stateOf } from '../support/states.ts'
import { type TestApp, testApp } from '../support/test-app.ts'

/** Races between callers of several nodes; SQLite belongs to one node. */
eachEngine((engine) => {
  let nodes: TestApp[]
  let ann: Person
  let org: Organization

  beforeAll(async () => {
    const first = await testApp({ engine })
    nodes = [first]
    while (engine === 'postgres' && nodes.length < 3) nodes.push(await testApp({ beside: first }))
    ann = await person(first, 'ann')
    org = await organization(ann, 'acme')
  })
  afterAll(async () => {
    for (const node of nodes.toReversed()) await node.close()
  })

  /** The same person, calling one node after the other. */
  const on = (turn: number): Client => (nodes[turn % nodes.length] as TestApp).anonymous.as(ann.token)
  const workspace = (): Promise<string> => workspaceIn(org)
  const act = (turn: number, id: string, action: string) => on(turn).post(`/api/v2/workspaces/${id}/actions/${action}`)
  const tally = (statuses: readonly number[]) =>
    Object.fromEntries(
      Map.groupBy(statuses, (status) => status)
        .entries()
        .map(([status, all]) => [status, all.length]),
    )
  const actions = async (id: string): Promise<string[]> => {
    const { data } = mustBe(await ann.get(`/api/v2/workspaces/${id}/changes?page[size]=100`), 200).body
    return data.map(({ attributes }: { attributes: { action: string } }) => attributes.action).toReversed()
  }

  test('if 1,000 callers lock a workspace at the same time, one wins, and the change log has one lock', async () => {
    const id = await workspace()
    const answers = await Promise.all(Array.from({ length: 1_000 }, (_, turn) => act(turn, id, 'lock')))
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 409: 999 })
    for (const node of nodes) {
      const shown = await node.anonymous.as(ann.token).get(`/api/v2/workspaces/${id}`)
      expect(shown.body.data.attributes.locked).toBe(true)
    }
    const released = await Promise.all(Array.from({ length: 50 }, (_, turn) => act(turn, id, 'unlock')))
    expect(tally(released.map(({ status }) => status))).toEqual({ 200: 1, 409: 49 })
    expect(await actions(id)).toEqual(['create', 'lock', 'unlock'])
  })

  test('locks and unlocks of many callers alternate in the log, and the document agrees with its last entry', async () => {
    const id = await workspace()
    await Promise.all(Array.from({ length: 90 }, (_, turn) => act(turn, id, turn % 2 === 0 ? 'lock' : 'force-unlock')))
    const told = (await actions(id)).slice(1)
    expect(told).toEqual(told.map((_, index) => (index % 2 === 0 ? 'lock' : 'force-unlock')))
    const { attributes } = mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200).body.data
    expect(attributes.locked).toBe(told.at(-1) === 'lock')
  })

  test('safe-delete against lock and state: a workspace that was locked or has resources is never deleted', async () => {
    const state = stateOf({ resources: 2 })
    const bring = (turn: number, id: string) =>
      on(turn).post(
        `/api/v2/workspaces/${id}/state-versions`,
        stateDocument(state, { state: state.toString('base64') }),
      )
    for (let round = 0; round < 12; round++) {
      const id = await workspace()
      const use = async (): Promise<string> => {
        if ((await act(round, id, 'lock')).status !== 200) return 'never locked'
        if ((await bring(round + 1, id)).status !== 201) return 'locked'
        return (await act(round, id, 'unlock')).status === 200 ? 'used' : 'locked'
      }
      const remove = async (turn: number): Promise<number> => {
        const statuses: number[] = []
        for (let tries = 0; tries < 6; tries++) statuses.push((await act(turn, id, 'safe-delete')).status)
        return statuses.find((status) => status === 204) ?? 409
      }
      const [outcome, ...removals] = await Promise.all([use(), remove(round + 1), remove(round + 2)])
      const deleted = removals.filter((status) => status === 204).length
      const there = (await ann.get(`/api/v2/workspaces/${id}`)).status === 200
      expect({ outcome, deleted, there }).toEqual(
        outcome === 'never locked'
          ? { outcome, deleted: 1, there: false }
          : { outcome: 'used', deleted: 0, there: true },
      )
      if (there) mustBe(await act(round, id, 'safe-delete'), 409)
    }
  })

  test('an expired lock goes to exactly one of 60 concurrent callers', async () => {
    const id = await workspace()
    const body = { 'expires-after': '1m' }
    mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/lock`, body), 200)
    for (const node of new Set(nodes.map(({ clock }) => clock))) node.advance('2m')
    const answers = await Promise.all(Array.from({ length: 60 }, (_, turn) => act(turn, id, 'lock')))
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 409: 59 })
    expect(await actions(id)).toEqual(['create', 'lock', 'expire-lock', 'lock'])
  })
})
