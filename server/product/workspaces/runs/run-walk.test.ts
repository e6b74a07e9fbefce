import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { doc, mustBe, organization, person } from '../../../../test/support/platform.ts'
import { createRun, enableRuns, executed, runnableWorkspace } from '../../../../test/support/runs.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { PhaseResult } from './run.ts'

/** A run as people would describe it, without any table: what it is for, and how far it has come. */
type Plain = {
  readonly id: string
  readonly kind: 'normal' | 'plan-only' | 'saved'
  status: string
  cancelAsked: boolean
}

/** A workspace as people would describe it: who holds it, and who waits in which order. */
type World = { holder: string | null; readonly runs: Plain[]; queue: Plain[] }

type Action =
  | { readonly do: 'create'; readonly kind: Plain['kind'] }
  | { readonly do: 'lock' | 'unlock' | 'force-unlock' }
  | { readonly do: 'apply' | 'discard' | 'cancel' | 'force-execute' | 'claim'; readonly which: number }
  | { readonly do: 'finish'; readonly which: number; readonly result: PhaseResult }

const result = fc.record({
  outcome: fc.constantFrom<PhaseResult['outcome']>('finished', 'finished', 'errored'),
  hasChanges: fc.boolean(),
})

const which = fc.nat(5)

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('create' as const),
      kind: fc.constantFrom<Plain['kind']>('normal', 'normal', 'plan-only', 'saved'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('lock' as const, 'unlock' as const, 'force-unlock' as const) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('apply' as const, 'discard' as const, 'cancel' as const, 'force-execute' as const),
      which,
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('claim' as const), which }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('finish' as const), which, result }) },
)

const ended = ['planned_and_finished', 'applied', 'errored', 'canceled', 'discarded']
const isEnded = ({ status }: Plain) => ended.includes(status)

/** Lets the first who waits take a free workspace. */
function goOn(world: World): void {
  world.queue = world.queue.filter((run) => !isEnded(run))
  const [head] = world.queue
  if (world.holder !== null || !head) return
  head.status = head.status === 'pending' ? 'plan_queued' : 'apply_queued'
  world.holder = head.id
}

function end(world: World, run: Plain, status: string): true {
  run.status = status
  if (world.holder === run.id) world.holder = null
  goOn(world)
  return true
}

function finish(world: World, run: Plain, { outcome, hasChanges }: PhaseResult): boolean {
  if (run.status !== 'planning' && run.status !== 'applying') return false
  if (outcome === 'errored') return end(world, run, 'errored')
  if (run.status === 'applying') return end(world, run, 'applied')
  if (run.kind === 'plan-only' || !hasChanges) return end(world, run, 'planned_and_finished')
  run.status = run.kind === 'saved' ? 'planned_and_saved' : 'planned'
  return true
}

function apply(world: World, run: Plain): boolean {
  if (run.status === 'planned') run.status = 'apply_queued'
  else if (run.status === 'planned_and_saved') {
    run.status = 'confirmed'
    world.queue.push(run)
    goOn(world)
  } else return false
  return true
}

function cancel(world: World, run: Plain): boolean {
  if (['pending', 'plan_queued', 'apply_queued', 'confirmed'].includes(run.status)) return end(world, run, 'canceled')
  if (!['planning', 'applying'].includes(run.status) || run.cancelAsked) return false
  run.cancelAsked = true
  return true
}

function forceExecute(world: World, run: Plain): boolean {
  const holder = world.runs.find(({ id }) => id === world.holder)
  const isBehind = run.status === 'pending' && world.queue.includes(run) && world.queue[0] !== run
  if (!isBehind || !holder || !['planned', 'plan_queued'].includes(holder.status)) return false
  world.queue = [holder, run, ...world.queue.filter((each) => each !== run && each !== holder)]
  return end(world, holder, holder.status === 'planned' ? 'discarded' : 'canceled')
}

function forceUnlock(world: World): boolean {
  if (world.holder === null) return false
  const run = world.runs.find(({ id }) => id === world.holder)
  world.holder = null
  if (run) run.status = run.status === 'planned' ? 'discarded' : 'canceled'
  goOn(world)
  return true
}

