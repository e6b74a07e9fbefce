import { expect, test } from 'vitest'
import { eachEngine } from '../../../test/support/databases.ts'
import { mustBe, person } from '../../../test/support/platform.ts'
import { ownApp } from '../../../test/support/shared.ts'
import type { TestApp } from '../../../test/support/test-app.ts'
import { tokenCalls } from '../../../test/support/token-calls.ts'
import { inTransaction } from '../../storage/transaction.ts'
import type { JobRun } from '../job.ts'
import { runJobNow } from '../job-store.ts'
import { removalJob, saveRemoval } from './index.ts'
import { batchSizes, nextBatchSize, type RemovalKey, type RemovalKind } from './removal.ts'
import { beginRemoval, type Remover } from './removal-actions.ts'

const tag: RemovalKey = { kind: 'tag', subjectId: 'tag-1' }
const mount: RemovalKey = { kind: 'mount', subjectId: 'mount-1' }

/** Has these parts remove what is stored as removed, in place of those of the features. */
const useRemovers = ({ deps }: TestApp, ...remover: Remover[]): void => void Object.assign(deps.parts, { remover })

/** Says that a batch has removed as many rows as it should. */
const removing = (kind: RemovalKind): Remover => ({
  kind,
  removeSome: async (_deps, _tx, { rowsLeft }, limit) => ({ left: rowsLeft - limit }),
})

const failing = (kind: RemovalKind): Remover => ({
  kind,
  removeSome: async () => Promise.reject(new Error('The table is locked.')),
})

const store = ({ deps }: TestApp, key: RemovalKey, rowsLeft: number): Promise<void> =>
  inTransaction(deps.db, (tx) =>
    saveRemoval(tx, {
      ...key,
      name: 'old',
      requestedBy: 'ann',
      requestedAt: deps.clock.now(),
      rowsLeft,
      payload: null,
    }),
  )

const left = async ({ deps }: TestApp) =>
  await deps.db
    .selectFrom('removals')
    .select(['subject_id as id', 'rows_left as rows', 'last_error as error'])
    .execute()

const runNow = ({ deps }: TestApp) => inTransaction(deps.db, (tx) => runJobNow(tx, removalJob.name, ''))

test('the next batch is sized by the work that the last one was', () => {
  expect([nextBatchSize(100, 8), nextBatchSize(100, 32), nextBatchSize(100, 5), nextBatchSize(100, 0)]).toEqual([
    100, 25, 160, 200,
  ])
  expect([nextBatchSize(batchSizes.most, 1), nextBatchSize(20, 10_000)]).toEqual([batchSizes.most, batchSizes.least])
})

eachEngine((engine) => {
  test('a small removal ends within the request, and a job ends what the request could not', async () => {
    const app = await ownApp({ engine, runJobs: true })
    useRemovers(app, removing('tag'))
    await store(app, tag, 120)
    await beginRemoval(app.deps, tag)
    expect(await left(app)).toEqual([])
    const [{ removeSome }, first] = [removing('tag'), Promise.withResolvers<void>()]
    let calls = 0
    useRemovers(app, {
      kind: 'tag',
      removeSome: async (...args) => {
        // Only the first batch, of the request, fails.
        if (++calls === 1) throw new Error('The connection is gone.')
        first.resolve()
        return await removeSome(...args)
      },
    })
    await store(app, tag, 50_000)
    await beginRemoval(app.deps, tag)
    await first.promise
    await expect.poll(() => left(app)).toEqual([])
  })

  test('a removal that fails keeps its error, holds up no other, and is tried again', async () => {
    const app = await ownApp({ engine, runJobs: true })
    useRemovers(app, failing('tag'), removing('mount'))
    await store(app, tag, 7)
    await store(app, mount, 5_000)
    await runNow(app)
    await expect.poll(() => left(app)).toEqual([{ id: 'tag-1', rows: 7, error: 'The table is locked.' }])
    useRemovers(app, removing('tag'))
    await runNow(app)
    await expect.poll(() => left(app)).toEqual([])
  })

  test('a run whose lease was lost removes nothing', async () => {
    const app = await ownApp({ engine })
    useRemovers(app, removing('tag'))
    await store(app, tag, 7)
    const run = { kind: removalJob.name, key: '', fence: 7, signal: new AbortController().signal } as JobRun
    await expect(removalJob.run(app.deps, { ...run, renew: async () => false })).rejects.toThrow()
    expect(await left(app)).toEqual([{ id: 'tag-1', rows: 7, error: null }])
  })

  test('a kind that this server does not know is left alone', async () => {
    const app = await ownApp({ engine, runJobs: true })
    useRemovers(app, removing('mount'))
    await store(app, tag, 7)
    await store(app, mount, 7)
    await runNow(app)
    await expect.poll(() => left(app)).toEqual([{ id: 'tag-1', rows: 7, error: null }])
  })

  test('progress is shown to site administrators, to tokens with sudo, and as a metric', async () => {
    const app = await ownApp({ engine })
    const ann = await person(app, 'ann')
    expect((await ann.get('/api/v2/admin/removals')).status).toBe(404)
    const calls = await tokenCalls(app)
    await calls.policy('reader', 'path "sys/removals" { capabilities = ["read"] }')
    const { client_token: reader } = await calls.create({ policies: ['reader'] })
    expect((await app.root.as(reader).get('/v1/sys/removals')).status).toBe(403)
    await store(app, tag, 12)
    await store(app, mount, 30)
    await store(app, { kind: 'mount', subjectId: 'mount-2' }, 4)
    const { data } = mustBe(await app.root.get('/api/v2/admin/removals'), 200).body
    const shown = { kind: 'tag', name: 'old', 'requested-by': 'ann', 'rows-left': 12, 'last-error': null }
    expect(data).toMatchObject([{ id: 'tag-1', type: 'removals', attributes: shown }])
    const system = mustBe(await app.root.get('/v1/sys/removals'), 200).body.data.removals
    const common = { kind: 'mount', name: 'old', requested_by: 'ann', last_error: '' }
    expect(system).toMatchObject([
      { ...common, id: 'mount-1', rows_left: 30 },
      { ...common, id: 'mount-2', rows_left: 4 },
    ])
    const metrics = (await app.deps.metrics.render()).match(/^holdfast_removal_rows_left.*/gm)?.sort()
    expect(metrics).toEqual([
      'holdfast_removal_rows_left{kind="mount"} 34',
      'holdfast_removal_rows_left{kind="organization"} 0',
      'holdfast_removal_rows_left{kind="tag"} 12',
      'holdfast_removal_rows_left{kind="tokens"} 0',
    ])
  })
})
