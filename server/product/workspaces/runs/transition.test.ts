import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Instant, instant, later } from '../../../kernel/clock.ts'
import { isPhaseFinal, noCounts, type Phase, type PhaseKind, type Run, type RunId, runLimits } from './run.ts'
import { facts, internals, options } from './run-fields.ts'
import { table } from './run-table.ts'
import { eventText } from './run-texts.ts'
import { conditions, effects, holdingStatuses, isFinal, type RunStatus, runStatuses, triggers } from './run-words.ts'
import { actionsOf, dueTrigger, holdsWorkspace, rowFor, type Situation, step } from './transition.ts'

const start = instant(1_000_000)

const phase = (kind: PhaseKind): Phase => ({ id: kind, kind, status: 'pending', times: {}, counts: noCounts })

/** A run that was just created. */
const newRun = (some: Partial<Run> = {}): Run => ({
  ...options.initial,
  ...facts.initial,
  ...internals.initial,
  id: 'run-1' as RunId,
  workspaceId: 'ws',
  organizationId: 'org',
  ordinal: 1,
  queueNumber: 1,
  status: 'pending',
  times: {},
  planOnly: false,
  autoApply: false,
  invokeActionAddrs: null,
  toolVersion: '1.10.0',
  toolName: 'opentofu',
  source: 'tfe-api',
  triggerReason: 'manual',
  logFormat: 'text',
  createdAt: start,
  updatedAt: start,
  configurationVersionId: 'cv',
  workingDirectory: '',
  executionMode: 'remote',
  toldReasons: [],
  createdBy: { kind: 'user', id: 'ann', name: 'ann' },
  confirmedBy: null,
  canceledBy: null,
  error: null,
  plan: phase('plan'),
  apply: phase('apply'),
  ...some,
})

const at = (some: Partial<Situation> = {}): Situation => ({
  now: start,
  limits: runLimits,
  place: 'first',
  isFree: true,
  holder: null,
  stateId: null,
  mayApply: true,
  by: { kind: 'user', id: 'ann', name: 'ann' },
  queueNumber: 9,
  runner: 'runner',
  result: null,
  ...some,
})

/** The run after these triggers; fails where one causes nothing. */
function moved(run: Run, ...moves: readonly (readonly [Parameters<typeof step>[1], Partial<Situation>?])[]): Run {
  let present = run
  for (const [trigger, some] of moves) {
    const done = step(present, trigger, at(some))
    if (!done) throw new Error(`${trigger} causes nothing while the run is ${present.status}`)
    present = done.after
  }
  return present
}

const finished = (some: object = {}) => ({ result: { outcome: 'finished', hasChanges: true, ...some } as const })

describe('the table', () => {
  test('every row has a name, a sentence, and no word that nothing else knows', () => {
    expect(new Set(table.map(({ id }) => id)).size).toBe(table.length)
    for (const row of table) {
      expect(eventText(row), row.id).toMatch(/^[A-Z].*\.$/)
      expect(
        row.from.every((status) => !isFinal(status)),
        row.id,
      ).toBe(true)
    }
    expect(new Set(table.map(({ trigger }) => trigger))).toEqual(new Set(triggers))
    expect(new Set(table.flatMap(({ when }) => when))).toEqual(new Set(conditions))
    expect(new Set(table.flatMap((row) => row.effects))).toEqual(new Set(effects))
  })

  test('every status is reached, and from every status that is not final an end can be reached', () => {
    const reached = new Set<RunStatus>(['pending', ...table.flatMap(({ to }) => to ?? [])])
    expect(reached).toEqual(new Set(runStatuses))
    for (const status of runStatuses.filter((each) => !isFinal(each))) {
      const seen = new Set<RunStatus>([status])
      for (const each of seen) for (const { from, to } of table) if (to && from.includes(each)) seen.add(to)
      expect([...seen].some(isFinal), status).toBe(true)
    }
  })
})

