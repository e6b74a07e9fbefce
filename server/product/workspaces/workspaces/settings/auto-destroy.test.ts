import { expect, test } from 'vitest'
import { type Instant, instant, later } from '../../../../kernel/clock.ts'
import { type OwnAutoDestroy, settleAutoDestroy } from './auto-destroy.ts'

const now = instant(1_000_000_000_000)
const day = 86_400_000
const nothing: OwnAutoDestroy = {
  autoDestroyAt: null,
  autoDestroyStatus: null,
  autoDestroyActivityDuration: null,
  inheritsProjectAutoDestroy: null,
}
const inDays = (days: number): Instant => later(now, days * day)
const fixed: OwnAutoDestroy = {
  ...nothing,
  autoDestroyAt: inDays(5),
  autoDestroyStatus: 'scheduled',
  inheritsProjectAutoDestroy: false,
}
const lasting: OwnAutoDestroy = { ...fixed, autoDestroyAt: inDays(14), autoDestroyActivityDuration: '14d' }
const inherited: OwnAutoDestroy = { ...nothing, autoDestroyAt: inDays(3), autoDestroyStatus: 'scheduled' }

type Context = Partial<Omit<Parameters<typeof settleAutoDestroy>[1], 'before' | 'now'>>
const quiet = { projectDuration: null, moved: false, lastActivityAt: null }

const cases: readonly (readonly [
  string,
  Parameters<typeof settleAutoDestroy>[0],
  OwnAutoDestroy,
  Context,
  Partial<OwnAutoDestroy>,
])[] = [
  ['nothing sent, nothing changes', {}, fixed, {}, fixed],
  ['a new workspace follows its project', {}, nothing, { projectDuration: '3d', moved: true }, inherited],
  ['a new workspace in a project without a duration', {}, nothing, { moved: true }, nothing],
  [
    'a time to come',
    { autoDestroyAt: inDays(1) },
    nothing,
    {},
    { autoDestroyAt: inDays(1), autoDestroyStatus: 'scheduled', inheritsProjectAutoDestroy: false },
  ],
  [
    'a time that is over never fires',
    { autoDestroyAt: inDays(-1) },
    nothing,
    {},
    { autoDestroyAt: inDays(-1), autoDestroyStatus: 'skipped' },
  ],
  [
    'a duration, no state yet',
    { autoDestroyActivityDuration: '36h' },
    nothing,
    {},
    { autoDestroyAt: inDays(1.5), autoDestroyStatus: 'scheduled', autoDestroyActivityDuration: '36h' },
  ],
  [
    'a duration counts from the last activity',
    { autoDestroyActivityDuration: '3d' },
    nothing,
    { lastActivityAt: inDays(-1) },
    { autoDestroyAt: inDays(2) },
  ],
  [
    'a duration that is over already counts from now',
    { autoDestroyActivityDuration: '3d' },
    nothing,
    { lastActivityAt: inDays(-9) },
    { autoDestroyAt: inDays(3) },
  ],
  [
    'a time replaces a duration',
    { autoDestroyAt: inDays(1) },
    lasting,
    {},
    { autoDestroyAt: inDays(1), autoDestroyActivityDuration: null },
  ],
  ['a duration replaces a time', { autoDestroyActivityDuration: '14d' }, fixed, {}, lasting],
  ['null clears the time', { autoDestroyAt: null }, fixed, {}, { ...nothing, inheritsProjectAutoDestroy: false }],
  [
    'null as the time clears the duration, too',
    { autoDestroyAt: null },
    lasting,
    {},
    { ...nothing, inheritsProjectAutoDestroy: false },
  ],
  [
    'null as the time of a workspace that follows its project ends the inheritance',
    { autoDestroyAt: null },
    inherited,
    { projectDuration: '3d' },
    { ...nothing, inheritsProjectAutoDestroy: false },
  ],
  [
    'null as the time beside a new duration',
    { autoDestroyAt: null, autoDestroyActivityDuration: '14d' },
    fixed,
    {},
    lasting,
  ],
  [
    'null clears the duration and the time computed from it',
    { autoDestroyActivityDuration: null },
    lasting,
    {},
    { ...nothing, inheritsProjectAutoDestroy: false },
  ],
  [
    'both null',
    { autoDestroyAt: null, autoDestroyActivityDuration: null },
    lasting,
    {},
    { ...nothing, inheritsProjectAutoDestroy: false },
  ],
  ['not following, as before, with a schedule of its own', { inheritsProjectAutoDestroy: false }, fixed, {}, fixed],
  [
    'no longer following',
    { inheritsProjectAutoDestroy: false },
    inherited,
    { projectDuration: '3d' },
    { ...nothing, inheritsProjectAutoDestroy: false },
  ],
  [
    'following, with own settings gone',
    { inheritsProjectAutoDestroy: true },
    lasting,
    { projectDuration: '3d' },
    { ...inherited, inheritsProjectAutoDestroy: true },
  ],
  [
    'following a project that says nothing',
    { inheritsProjectAutoDestroy: true },
    lasting,
    {},
    { ...nothing, inheritsProjectAutoDestroy: true },
  ],
  [
    'following again, as a workspace does that never said anything',
    { inheritsProjectAutoDestroy: null },
    lasting,
    { projectDuration: '3d' },
    inherited,
  ],
  [
    'null beside settings of its own says nothing',
    { autoDestroyAt: null, inheritsProjectAutoDestroy: null },
    fixed,
    { projectDuration: '3d' },
    { ...nothing, inheritsProjectAutoDestroy: false },
  ],
  [
    'a move follows the new project',
    {},
    inherited,
    { projectDuration: '2d', moved: true },
    { autoDestroyAt: inDays(2) },
  ],
  ['a move keeps own settings', {}, lasting, { projectDuration: '2d', moved: true }, lasting],
  [
    'null takes the word of the workspace back, and keeps the time of its project',
    { inheritsProjectAutoDestroy: null },
    { ...inherited, inheritsProjectAutoDestroy: true },
    { projectDuration: '3d' },
    inherited,
  ],
  [
    'own duration with inherits false',
    { autoDestroyActivityDuration: '14d', inheritsProjectAutoDestroy: false },
    inherited,
    { projectDuration: '3d' },
    lasting,
  ],
]

test.each(cases)('auto-destroy: %s', (_name, requested, before, context, expected) => {
  expect(settleAutoDestroy(requested, { ...quiet, ...context, before, now })).toMatchObject(expected)
})
