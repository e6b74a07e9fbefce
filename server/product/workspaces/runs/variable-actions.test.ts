import { expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { doc, mustBe, organization, person, pointers } from '../../../../test/support/platform.ts'
import { createRun, enableRuns, executed, runnableWorkspace } from '../../../../test/support/runs.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'
import { loadRun } from './run-store.ts'
import { jobVariables } from './variable-actions.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const org = shared(async () => {
    const acme = await organization(ann, 'acme')
    await enableRuns(acme)
    return acme
  })

  const add = async (workspaceId: string, attributes: object): Promise<string> =>
    mustBe(await ann.post(`/api/v2/workspaces/${workspaceId}/vars`, doc('vars', attributes)), 201).body.data.id
  const variablesOf = async (id: string, phase: 'plan' | 'apply') => {
    const run = await loadRun(app.deps.db, id)
    if (!run) throw new Error('The run is gone')
    return await jobVariables(app.deps, run, phase)
  }
  const terraform = (key: string, value: string, rest: object = {}) => ({ key, value, category: 'terraform', ...rest })
  const env = (key: string, value: string, rest: object = {}) => ({ key, value, category: 'env', ...rest })

  test('a job has the variables as they were when its run was created, and those that the run was given', async () => {
    const id = await runnableWorkspace(app, org)
    const size = await add(id, terraform('size', 'small'))
    await add(id, terraform('region', 'eu'))
    await add(id, env('TOKEN', 'secret', { sensitive: true }))
    const { id: run } = await createRun(ann, id, { variables: [{ key: 'region', value: '"us"' }] })
    mustBe(await ann.patch(`/api/v2/vars/${size}`, doc('vars', { value: 'large' })), 200)
    await add(id, terraform('late', 'x'))
    const flags = { hcl: false, sensitive: false, origin: 'workspace' }
    expect(await variablesOf(run, 'plan')).toEqual([
      { key: 'TOKEN', value: 'secret', category: 'env', ...flags, sensitive: true },
      { key: 'size', value: 'small', category: 'input', ...flags },
      { key: 'region', value: '"us"', category: 'input', ...flags, hcl: true, origin: 'run' },
    ])
  })

  test('what is only for the apply is in no plan, and replaces what plans have', async () => {
    const id = await runnableWorkspace(app, org)
    await add(id, env('ROLE', 'reader'))
    const refused = await ann.post(
      `/api/v2/workspaces/${id}/vars`,
      doc('vars', terraform('a', 'b', { 'apply-only': true })),
    )
    expect(pointers(mustBe(refused, 422))).toEqual(['/data/attributes/apply-only'])
    await add(id, env('WRITE', 'yes', { 'apply-only': true }))
    const { id: run } = await createRun(ann, id)
    const values = async (phase: 'plan' | 'apply') =>
      Object.fromEntries((await variablesOf(run, phase)).map(({ key, value }) => [key, value]))
    expect(await values('plan')).toEqual({ ROLE: 'reader' })
    expect(await values('apply')).toEqual({ ROLE: 'reader', WRITE: 'yes' })
  })

  test('values of a run are stored sealed, each in its place; sensitive ones are dropped when it ends', async () => {
    const id = await runnableWorkspace(app, org)
    await add(id, terraform('password', 'swordfish', { sensitive: true }))
    await add(id, terraform('token', 'swordfish', { sensitive: true }))
    await add(id, terraform('plain', 'swordfish'))
    const { id: run } = await createRun(ann, id, { variables: [{ key: 'password', value: '"swordfish"' }] })
    const rows = () =>
      app.deps.db
        .selectFrom('run_variables')
        .select(['origin', 'key', 'value'])
        .where('run_id', '=', run)
        .orderBy('position')
        .execute()
    for (const { value } of await rows()) expect(Buffer.from(value).includes('swordfish')).toBe(false)
    const swapped = (await rows()).find(({ key }) => key === 'plain')?.value as Uint8Array
    await app.deps.db
      .updateTable('run_variables')
      .set({ value: swapped })
      .where('run_id', '=', run)
      .where('origin', '=', 'run')
      .execute()
    await expect(variablesOf(run, 'plan')).rejects.toThrow()
    await executed(app.deps, run, 'claim')
    await executed(app.deps, run, 'finish', { result: { outcome: 'errored' } })
    expect((await rows()).map(({ key, origin, value }) => [origin, key, value.length > 0])).toEqual([
      ['workspace', 'plain', true],
      ['workspace', 'token', false],
      ['run', 'password', false],
    ])
  })
})
