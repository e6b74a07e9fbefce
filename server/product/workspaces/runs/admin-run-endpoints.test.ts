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
  const statusOf = async (id: string) => mustBe(await ann.get(`/api/v2/runs/${id}`), 200).body.data.attributes.status

  test('owners of an organization are no administrators of the site', async () => {
    const { id } = await createRun(ann, await runnableWorkspace(app, org))
    mustBe(await ann.get('/api/v2/admin/runs'), 404)
    mustBe(await ann.post(`/api/v2/admin/runs/${id}/actions/force-cancel`, {}), 404)
    expect(await statusOf(id)).toBe('plan_queued')
  })

  test('administrators list all runs, by status, time and name', async () => {
    const { id } = await createRun(ann, await runnableWorkspace(app, org))
    const listed = async (query: string) =>
      mustBe(await app.root.get(`/api/v2/admin/runs?${query}`), 200).body.data.map((run: { id: string }) => run.id)
    const now = app.clock.now()
    const at = (offset: number) => new Date(now + offset).toISOString()
    expect(await listed('page[size]=100')).toContain(id)
    expect(await listed('filter[status]=applied')).not.toContain(id)
    expect(await listed(`q=${id}`)).toEqual([id])
    expect(await listed('q=ACM&page[size]=100')).toContain(id)
    expect(await listed(`filter[from]=${at(-1_000)}&filter[to]=${at(1_000)}&page[size]=100`)).toContain(id)
    expect(await listed(`filter[from]=${at(1_000)}`)).toEqual([])
    mustBe(await app.root.get('/api/v2/admin/runs?filter[from]=invalid'), 400)
    const { included } = mustBe(
      await app.root.get(`/api/v2/admin/runs?q=${id}&include=workspace.organization`),
      200,
    ).body
    expect(
      included.map(({ type, attributes }: { type: string; attributes: { name: string } }) => [type, attributes.name]),
    ).toEqual([
      ['workspaces', expect.any(String)],
      ['organizations', 'acme'],
    ])
  })

  test('administrators end runs at once, whatever they do, and others go on', async () => {
    const id = await runnableWorkspace(app, org)
    const [first, second] = [await createRun(ann, id), await createRun(ann, id)]
    const end = (run: string) => app.root.post(`/api/v2/admin/runs/${run}/actions/force-cancel`, { comment: 'enough' })
    mustBe(await end(second.id), 202)
    expect([await statusOf(first.id), await statusOf(second.id)]).toEqual(['plan_queued', 'canceled'])
    await executed(app.deps, first.id, 'claim')
    const third = await createRun(ann, id)
    mustBe(await end(first.id), 202)
    expect([await statusOf(first.id), await statusOf(third.id)]).toEqual(['canceled', 'plan_queued'])
    mustBe(await end(first.id), 409)
    const comments = mustBe(await ann.get(`/api/v2/runs/${first.id}/comments`), 200).body.data
    expect(comments.map(({ attributes }: { attributes: object }) => attributes)).toMatchObject([{ body: 'enough' }])
  })
})