/** What an action does to the world; false if it is refused. */
function expected(world: World, step: Exclude<Action, { do: 'create' }>, run: Plain | undefined): boolean {
  if (step.do === 'lock') {
    const isFree = world.holder === null
    world.holder ??= 'ann'
    return isFree
  }
  if (step.do === 'unlock') {
    if (world.holder !== 'ann') return false
    world.holder = null
    goOn(world)
    return true
  }
  if (step.do === 'force-unlock') return forceUnlock(world)
  if (!run) return false
  switch (step.do) {
    case 'claim':
      if (run.status !== 'plan_queued' && run.status !== 'apply_queued') return false
      run.status = run.status === 'plan_queued' ? 'planning' : 'applying'
      return true
    case 'finish':
      return finish(world, run, step.result)
    case 'apply':
      return apply(world, run)
    case 'discard':
      return ['pending', 'planned', 'planned_and_saved'].includes(run.status) && end(world, run, 'discarded')
    case 'cancel':
      return cancel(world, run)
    default:
      return forceExecute(world, run)
  }
}

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const org = shared(async () => {
    const acme = await organization(ann, 'acme')
    await enableRuns(acme)
    return acme
  })

  /** Does the action on the server; false if it is refused. */
  async function performed(
    workspaceId: string,
    step: Exclude<Action, { do: 'create' }>,
    run: Plain | undefined,
  ): Promise<boolean> {
    if (step.do === 'lock' || step.do === 'unlock' || step.do === 'force-unlock') {
      return (await ann.post(`/api/v2/workspaces/${workspaceId}/actions/${step.do}`)).status === 200
    }
    if (!run) return false
    if (step.do === 'claim' || step.do === 'finish') {
      const move = step.do === 'finish' ? { result: step.result } : {}
      return await executed(app.deps, run.id, step.do, move).then(
        () => true,
        (refused) => {
          if (refused instanceof Failure && refused.kind === 'conflict') return false
          throw refused
        },
      )
    }
    const { status } = await ann.post(`/api/v2/runs/${run.id}/actions/${step.do}`, {})
    expect([202, 409]).toContain(status)
    return status === 202
  }

  async function expectSame(workspaceId: string, world: World): Promise<void> {
    const rows = await app.deps.db
      .selectFrom('runs')
      .select(['id', 'status', 'queue_number'])
      .where('workspace_id', '=', workspaceId)
      .orderBy('ordinal')
      .execute()
    expect(rows.map(({ id, status }) => [id, status])).toEqual(world.runs.map(({ id, status }) => [id, status]))
    const waiting = rows
      .filter((row) => row.queue_number !== null)
      .sort((a, b) => Number(a.queue_number) - Number(b.queue_number))
    expect(waiting.map(({ id }) => id)).toEqual(world.queue.map(({ id }) => id))
    const { attributes, relationships } = mustBe(await ann.get(`/api/v2/workspaces/${workspaceId}`), 200).body.data
    const holder = relationships['locked-by'].data?.id ?? null
    expect([attributes.locked, holder]).toEqual([world.holder !== null, world.holder === 'ann' ? ann.id : world.holder])
    const [head] = world.queue
    if (head) expect(relationships['current-run'].data.id).toBe(head.id)
  }

  test('whatever people and runners do, the store is as a plain model says', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 20, maxLength: 40 }), async (steps) => {
        const workspaceId = await runnableWorkspace(app, org)
        const world: World = { holder: null, runs: [], queue: [] }
        for (const step of steps) {
          // Requests that are repeated at once are answered as before: the model knows no repetitions.
          app.clock.advance('31s')
          if (step.do === 'create') {
            const flags = { 'plan-only': step.kind === 'plan-only', 'save-plan': step.kind === 'saved' }
            const { id } = await createRun(ann, workspaceId, flags)
            const run: Plain = {
              id,
              kind: step.kind,
              status: step.kind === 'normal' ? 'pending' : 'plan_queued',
              cancelAsked: false,
            }
            world.runs.push(run)
            if (step.kind === 'normal') world.queue.push(run)
            goOn(world)
          } else {
            const run = 'which' in step ? world.runs.at(-1 - (step.which % Math.max(1, world.runs.length))) : undefined
            const wanted = expected(world, step, run)
            expect([step.do, await performed(workspaceId, step, run)]).toEqual([step.do, wanted])
          }
          await expectSame(workspaceId, world)
        }
        mustBe(await ann.delete(`/api/v2/workspaces/${workspaceId}`), 204)
      }),
      { numRuns: engine === 'sqlite' ? 25 : 8 },
    )
  })

  test('of two who confirm and discard at the same moment, exactly one wins', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await runnableWorkspace(app, org)
      const { id: run } = await createRun(ann, id)
      await executed(app.deps, run, 'claim')
      await executed(app.deps, run, 'finish', { result: { outcome: 'finished', hasChanges: true } })
      const answers = await Promise.all(
        ['apply', 'discard'].map((name) => ann.post(`/api/v2/runs/${run}/actions/${name}`, {})),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([202, 409])
    }
  })

  test('of a person who locks and a run that begins at the same moment, exactly one holds the workspace', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await runnableWorkspace(app, org)
      const [made, locked] = await Promise.all([createRun(ann, id), ann.post(`/api/v2/workspaces/${id}/actions/lock`)])
      const holder = mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200).body.data.relationships['locked-by'].data
      const { status } = mustBe(await ann.get(`/api/v2/runs/${made.id}`), 200).body.data.attributes
      const won = locked.status === 200 ? ['users', 'pending'] : ['runs', 'plan_queued']
      expect([holder.type, status]).toEqual(won)
    }
  })

  test('of a cancel and an end at the same moment, one final status is left, and a log with one end', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await runnableWorkspace(app, org)
      const { id: run, relationships } = await createRun(ann, id)
      await executed(app.deps, run, 'claim')
      const outcome = { result: { outcome: 'finished', hasChanges: false } } as const
      const [canceled] = await Promise.all([
        ann.post(`/api/v2/runs/${run}/actions/cancel`, {}),
        executed(app.deps, run, 'finish', outcome),
      ])
      expect([202, 409]).toContain(canceled.status)
      const plan = mustBe(await ann.get(`/api/v2/plans/${relationships.plan.data.id}`), 200).body.data.attributes
      expect(plan.status).toBe('finished')
      const log = await app.anonymous.get(new URL(plan['log-read-url']).pathname)
      expect(log.text.split('\u0003')).toHaveLength(2)
      const { attributes } = mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200).body.data
      expect(attributes.locked).toBe(false)
    }
  })

  test('a plan digest that is not the one that was shown is refused', async () => {
    const id = await runnableWorkspace(app, org)
    const { id: run } = await createRun(ann, id)
    await executed(app.deps, run, 'claim')
    const planDigest = 'a'.repeat(64)
    await executed(app.deps, run, 'finish', { result: { outcome: 'finished', hasChanges: true, planDigest } })
    const path = `/api/v2/runs/${run}/actions/apply`
    mustBe(await ann.post(path, { plan_digest: 'b'.repeat(64) }), 409)
    mustBe(await ann.post(path, { plan_digest: planDigest }), 202)
    mustBe(await ann.post(path, {}), 202)
    app.clock.advance('31s')
    mustBe(await ann.post(path, {}), 409)
  })

  test('a stale fence changes nothing', async () => {
    const id = await runnableWorkspace(app, org)
    const { id: run } = await createRun(ann, id)
    const { fence } = await executed(app.deps, run, 'claim')
    const result = { outcome: 'finished', hasChanges: true } as const
    await expect(executed(app.deps, run, 'finish', { fence: fence - 1, result })).rejects.toThrow('another runner')
    expect((await executed(app.deps, run, 'finish', { fence, result })).status).toBe('planned')
  })

  test('a provisional configuration becomes the current one when a run of it was applied', async () => {
    const id = await runnableWorkspace(app, org)
    const versions = `/api/v2/workspaces/${id}/configuration-versions`
    const made = mustBe(await ann.post(versions, doc('configuration-versions', { provisional: true })), 201).body.data
    await app.deps.db
      .updateTable('configuration_versions')
      .set({ status: 'uploaded' })
      .where('id', '=', made.id)
      .execute()
    const relationships = {
      workspace: { data: { type: 'workspaces', id } },
      'configuration-version': { data: { type: 'configuration-versions', id: made.id } },
    }
    const { id: run } = mustBe(await ann.post('/api/v2/runs', doc('runs', { 'auto-apply': true }, relationships)), 201)
      .body.data
    const result = { outcome: 'finished', hasChanges: true } as const
    await executed(app.deps, run, 'claim')
    expect((await executed(app.deps, run, 'finish', { result })).status).toBe('apply_queued')
    const shown = mustBe(await ann.get(`/api/v2/runs/${run}`), 200).body.data
    expect([shown.attributes['confirmed-at'] !== null, shown.relationships['confirmed-by'].data]).toEqual([true, null])
    await executed(app.deps, run, 'claim')
    await executed(app.deps, run, 'finish', { result })
    const workspace = mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200).body.data
    expect(workspace.relationships['current-configuration-version'].data.id).toBe(made.id)
    expect(workspace.attributes.locked).toBe(false)
  })
})