describe('a transition', () => {
  const planning = () => moved(newRun(), ['start'], ['claim'])

  test.each<[string, Partial<Run>, object, RunStatus]>([
    ['changes wait for confirmation', {}, {}, 'planned'],
    ['no changes end the run', {}, { hasChanges: false }, 'planned_and_finished'],
    ['a plan-only run ends', { planOnly: true, queueNumber: null }, {}, 'planned_and_finished'],
    ['a saved plan is kept', { savePlan: true, queueNumber: null }, {}, 'planned_and_saved'],
    [
      'a saved plan without changes ends',
      { savePlan: true, queueNumber: null },
      { hasChanges: false },
      'planned_and_finished',
    ],
    ['auto-apply goes on', { autoApply: true }, {}, 'apply_queued'],
    ['allow-empty-apply goes on without changes', { allowEmptyApply: true }, { hasChanges: false }, 'apply_queued'],
    ['allow-empty-apply with changes waits', { allowEmptyApply: true }, {}, 'planned'],
    ['generated configuration is never applied', { autoApply: true }, { generatedConfiguration: true }, 'errored'],
    [
      'generated configuration may be planned',
      { planOnly: true, queueNumber: null },
      { generatedConfiguration: true },
      'planned_and_finished',
    ],
    ['an error ends the run', { planOnly: true, queueNumber: null }, { outcome: 'errored' }, 'errored'],
    ['an interrupt that nobody sent is an error', {}, { outcome: 'canceled' }, 'errored'],
  ])('the end of a plan: %s', (_, some, result, status) => {
    const run = moved(newRun(some), ['start', { place: some.queueNumber === null ? 'beside' : 'first' }], ['claim'])
    const ended = moved(run, ['finish', finished(result)])
    expect(ended.status).toBe(status)
    expect(isPhaseFinal(ended.plan.status)).toBe(true)
  })

  test('auto-apply waits for confirmation if its creator may no longer apply', () => {
    const run = moved(newRun({ autoApply: true }), ['start'], ['claim'])
    expect(moved(run, ['finish', { ...finished(), mayApply: false }]).status).toBe('planned')
  })

  test('a run waits while it is not the first, or somebody holds the workspace', () => {
    for (const some of [{ place: 'behind' }, { isFree: false }] as const) {
      expect(step(newRun(), 'start', at(some))).toBeUndefined()
    }
  })

  test('a second cancel, and force before its time, cause nothing', () => {
    const canceled = moved(planning(), ['cancel'])
    expect(canceled).toMatchObject({ status: 'planning', signal: 'interrupt', canceledAt: start })
    expect(step(canceled, 'cancel', at())).toBeUndefined()
    expect(step(canceled, 'force-cancel', at())).toBeUndefined()
    const forced = moved(canceled, ['force-cancel', { now: later(start, runLimits.forceDelay) }])
    expect(forced).toMatchObject({ status: 'canceled', plan: { status: 'canceled' }, apply: { status: 'unreachable' } })
  })

  test('a confirmed saved plan ends with an error when the state has changed, or its person may no longer apply', () => {
    const run = newRun({
      status: 'confirmed',
      queueNumber: 3,
      hasChanges: true,
      savePlan: true,
      inputStateVersionId: 'sv',
    })
    expect(moved(run, ['start', { stateId: 'sv' }]).status).toBe('apply_queued')
    expect(moved(run, ['start', { stateId: 'other' }]).error?.code).toBe('plan-stale')
    expect(moved(run, ['start', { stateId: 'sv', mayApply: false }]).error?.code).toBe('not-permitted')
  })

  test('a lost plan is planned once more, a lost apply never again', () => {
    const lost = moved(planning(), ['lose'])
    expect(lost).toMatchObject({ status: 'plan_queued', attempt: 1 })
    expect(moved(lost, ['claim'], ['lose']).error?.code).toBe('executor-lost')
    const applying = moved(planning(), ['finish', finished()], ['confirm'], ['claim'])
    expect(moved(applying, ['lose']).status).toBe('apply_queued')
    const begun = { ...applying, isStarted: true }
    const waiting = moved(begun, ['lose'])
    expect(waiting).toMatchObject({ status: 'applying', isLost: true })
    expect(moved(waiting, ['lose'])).toMatchObject({ status: 'errored', error: { code: 'executor-lost' } })
  })

  test('actions are those that the table allows', () => {
    const shown = (run: Run, some: Partial<Situation> = {}) =>
      Object.entries(actionsOf(run, at(some))).flatMap(([name, can]) => (can ? [name] : []))
    expect(shown(newRun())).toEqual(['is-cancelable', 'is-discardable'])
    const planned = moved(planning(), ['finish', finished()])
    expect(shown(planned)).toEqual(['is-confirmable', 'is-discardable'])
    expect(shown(moved(planned, ['confirm']))).toEqual(['is-cancelable'])
    const canceled = moved(planning(), ['cancel'])
    expect(shown(canceled)).toEqual([])
    expect(shown(canceled, { now: later(start, runLimits.forceDelay) })).toEqual(['is-force-cancelable'])
    expect(shown(moved(planned, ['discard']))).toEqual([])
  })
})

