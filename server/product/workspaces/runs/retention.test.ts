import { expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { doc, mustBe, organization, person, team } from '../../../../test/support/platform.ts'
import {
  createRun,
  enableRuns,
  executed,
  runnableWorkspace,
  uploadedConfiguration,
} from '../../../../test/support/runs.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'
import { retainRuns } from './retention-actions.ts'
import { sweepRuns } from './sweep-actions.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const org = shared(async () => {
    const acme = await organization(ann, 'acme')
    await enableRuns(acme)
    return acme
  })
  const policy = (id: string, type: string, attributes: object = {}) =>
    ann.post(`/api/v2/workspaces/${id}/relationships/data-retention-policy`, doc(type, attributes))
  const canceled = async (id: string): Promise<string> => {
    const run = await createRun(ann, id, { 'plan-only': true })
    mustBe(await ann.post(`/api/v2/runs/${run.id}/actions/cancel`, {}), 202)
    return run.id
  }
  const idsOf = async (id: string): Promise<string[]> => {
    const query = app.deps.db.selectFrom('runs').select('id').where('workspace_id', '=', id).orderBy('ordinal')
    return (await query.execute()).map((row) => row.id)
  }
  const logOf = async (id: string) => {
    const url = mustBe(await ann.get(`/api/v2/runs/${id}/plan`), 200).body.data.attributes['log-read-url']
    return (await app.anonymous.get(new URL(url).pathname)).text
  }

  test('a policy drops the content of old runs; rows stay, and the current configuration does', async () => {
    const id = await runnableWorkspace(app, org)
    const old = await createRun(ann, id)
    await executed(app.deps, old.id, 'claim')
    await executed(app.deps, old.id, 'finish', { result: { outcome: 'errored' } })
    const first = old.relationships['configuration-version'].data.id
    const current = await uploadedConfiguration(app, ann, id)
    const later = await canceled(id)
    mustBe(await policy(id, 'data-retention-policy-delete-olders', { 'delete-older-than-n-days': 7 }), 200)
    app.clock.advance('144h')
    const young = await canceled(id)
    app.clock.advance('48h')
    await retainRuns(app.deps)
    const gone = '\u0002The log was deleted by the data retention policy.\n\u0003'
    expect([await logOf(old.id), await logOf(later)]).toEqual([gone, gone])
    expect(await logOf(young)).toContain('canceled')
    mustBe(await ann.get(`/api/v2/configuration-versions/${first}/download`), 404)
    mustBe(await ann.get(`/api/v2/configuration-versions/${current}/download`), 302)
    mustBe(await ann.post(`/api/v2/runs/${old.id}/actions/retry`, {}), 422)
    expect(await idsOf(id)).toHaveLength(3)
  })

  test('old runs go beyond the newest hundred; the current, the last applied and the counted ones stay', async () => {
    const id = await runnableWorkspace(app, org)
    const applied = await createRun(ann, id, { 'auto-apply': true })
    for (const result of [{ outcome: 'finished', hasChanges: true }, { outcome: 'finished' }] as const) {
      await executed(app.deps, applied.id, 'claim')
      await executed(app.deps, applied.id, 'finish', { result })
    }
    const row = await app.deps.db
      .selectFrom('runs')
      .selectAll()
      .where('id', '=', await canceled(id))
      .executeTakeFirstOrThrow()
    const copies = Array.from({ length: 104 }, (_, index) => ({
      ...row,
      id: app.deps.ids.newId('run'),
      plan_id: app.deps.ids.newId('plan'),
      apply_id: app.deps.ids.newId('apply'),
      ordinal: row.ordinal + index + 1,
    }))
    await app.deps.db.insertInto('runs').values(copies).execute()
    const canceledOnes = [row.id, ...copies.map((copy) => copy.id)]
    await retainRuns(app.deps)
    expect(await idsOf(id)).toHaveLength(106)
    app.clock.advance('2400h')
    mustBe(await policy(id, 'data-retention-policy-dont-deletes'), 200)
    await retainRuns(app.deps)
    expect(await idsOf(id)).toHaveLength(106)
    mustBe(await ann.delete(`/api/v2/workspaces/${id}/relationships/data-retention-policy`), 204)
    await retainRuns(app.deps)
    expect(await idsOf(id)).toEqual([applied.id, ...canceledOnes.slice(5)])
  })

  test('sizes: for who reads the workspace, and for owners of the organization', async () => {
    const id = await runnableWorkspace(app, org)
    const readers = await team(org, 'size-readers', { 'organization-access': { 'read-workspaces': true } })
    const usage = mustBe(await readers.get(`/api/v2/workspaces/${id}/storage-usage`), 200).body.data
    mustBe(await readers.get(`/api/v2/organizations/${org.name}/storage-usage`), 404)
    expect(usage.attributes['configurations-bytes']).toBeGreaterThan(0)
    await canceled(id)
    const { attributes } = mustBe(await ann.get(`/api/v2/workspaces/${id}/storage-usage`), 200).body.data
    expect(attributes['logs-bytes']).toBeGreaterThan(0)
    const sum = ['configurations', 'plans', 'logs', 'states'].reduce(
      (all, name) => all + attributes[`${name}-bytes`],
      0,
    )
    expect(attributes['total-bytes']).toBe(sum)
    const all = mustBe(await ann.get(`/api/v2/organizations/${org.name}/storage-usage`), 200).body.data.attributes
    expect(all['total-bytes']).toBeGreaterThanOrEqual(attributes['total-bytes'])
  })

  test('configuration versions are shown with their newest run, if that is asked for', async () => {
    const id = await runnableWorkspace(app, org)
    const [, second] = [await createRun(ann, id), await createRun(ann, id)]
    const { data, included } = mustBe(
      await ann.get(`/api/v2/workspaces/${id}/configuration-versions?include=run`),
      200,
    ).body
    expect(data[0].relationships.run.data).toEqual({ type: 'runs', id: second.id })
    expect(included.map((each: { id: string }) => each.id)).toEqual([second.id])
  })

  test('runs that have not begun end when the organization changes to local execution', async () => {
    const own = await person(app, 'local-owner')
    const acme = await organization(own, 'goes-local')
    await enableRuns(acme)
    const id = await runnableWorkspace(app, acme, { 'setting-overwrites': { 'execution-mode': false } })
    const [first, second] = [await createRun(own, id), await createRun(own, id)]
    const local = doc('organizations', { 'default-execution-mode': 'local' })
    mustBe(await own.patch(`/api/v2/organizations/${acme.name}`, local), 200)
    await sweepRuns(app.deps)
    const statusOf = async (run: string) =>
      mustBe(await own.get(`/api/v2/runs/${run}`), 200).body.data.attributes.status
    expect([await statusOf(first.id), await statusOf(second.id)]).toEqual(['plan_queued', 'discarded'])
  })
})
