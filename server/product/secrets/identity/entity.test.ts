import { expect, test } from 'vitest'
import { instant } from '../../../kernel/clock.ts'
import { planMerge } from './entity.ts'
import type { Alias, Entity } from './identity.ts'

const at = instant(0)

const alias = (id: string, entityId: string, mountAccessor: string): Alias => ({
  id,
  entityId,
  mountAccessor,
  name: id,
  metadata: {},
  customMetadata: {},
  mergedFromIds: [],
  createdAt: at,
  updatedAt: at,
})

const entity = (id: string, mounts: readonly string[], extras: Partial<Entity> = {}): Entity => ({
  id,
  name: id,
  metadata: {},
  policies: [id],
  writtenPolicies: [id],
  disabled: false,
  mergedIds: [],
  createdAt: at,
  updatedAt: at,
  aliases: mounts.map((mount) => alias(`${id}-${mount}`, id, mount)),
  ...extras,
})

const ids = (aliases: readonly Alias[]) => aliases.map(({ id }) => id)
const noChoice: readonly string[] = []

test('merge: aliases at other mounts move, the target keeps its policies, merged ids accumulate', () => {
  const plan = planMerge(
    entity('a', ['m1']),
    [entity('b', ['m2'], { mergedIds: ['z'] }), entity('c', ['m3'])],
    noChoice,
  )
  expect(plan.entity).toMatchObject({ id: 'a', policies: ['a'], mergedIds: ['b', 'z', 'c'] })
  expect(plan.livingIds).toEqual(['b', 'c'])
  expect(plan.moved).toMatchObject([
    { id: 'b-m2', entityId: 'a', mergedFromIds: ['b'] },
    { id: 'c-m3', entityId: 'a', mergedFromIds: ['c'] },
  ])
  expect(plan.dropped).toEqual([])
})

test('merge: two aliases at one mount are refused unless one is chosen', () => {
  const [a, b] = [entity('a', ['m1']), entity('b', ['m1'])]
  expect(() => planMerge(a, [b], noChoice)).toThrow(/conflicting_alias_ids_to_keep/)
  expect(() => planMerge(a, [b], ['a-m1', 'b-m1'])).toThrow(/only one/)
  const own = planMerge(a, [b], ['a-m1'])
  expect([ids(own.moved), ids(own.dropped)]).toEqual([[], ['b-m1']])
  const kept = planMerge(a, [b], ['b-m1'])
  expect([ids(kept.moved), ids(kept.dropped)]).toEqual([['b-m1'], ['a-m1']])
})

test('merge: two sources with aliases at one mount need a choice too', () => {
  const from = [entity('b', ['m1']), entity('c', ['m1'])]
  expect(() => planMerge(entity('a', []), from, noChoice)).toThrow(/same mount/)
  const plan = planMerge(entity('a', []), from, ['c-m1'])
  expect([ids(plan.moved), ids(plan.dropped)]).toEqual([['c-m1'], ['b-m1']])
})

test('merge: a disabled source is in mergedIds but not in livingIds', () => {
  const from = [entity('b', ['m2'], { mergedIds: ['z'], disabled: true }), entity('c', ['m3'])]
  const plan = planMerge(entity('a', []), from, noChoice)
  expect(plan.entity).toMatchObject({ disabled: false, mergedIds: ['b', 'z', 'c'] })
  expect([plan.livingIds, ids(plan.moved)]).toEqual([['c'], ['b-m2', 'c-m3']])
})

test('merge: what was merged before stays noted, of the target and of each alias', () => {
  const known = { ...alias('b-m2', 'b', 'm2'), mergedFromIds: ['y'] }
  const plan = planMerge(entity('a', [], { mergedIds: ['x'] }), [entity('b', [], { aliases: [known] })], noChoice)
  expect(plan.entity.mergedIds).toEqual(['x', 'b'])
  expect(plan.moved).toMatchObject([{ id: 'b-m2', mergedFromIds: ['y', 'b'] }])
})
