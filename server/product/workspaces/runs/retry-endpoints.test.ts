import { expect, test } from 'vitest'
import { archiveOf } from '../../../../test/support/archives.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import { doc, mustBe, organization, person, team } from '../../../../test/support/platform.ts'
import {
  createRun,
  enableRuns,
  executed,
  runnableWorkspace,
  uploadArchive,
  uploadedConfiguration,
} from '../../../../test/support/runs.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const org = shared(async () => {
    const acme = await organization(ann, 'acme')
    await enableRuns(acme)
    return acme
  })
  const runsOf = async (id: string) =>
    mustBe(await ann.get(`/api/v2/workspaces/${id}/runs?filter[operation]=plan_only,plan_and_apply`), 200).body.data
  const newVersion = async (id: string, attributes: object = {}) =>
    mustBe(
      await ann.post(`/api/v2/workspaces/${id}/configuration-versions`, doc('configuration-versions', attributes)),
      201,
    ).body.data

  test('an upload queues one run, also when it is repeated; another content is refused then', async () => {
    const id = await runnableWorkspace(app, org, { 'auto-apply': true })
    const { attributes } = await newVersion(id)
    const url = attributes['upload-url']
    const archive = archiveOf()
    const answers = await Promise.all([uploadArchive(app, url, archive), uploadArchive(app, url, archive)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    mustBe(await uploadArchive(app, url, archive), 200)
    const runs = await runsOf(id)
    expect(runs).toHaveLength(1)
    expect(runs[0]).toMatchObject({
      attributes: { source: 'tfe-configuration-version', 'auto-apply': true, status: 'plan_queued' },
      relationships: { 'created-by': { data: { id: ann.id } } },
    })
    mustBe(await uploadArchive(app, url, archiveOf([{ path: 'other.tf', body: 'locals {}' }])), 409)
  })

  test('a speculative upload queues a plan, and one that says so queues nothing', async () => {
    const id = await runnableWorkspace(app, org)
    await uploadedConfiguration(app, ann, id)
    expect(await runsOf(id)).toEqual([])
    await uploadedConfiguration(app, ann, id, { 'auto-queue-runs': true, speculative: true })
    const [run] = await runsOf(id)
    expect(run.attributes).toMatchObject({ 'plan-only': true, status: 'plan_queued' })
  })

  test('an upload stands where no run can be queued', async () => {
    const id = await runnableWorkspace(app, org)
    const { attributes } = await newVersion(id)
    mustBe(await ann.patch(`/api/v2/workspaces/${id}`, doc('workspaces', { 'execution-mode': 'local' })), 200)
    mustBe(await uploadArchive(app, attributes['upload-url'], archiveOf()), 200)
    expect(await runsOf(id)).toEqual([])
  })

  test('retrying: not for those who only read, and not before the run has ended', async () => {
    const id = await runnableWorkspace(app, org)
    const { id: run } = await createRun(ann, id)
    const readers = await team(org, 'retry-readers', { 'organization-access': { 'read-workspaces': true } })
    mustBe(await readers.post(`/api/v2/runs/${run}/actions/retry`, {}), 404)
    mustBe(await ann.post(`/api/v2/runs/${run}/actions/retry`, {}), 409)
    expect(await runsOf(id)).toHaveLength(1)
  })

  test('retrying: the same configuration and options, and the variables of the workspace as they are now', async () => {
    const id = await runnableWorkspace(app, org)
    const secret = { key: 'password', value: 'a', category: 'terraform', sensitive: true }
    mustBe(await ann.post(`/api/v2/workspaces/${id}/vars`, doc('vars', secret)), 201)
    const variables = [
      { key: 'password', value: '"own"' },
      { key: 'size', value: '1' },
    ]
    const options = { message: 'Once', 'target-addrs': ['a.b'], refresh: false, 'auto-apply': true, variables }
    const old = await createRun(ann, id, options)
    await executed(app.deps, old.id, 'claim')
    await executed(app.deps, old.id, 'finish', { result: { outcome: 'errored' } })
    const made = mustBe(await ann.post(`/api/v2/runs/${old.id}/actions/retry`, { comment: 'again' }), 201).body.data
    expect(made.attributes).toMatchObject({
      message: 'Once',
      'target-addrs': ['a.b'],
      refresh: false,
      'auto-apply': true,
      source: 'retry',
      'trigger-reason': 'retry',
      variables: [{ key: 'size', value: '1' }],
    })
    expect(made.relationships['configuration-version'].data).toEqual(old.relationships['configuration-version'].data)
    const actions = async (run: string): Promise<string[]> =>
      mustBe(await ann.get(`/api/v2/runs/${run}/run-events`), 200).body.data.map(
        (each: { attributes: { action: string } }) => each.attributes.action,
      )
    expect(await actions(old.id)).toEqual(expect.arrayContaining(['errored', 'retried', 'commented']))
    expect(await actions(made.id)).toContain('variables_overridden')
  })

  test('retrying: 422 once the content of the configuration is gone', async () => {
    const id = await runnableWorkspace(app, org)
    const old = await createRun(ann, id)
    mustBe(await ann.post(`/api/v2/runs/${old.id}/actions/cancel`, {}), 202)
    await uploadedConfiguration(app, ann, id)
    const version = old.relationships['configuration-version'].data.id
    mustBe(await ann.post(`/api/v2/configuration-versions/${version}/actions/archive`), 202)
    mustBe(await ann.post(`/api/v2/runs/${old.id}/actions/retry`, {}), 422)
  })
})