describe('a deadline', () => {
  const due = (run: Run, now: Instant) => dueTrigger(run, now)

  test('a plan that is canceled is asked, killed and ended without its runner', () => {
    const lease = { leaseUntil: null }
    const canceled = { ...moved(newRun(), ['start'], ['claim'], ['cancel']), ...lease }
    const killAt = later(start, runLimits.planCancel)
    expect(due(canceled, later(killAt, -1))).toBeUndefined()
    expect(due(canceled, killAt)).toBe('kill')
    const killed = moved(canceled, ['kill', { now: killAt }])
    const overdueAt = later(killAt, runLimits.killGrace)
    expect([killed.signal, due(killed, overdueAt)]).toEqual(['kill', 'overdue'])
    expect(moved(killed, ['overdue', { now: overdueAt }]).status).toBe('canceled')
  })

  test('an apply that is canceled is never killed, but ends when its time is over', () => {
    const applying = moved(newRun(), ['start'], ['claim'], ['finish', finished()], ['confirm'], ['claim'])
    const canceled = { ...moved(applying, ['cancel']), leaseUntil: null }
    expect(due(canceled, later(start, runLimits.apply - 1))).toBeUndefined()
    const late = later(start, runLimits.apply)
    expect(due(canceled, late)).toBe('time-limit')
    const over = moved(canceled, ['time-limit', { now: late }])
    const end = later(late, runLimits.limitGrace)
    expect(due(over, end)).toBe('overdue')
    expect(moved(over, ['overdue', { now: end }]).error?.code).toBe('timed-out')
  })

  test('a saved plan ends after its longest time', () => {
    const saved = moved(
      newRun({ savePlan: true, queueNumber: null }),
      ['start', { place: 'beside' }],
      ['claim'],
      ['finish', finished()],
    )
    expect(saved.deadlineAt).toBe(later(start, runLimits.savedPlan))
    expect(due(saved, saved.deadlineAt as Instant)).toBe('expire')
  })

  test('whoever waits for a person, a runner or another run has none', () => {
    const queued = moved(newRun(), ['start'])
    const planned = moved(queued, ['claim'], ['finish', finished()])
    for (const run of [queued, planned]) expect(run.deadlineAt).toBeNull()
  })
})

type Random = {
  readonly trigger: (typeof triggers)[number]
  readonly place: Situation['place']
  readonly isFree: boolean
  readonly wait: number
  readonly result: Situation['result']
  readonly mayApply: boolean
  readonly stateId: string | null
}

const random: fc.Arbitrary<Random> = fc.record({
  trigger: fc.constantFrom(...triggers),
  place: fc.constantFrom('first', 'behind'),
  isFree: fc.boolean(),
  wait: fc.nat(runLimits.plan),
  result: fc.record({
    outcome: fc.constantFrom('finished', 'errored', 'canceled'),
    hasChanges: fc.boolean(),
    generatedConfiguration: fc.boolean(),
  }),
  mayApply: fc.boolean(),
  stateId: fc.constantFrom(null, 'sv'),
})

test('whatever happens to a run, its status, phases, lock, queue and deadline fit each other', () => {
  const kinds = fc.record({
    planOnly: fc.boolean(),
    savePlan: fc.boolean(),
    autoApply: fc.boolean(),
    allowEmptyApply: fc.boolean(),
  })
  fc.assert(
    fc.property(kinds, fc.array(random, { maxLength: 60 }), (kind, moves) => {
      const isBeside = kind.planOnly || kind.savePlan
      let run = newRun({ ...kind, savePlan: kind.savePlan && !kind.planOnly, queueNumber: isBeside ? null : 1 })
      let now = start
      for (const move of moves) {
        now = later(now, move.wait)
        const situation = at({
          ...move,
          now,
          place: run.queueNumber === null ? 'beside' : move.place,
          holder: 'planned',
        })
        const before = run
        run = step(run, move.trigger, situation)?.after ?? run
        if (isFinal(before.status)) expect(run).toBe(before)
        expect(runStatuses).toContain(run.status)
        if (isFinal(run.status)) {
          expect(run).toMatchObject({ queueNumber: null, deadlineAt: null, claimedBy: null, signal: null })
          expect([run.plan, run.apply].every(({ status }) => isPhaseFinal(status))).toBe(true)
        } else {
          expect(isPhaseFinal(run.apply.status)).toBe(false)
          expect(rowFor(run, 'cancel', situation) ?? rowFor(run, 'discard', situation) ?? run.canceledAt).not.toBeNull()
        }
        expect(holdsWorkspace(run)).toBe(run.queueNumber !== null && holdingStatuses.has(run.status))
        expect(run.fence).toBeGreaterThanOrEqual(before.fence)
        const isRunning = run.status === 'planning' || run.status === 'applying'
        expect(run.deadlineAt !== null || !isRunning).toBe(true)
        expect((run.error !== null) === (run.status === 'errored')).toBe(true)
      }
    }),
    { numRuns: 500 },
  )
})
