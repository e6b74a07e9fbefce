import { expect, test } from 'vitest'
import { blocksOf, piecesOf, readable } from './log.ts'
import { changesOf } from './plan.ts'
import { kindOf, type Run, statusOf, stepsOf } from './runs.ts'

const run = (attributes: object): Run => ({ id: 'run-1', type: 'runs', attributes }) as unknown as Run

const created = { 'created-at': '2026-11-15T12:00:00Z' }
const planned = { 'pending-at': 't0', 'planning-at': 't1', 'planned-at': 't2' }

test('status: what needs a person says so', () => {
  expect(statusOf(run({ status: 'planned', actions: { 'is-confirmable': true } })).word).toBe('Needs approval')
  expect(statusOf(run({ status: 'planned', actions: { 'is-confirmable': false } })).word).toBe('Planned')
  expect(statusOf(run({ status: 'planned_and_finished', 'has-changes': false })).word).toBe('No changes')
  expect(statusOf(run({ status: 'something_new' })).word).toBe('something_new')
  expect(kindOf(run({ 'is-destroy': true, 'plan-only': true }))).toBe('destroys everything')
})

const words = (attributes: object) =>
  stepsOf(run({ ...created, ...attributes })).map(({ name, word }) => `${name} ${word}`)

test('steps: each says how it went, and the one that was under way how the run ended', () => {
  expect(words({ status: 'planning', 'status-timestamps': { 'pending-at': 't0', 'planning-at': 't1' } })).toEqual([
    'Queued done',
    'Plan under way',
    'Approval not begun',
    'Apply not begun',
  ])
  expect(words({ status: 'planned', 'status-timestamps': planned })).toEqual([
    'Queued done',
    'Plan done',
    'Approval waits for a person',
    'Apply not begun',
  ])
  expect(
    words({ status: 'errored', 'status-timestamps': { ...planned, 'planned-at': undefined, 'errored-at': 't3' } }),
  ).toEqual(['Queued done', 'Plan failed', 'Approval not begun', 'Apply not begun'])
  expect(words({ status: 'discarded', 'status-timestamps': { ...planned, 'discarded-at': 't3' } })[2]).toBe(
    'Approval discarded',
  )
  expect(words({ status: 'canceled', 'status-timestamps': { 'pending-at': 't0', 'canceled-at': 't3' } })[0]).toBe(
    'Queued canceled',
  )
  expect(words({ status: 'planned_and_finished', 'plan-only': true, 'status-timestamps': planned })).toEqual([
    'Queued done',
    'Plan done',
  ])
})

test('plan: by module, with parts by their paths, and without values that are not shown', () => {
  const change = {
    actions: ['update'],
    before: { id: 'a', tags: { b: 'old' }, ports: [1], password: '(sensitive)', same: 1 },
    after: { tags: { b: 'new' }, ports: [1, 2], password: '(sensitive, changed)', same: 1 },
    after_unknown: { id: true },
    before_sensitive: { password: true },
    after_sensitive: { password: true },
  }
  const found = changesOf({
    resource_changes: [
      { address: 'module.m.x.y', module_address: 'module.m', change },
      { address: 'a.b', change: { actions: ['delete', 'create'], before: { id: '1' }, after: {} } },
      { address: 'a.same', change: { actions: ['no-op'] } },
      { address: 'a.moved', previous_address: 'a.old', change: { actions: ['no-op'] } },
    ],
    output_changes: { url: { actions: ['create'], before: null, after: 'https://one' } },
  })
  expect(found.map(({ module }) => module)).toEqual(['', 'module.m', 'Outputs'])
  expect(found[0]?.items.map(({ action, name }) => `${action} ${name}`)).toEqual([
    'replace a.b',
    'change a.moved (was a.old)',
  ])
  expect(found[1]?.items[0]?.attributes).toEqual([
    { name: 'id', before: '"a"', after: 'known after apply', isSecret: false },
    { name: 'password', before: '"(sensitive)"', after: '"(sensitive, changed)"', isSecret: true },
    { name: 'ports[1]', before: undefined, after: '2', isSecret: false },
    { name: 'tags.b', before: '"old"', after: '"new"', isSecret: false },
  ])
  expect(found[2]?.items[0]).toMatchObject({ name: 'url', attributes: [{ name: 'value', after: '"https://one"' }] })
})

test('log: colours are kept, other controls are not, and nothing is taken for HTML', () => {
  expect(piecesOf('\x1b[1m\x1b[32mPlan:\x1b[0m <b>1</b>\x1b[2K\x07')).toEqual([
    { text: 'Plan:', tone: 'ok', isStrong: true },
    { text: ' <b>1</b>' },
  ])
  expect(piecesOf('\x1b[38;5;31mx')).toEqual([{ text: 'x' }])
  expect(readable('{"@level":"info","@message":"a: Creating..."}')).toBe('a: Creating...')
  expect(readable('{"@level"')).toBe('{"@level"')
})

test('log: lines that only say that something goes on are folded', () => {
  const still = Array.from({ length: 8 }, (_, at) => `a.b: Still creating... [${at}0s elapsed]`)
  const blocks = blocksOf(['one', 'two', ...still, 'three'])
  expect(blocks.map(({ first, lines, about }) => [first, lines.length, about])).toEqual([
    [1, 2, undefined],
    [3, 8, 'Still creating'],
    [11, 1, undefined],
  ])
  expect(blocksOf(Array.from({ length: 500 }, String)).map(({ lines }) => lines.length)).toEqual([200, 200, 100])
})
