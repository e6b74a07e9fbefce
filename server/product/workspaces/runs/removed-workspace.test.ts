import { expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { mustBe, organization, person } from '../../../../test/support/platform.ts'
import { createRun, enableRuns, executed, runnableWorkspace } from '../../../../test/support/runs.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const org = shared(async () => {
    const acme = await organization(ann, 'acme')
    await enableRuns(acme)
    return acme
  })
  const finished = { result: { outcome: 'finished', hasChanges: true } } as const
  const rowsOf = async (id: string) => {
    const { db } = app.deps
    const tables = ['run_variables', 'run_events', 'run_log_chunks', 'run_artifacts'] as const
    const counts = await Promise.all(
      tables.map((table) => db.selectFrom(table).select('run_id').where('run_id', '=', id).execute()),
    )
    return counts.flat().length
  }

  test('deleting safely is refused while a run holds the workspace; saved plans and plans beside it go along', async () => {
    const id = await runnableWorkspace(app, org)
    const held = await createRun(ann, id)
    await executed(app.deps, held.id, 'claim')
    await executed(app.deps, held.id, 'finish', finished)
    const refused = mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/safe-delete`), 409)
    expect(refused.body.errors[0].detail).toContain('locked')
    mustBe(await ann.post(`/api/v2/runs/${held.id}/actions/discard`, {}), 202)
    const saved = await createRun(ann, id, { 'save-plan': true })
    await executed(app.deps, saved.id, 'claim')
    await executed(app.deps, saved.id, 'finish', finished)
    mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/safe-delete`), 204)
    mustBe(await ann.get(`/api/v2/runs/${saved.id}`), 404)
    expect(await rowsOf(saved.id)).toBe(0)
  })

  test('deleting by force takes everything along, also while a run is applied', async () => {
    const id = await runnableWorkspace(app, org)
    const run = await createRun(ann, id, { 'auto-apply': true, variables: [{ key: 'a', value: '1' }] })
    await executed(app.deps, run.id, 'claim')
    await executed(app.deps, run.id, 'finish', finished)
    await executed(app.deps, run.id, 'claim')
    mustBe(await ann.delete(`/api/v2/workspaces/${id}`), 204)
    mustBe(await ann.get(`/api/v2/runs/${run.id}`), 404)
    expect(await rowsOf(run.id)).toBe(0)
  })
})
