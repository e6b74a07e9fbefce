import { expect, test } from 'vitest'
import { importClient } from '../../../test/support/fakes/import-source.ts'
import { mustBe, team } from '../../../test/support/platform.ts'
import { sharedUntilClosed } from '../../../test/support/shared.ts'
import { md5Of, type StateBench, stateBench, stateDocument, stateOf } from '../../../test/support/states.ts'
import { Report } from '../report.ts'
import { copyState } from './state-import.ts'

type Bench = StateBench & { close(): Promise<void> }

const bench = async (): Promise<Bench> => {
  const made = await stateBench('sqlite')
  return { ...made, close: () => made.app.close() }
}

const source = sharedUntilClosed(bench)
const target = sharedUntilClosed(bench)

async function write(on: StateBench, id: string, state: Buffer): Promise<void> {
  const { serial, lineage } = JSON.parse(state.toString())
  mustBe(await on.ann.post(`/api/v2/workspaces/${id}/actions/lock`), 200)
  mustBe(await on.announceWithContent(id, state, { serial, lineage }), 201)
  mustBe(await on.unlock(id), 200)
}

type Sides = { readonly from: string; readonly to: string; readonly fromToken?: string; readonly toToken?: string }

/** Copies the state of one workspace to another. */
async function copied({ from, to, fromToken = source.ann.token, toToken = target.ann.token }: Sides, dryRun = false) {
  const report = new Report(() => undefined)
  const ends = { from: importClient(source.app.url, fromToken), to: importClient(target.app.url, toToken) }
  const theirs = mustBe(await source.ann.as(fromToken).get(`/api/v2/workspaces/${from}`), 200).body.data
  const ours = await target.workspaceOf(to)
  await report.attempt('State', () => copyState({ ...ends, dryRun, update: false, report }, theirs, ours))
  return { notes: report.notes, failures: report.failures, counts: report.counts() }
}

const countOf = (count: object) => [{ kind: 'state', copied: 0, updated: 0, there: 0, ...count }]

const md5At = async (id: string): Promise<string> =>
  mustBe(await target.ann.get(`/api/v2/workspaces/${id}/current-state-version`), 200).body.data.attributes.md5

const otherLineage = Buffer.from(stateOf({ serial: 3 }).toString().replace('"one"', '"two"'))

test.each([
  ['another lineage', otherLineage, /a state of its own here, serial 3, with another lineage/],
  ['the same serial and another content', stateOf({ serial: 5, resources: 3 }), /another state .+ same serial, 5/],
  ['a greater serial', stateOf({ serial: 6 }), /a newer state here, serial 6; the source has 5/],
])('state: one with %s at the target stays, and is a failure', async (_name, ours, text) => {
  const sides = { from: await source.workspace(), to: await target.workspace() }
  await write(source, sides.from, stateOf({ serial: 5 }))
  await write(target, sides.to, ours)
  for (const dryRun of [true, false]) {
    const { notes, failures } = await copied(sides, dryRun)
    expect([failures, notes]).toEqual([1, [expect.stringMatching(text)]])
  }
  expect(await md5At(sides.to)).toBe(md5Of(ours))
})

test('state: one that is behind at the target is brought up to date, and the one before stays listed', async () => {
  const sides = { from: await source.workspace(), to: await target.workspace() }
  await write(source, sides.from, stateOf({ serial: 5 }))
  expect(await copied(sides)).toEqual({ notes: [], failures: 0, counts: countOf({ copied: 1 }) })
  expect(await copied(sides)).toEqual({ notes: [], failures: 0, counts: countOf({ there: 1 }) })
  const newer = stateOf({ serial: 9, resources: 2 })
  await write(source, sides.from, newer)
  expect((await copied(sides, true)).counts).toEqual(countOf({ updated: 1 }))
  expect(await md5At(sides.to)).toBe(md5Of(stateOf({ serial: 5 })))
  expect((await copied(sides)).counts).toEqual(countOf({ updated: 1 }))
  expect(await md5At(sides.to)).toBe(md5Of(newer))
  const { attributes } = await target.workspaceOf(sides.to)
  expect(attributes).toMatchObject({ locked: false, 'resource-count': 2 })
  const list = `/api/v2/state-versions?filter[organization][name]=acme&filter[workspace][name]=${attributes.name}`
  expect(mustBe(await target.ann.get(list), 200).body.data).toHaveLength(2)
})

test('state: one that the token of the source may not read is a failure, also if there might be none', async () => {
  const reader = await team(source.org, 'readers')
  for (const state of [stateOf({ serial: 5 }), undefined]) {
    const sides = { from: await source.workspace(), to: await target.workspace(), fromToken: reader.token }
    if (state) await write(source, sides.from, state)
    const grant = { access: 'custom', runs: 'read', variables: 'read', 'state-versions': 'none' }
    const relationships = {
      team: { data: { type: 'teams', id: reader.id } },
      workspace: { data: { type: 'workspaces', id: sides.from } },
    }
    const access = { data: { type: 'team-workspaces', attributes: grant, relationships } }
    mustBe(await source.ann.post('/api/v2/team-workspaces', access), 201)
    const { notes, failures } = await copied(sides)
    expect([failures, notes]).toEqual([1, ['State was not copied: This token may not read it.']])
  }
})

test('state: an import that was killed is resumed with the token of a team, too', async () => {
  const movers = await team(target.org, 'movers', { 'organization-access': { 'manage-workspaces': true } })
  const sides = { from: await source.workspace(), to: await target.workspace(), toToken: movers.token }
  await write(source, sides.from, stateOf({ serial: 5 }))
  mustBe(await movers.post(`/api/v2/workspaces/${sides.to}/actions/lock`, { reason: 'Import of state' }), 200)
  const announced = stateDocument(stateOf({ serial: 5 }), { serial: 5 })
  mustBe(await movers.post(`/api/v2/workspaces/${sides.to}/state-versions`, announced), 201)
  const { notes, counts } = await copied(sides)
  expect(notes).toEqual([expect.stringMatching(/still locked by an earlier import; the lock is released/)])
  expect(counts).toEqual(countOf({ copied: 1 }))
})

test('state: a workspace that is locked at the source is named each time, with and without a state', async () => {
  const sides = { from: await source.locked(), to: await target.workspace() }
  const isNamed = [expect.stringMatching(/^ws-\d+ is locked at the source; its state may still change there/)]
  expect((await copied(sides)).notes).toEqual(isNamed)
  mustBe(await source.announceWithContent(sides.from, stateOf({ serial: 1 })), 201)
  mustBe(await source.unlock(sides.from), 200)
  mustBe(await source.ann.post(`/api/v2/workspaces/${sides.from}/actions/lock`), 200)
  for (const count of [{ copied: 1 }, { there: 1 }]) {
    const { notes, counts } = await copied(sides)
    expect([notes, counts]).toEqual([isNamed, countOf(count)])
  }
})
