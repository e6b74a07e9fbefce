import { expect, test } from 'vitest'
import type { Client } from '../../../../test/support/client.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import {
  doc,
  mustBe,
  organization,
  organizationToken,
  person,
  pointers,
  team,
  workspaceIn,
} from '../../../../test/support/platform.ts'
import {
  createRun,
  enableRuns,
  newRun,
  runnableWorkspace,
  uploadedConfiguration,
} from '../../../../test/support/runs.ts'
import { builtInRunner } from '../../../../test/support/scripted-runner.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const eve = shared(() => person(app, 'eve'))
  const org = shared(async () => {
    const acme = await organization(ann, 'acme')
    await enableRuns(acme)
    return acme
  })
  const readers = shared(() => team(org, 'readers', { 'organization-access': { 'read-workspaces': true } }))

  const runnable = (attributes: object = {}) => runnableWorkspace(app, org, attributes)
  const show = async (id: string, by: Client = ann) => mustBe(await by.get(`/api/v2/runs/${id}`), 200).body.data
  const statusOf = async (id: string) => (await show(id)).attributes.status
  const listed = async (path: string) => mustBe(await ann.get(path), 200).body.data.map(({ id }: { id: string }) => id)

  test('creating: who may not queue runs gets 404, whatever else is wrong, and nothing is made', async () => {
    const id = await runnable()
    for (const caller of [readers, eve, await organizationToken(org)]) {
      mustBe(await caller.post('/api/v2/runs', newRun(id)), 404)
      mustBe(await caller.post('/api/v2/runs', newRun(id, { refresh: 'no' })), 404)
    }
    mustBe(await ann.post('/api/v2/runs', newRun('ws-1111111111111111')), 404)
    expect(await listed(`/api/v2/workspaces/${id}/runs`)).toEqual([])
  })

  test('creating: a destroy run that can be applied is for those who may queue destroys', async () => {
    const id = await runnable({ 'allow-destroy-plan': false })
    const refused = mustBe(await ann.post('/api/v2/runs', newRun(id, { 'is-destroy': true })), 422)
    expect(pointers(refused)).toEqual(['/data/attributes/is-destroy'])
    mustBe(await ann.post('/api/v2/runs', newRun(id, { 'is-destroy': true, 'plan-only': true })), 201)
  })

  test('creating: all faults of a document are told together', async () => {
    const id = await runnable()
    const without = mustBe(await ann.post('/api/v2/runs', doc('runs')), 422)
    expect(pointers(without)).toEqual(['/data/relationships/workspace'])
    const refused = await ann.post(
      '/api/v2/runs',
      newRun(id, {
        'auto-apply': 'yes',
        'is-destroy': true,
        'refresh-only': true,
        'plan-only': true,
        'save-plan': true,
        'target-addrs': ['fine', 'not\nfine'],
        'terraform-version': 'never',
        variables: [{ key: 'a', value: 'x'.repeat(300_000) }],
      }),
    )
    expect(pointers(mustBe(refused, 422))).toEqual([
      '/data/attributes/auto-apply',
      '/data/attributes/refresh-only',
      '/data/attributes/save-plan',
      '/data/attributes/target-addrs/1',
      '/data/attributes/terraform-version',
      '/data/attributes/variables/0/value',
    ])
  })

  test.each<[string, object, string]>([
    ['refresh-only without refresh', { 'refresh-only': true, refresh: false }, 'refresh-only'],
    ['refresh-only with replacements', { 'refresh-only': true, 'replace-addrs': ['a.b'] }, 'refresh-only'],
    ['a version without plan-only', { 'terraform-version': '1.0.0' }, 'terraform-version'],
    ['an unknown version', { 'terraform-version': '99.0.0', 'plan-only': true }, 'terraform-version'],
    ['actions that the tool cannot invoke', { 'invoke-action-addrs': ['action.a.b'] }, 'invoke-action-addrs'],
  ])('creating: %s is 422', async (_, attributes, name) => {
    const refused = mustBe(await ann.post('/api/v2/runs', newRun(await runnable(), attributes)), 422)
    expect(new Set(pointers(refused))).toEqual(new Set([`/data/attributes/${name}`]))
  })

  test('creating: a workspace that is local, without configuration, or in an organization without runs is 422', async () => {
    const local = await runnable({ 'execution-mode': 'local' })
    expect(pointers(mustBe(await ann.post('/api/v2/runs', newRun(local)), 422))).toEqual([
      '/data/relationships/workspace',
    ])
    const empty = await workspaceIn(org)
    const missing = ['/data/relationships/configuration-version']
    expect(pointers(mustBe(await ann.post('/api/v2/runs', newRun(empty)), 422))).toEqual(missing)
    const pending = mustBe(await ann.post(`/api/v2/workspaces/${empty}/configuration-versions`, doc('x-x')), 422)
    expect(pending.status).toBe(422)
    const made = await ann.post(`/api/v2/workspaces/${empty}/configuration-versions`, doc('configuration-versions'))
    const id = mustBe(made, 201).body.data.id
    expect(pointers(mustBe(await ann.post('/api/v2/runs', newRun(empty, {}, id)), 422))).toEqual(missing)
    const other = await organization(ann, 'without-runs')
    const off = await workspaceIn(other)
    const without = doc('organizations', { 'remote-execution-enabled': false })
    mustBe(await ann.patch('/api/v2/organizations/without-runs', without), 200)
    expect(pointers(mustBe(await ann.post('/api/v2/runs', newRun(off)), 422))).toContain('/data')
  })

  test('creating: a speculative configuration only plans', async () => {
    const id = await runnable()
    const version = await uploadedConfiguration(app, ann, id, { speculative: true })
    const refused = mustBe(await ann.post('/api/v2/runs', newRun(id, { 'plan-only': false }, version)), 422)
    expect(pointers(refused)).toEqual(['/data/attributes/plan-only'])
    const made = mustBe(await ann.post('/api/v2/runs', newRun(id, {}, version)), 201).body.data
    expect(made.attributes['plan-only']).toBe(true)
  })

  test('a new run is pending, with everything that clients look for', async () => {
    const id = await runnable({ 'auto-apply': true })
    const variables = [{ key: 'greeting', value: 'Hello, World!' }]
    const sent = { message: 'First', refresh: false, 'target-addrs': ['a.b'], 'replace-addrs': [], variables }
    const run = await createRun(ann, id, sent)
    expect(run).toMatchObject({
      type: 'runs',
      attributes: {
        status: 'pending',
        message: 'First',
        refresh: false,
        'target-addrs': ['a.b'],
        'replace-addrs': null,
        'auto-apply': true,
        'plan-only': false,
        source: 'tfe-api',
        'trigger-reason': 'manual',
        'has-changes': false,
        'status-timestamps': { 'plan-queueable-at': expect.any(String) },
        'position-in-queue': expect.any(Number),
        variables,
        error: null,
        permissions: { 'can-apply': true, 'can-override-policy-check': false },
      },
      relationships: {
        workspace: { data: { id } },
        plan: { data: { type: 'plans' } },
        apply: { data: { type: 'applies' } },
        'created-by': { data: { type: 'users', id: ann.id } },
        'confirmed-by': { data: null },
        'cost-estimate': { data: null },
        'task-stages': { data: [] },
        'policy-checks': { data: [] },
      },
      links: { self: `/api/v2/runs/${run.id}` },
    })
    expect(run.relationships['run-events'].data).toHaveLength(1)
    expect(await show(run.id)).toEqual(await show(run.id))
  })

  test('a run that waits for nothing is queued, holds its workspace, and says that there is no runner', async () => {
    const id = await runnable()
    const { id: run } = await createRun(ann, id)
    expect((await show(run)).attributes).toMatchObject({
      status: 'plan_queued',
      'deadline-at': null,
      'wait-reason': { code: 'no-runner' },
    })
    const { attributes, relationships } = mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200).body.data
    expect(attributes).toMatchObject({ locked: true, 'locked-reason': `Run ${run}` })
    expect(relationships).toMatchObject({
      'locked-by': { data: { type: 'runs', id: run } },
      'current-run': { data: { type: 'runs', id: run } },
      'latest-run': { data: { type: 'runs', id: run } },
    })
    const included = mustBe(await ann.get(`/api/v2/workspaces/${id}?include=current_run.plan,locked_by`), 200).body
      .included
    expect(included.map(({ type }: { type: string }) => type).sort()).toEqual(['plans', 'runs'])
    for (const [action, text] of [
      ['lock', `is locked by Run ${run}`],
      ['unlock', `is locked by Run ${run}`],
    ] as const) {
      const refused = mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/${action}`), 409)
      expect(refused.body.errors[0].detail).toContain(text)
    }
  })

  test('runs of one workspace wait for each other, and the next begins when one ends', async () => {
    const id = await runnable()
    const [first, second, third] = [await createRun(ann, id), await createRun(ann, id), await createRun(ann, id)]
    expect((await show(second.id)).attributes).toMatchObject({
      status: 'pending',
      'wait-reason': { code: 'behind-run', details: { 'run-id': first.id } },
    })
    mustBe(await ann.post(`/api/v2/runs/${first.id}/actions/cancel`, {}), 202)
    expect([await statusOf(first.id), await statusOf(second.id), await statusOf(third.id)]).toEqual([
      'canceled',
      'plan_queued',
      'pending',
    ])
    mustBe(await ann.post(`/api/v2/runs/${third.id}/actions/discard`, {}), 202)
    mustBe(await ann.post(`/api/v2/runs/${second.id}/actions/cancel`, {}), 202)
    const { attributes, relationships } = mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200).body.data
    expect([attributes.locked, relationships['current-run'].data.id]).toEqual([false, second.id])
  })

  test('a plan-only run waits for nobody', async () => {
    const id = await runnable()
    await createRun(ann, id)
    const beside = await createRun(ann, id, { 'plan-only': true })
    expect(await statusOf(beside.id)).toBe('plan_queued')
    expect(await listed(`/api/v2/workspaces/${id}/runs`)).not.toContain(beside.id)
    expect(await listed(`/api/v2/workspaces/${id}/runs?filter[operation]=plan_only,plan_and_apply`)).toHaveLength(2)
  })

  test('a workspace that is locked by hand holds up its run, which begins when it is unlocked', async () => {
    const id = await runnable()
    mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/lock`, { reason: 'mine' }), 200)
    const { id: run } = await createRun(ann, id)
    const waiting = await show(run)
    expect(waiting.attributes).toMatchObject({ status: 'pending', 'wait-reason': { code: 'locked-by-user' } })
    expect(waiting.attributes['wait-reason'].message).toContain('User ann')
    expect(mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200).body.data.relationships['current-run'].data.id).toBe(
      run,
    )
    mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/unlock`), 200)
    expect(await statusOf(run)).toBe('plan_queued')
  })

  test('force-unlock ends the run that holds the workspace, and the next one takes it', async () => {
    const id = await runnable()
    const [first, second] = [await createRun(ann, id), await createRun(ann, id)]
    mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/force-unlock`), 200)
    expect([await statusOf(first.id), await statusOf(second.id)]).toEqual(['canceled', 'plan_queued'])
    const { relationships } = mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200).body.data
    expect(relationships['locked-by'].data).toEqual({ type: 'runs', id: second.id })
  })

  test('force-execute lets a run go first; one that is first already is 409', async () => {
    const id = await runnable()
    const [first, second, third] = [await createRun(ann, id), await createRun(ann, id), await createRun(ann, id)]
    mustBe(await ann.post(`/api/v2/runs/${first.id}/actions/force-execute`, {}), 409)
    mustBe(await ann.post(`/api/v2/runs/${third.id}/actions/force-execute`, {}), 202)
    expect([await statusOf(first.id), await statusOf(second.id), await statusOf(third.id)]).toEqual([
      'canceled',
      'pending',
      'plan_queued',
    ])
  })

  test('a workspace that becomes local discards what waits', async () => {
    const id = await runnable()
    const [first, second] = [await createRun(ann, id), await createRun(ann, id)]
    mustBe(await ann.patch(`/api/v2/workspaces/${id}`, doc('workspaces', { 'execution-mode': 'local' })), 200)
    expect([await statusOf(first.id), await statusOf(second.id)]).toEqual(['plan_queued', 'discarded'])
  })

  test('actions: who may not apply gets 404; a canceled run shows when it can be forced, a repeated cancel is 202', async () => {
    const id = await runnable()
    const { id: run } = await createRun(ann, id)
    for (const action of ['apply', 'discard', 'cancel', 'force-cancel', 'force-execute']) {
      for (const caller of [readers, eve]) mustBe(await caller.post(`/api/v2/runs/${run}/actions/${action}`, {}), 404)
    }
    mustBe(await ann.post(`/api/v2/runs/${run}/actions/apply`, {}), 409)
    mustBe(await ann.post(`/api/v2/runs/${run}/actions/force-cancel`, {}), 409)
    mustBe(await ann.post(`/api/v2/runs/${run}/actions/cancel`, { comment: 'No longer needed.' }), 202)
    mustBe(await ann.post(`/api/v2/runs/${run}/actions/cancel`, {}), 202)
    const { attributes, relationships } = await show(run)
    expect(attributes).toMatchObject({ status: 'canceled', 'canceled-at': expect.any(String) })
    expect(attributes['force-cancel-available-at'] > attributes['canceled-at']).toBe(true)
    expect(relationships['canceled-by'].data.id).toBe(ann.id)
    const comments = mustBe(await ann.get(`/api/v2/runs/${run}/comments`), 200).body.data
    expect(comments).toMatchObject([{ type: 'comments', attributes: { body: 'No longer needed.' } }])
    mustBe(await ann.post(`/api/v2/runs/run-1111111111111111/actions/cancel`, {}), 404)
  })

  test('a key makes one run of repeated requests, and of others another', async () => {
    const id = await runnable()
    const send = (key: string) => ann.post('/api/v2/runs', newRun(id), { headers: { 'Idempotency-Key': key } })
    const ids = [await send('one'), await send('one'), await send('two')].map(
      (answer) => mustBe(answer, 201).body.data.id,
    )
    expect(new Set(ids).size).toBe(2)
    expect(ids[0]).toBe(ids[1])
    mustBe(await send('x'.repeat(129)), 400)
  })

  test('a run keeps the variables and settings that it was created with; sensitive names are shown without value', async () => {
    const id = await runnable({ 'terraform-version': '1.9.4' })
    const secret = { key: 'password', value: 'hidden', category: 'terraform', sensitive: true }
    mustBe(await ann.post(`/api/v2/workspaces/${id}/vars`, doc('vars', secret)), 201)
    const variables = [
      { key: 'password', value: '"other"' },
      { key: 'size', value: '1' },
      { key: 'size', value: '2' },
    ]
    const run = await createRun(ann, id, { variables })
    const kept = [
      { key: 'password', value: null },
      { key: 'size', value: '2' },
    ]
    expect(run.attributes.variables).toEqual(kept)
    mustBe(await ann.patch(`/api/v2/workspaces/${id}`, doc('workspaces', { 'terraform-version': '1.8.1' })), 200)
    mustBe(await ann.post(`/api/v2/runs/${run.id}/actions/cancel`, {}), 202)
    const { attributes } = await show(run.id)
    expect([attributes['tool-version'], attributes['terraform-version'], attributes.variables]).toEqual([
      '1.9.4',
      '1.9.4',
      kept,
    ])
    const stored = await app.deps.db
      .selectFrom('run_variables')
      .select(['origin', 'key', 'sensitive', 'value'])
      .where('run_id', '=', run.id)
      .orderBy('position')
      .execute()
    expect(stored.map(({ origin, key }) => [origin, key])).toEqual([
      ['run', 'password'],
      ['run', 'size'],
    ])
    expect(stored.filter(({ sensitive }) => sensitive === 1).every(({ value }) => value.length === 0)).toBe(true)
  })

  test('lists: newest first with totals, by status, source, operation and person', async () => {
    const id = await runnable()
    const [first, second] = [await createRun(ann, id), await createRun(ann, id)]
    const path = `/api/v2/workspaces/${id}/runs`
    const all = mustBe(await ann.get(`${path}?include=workspace`), 200).body
    expect(all.data.map((run: { id: string }) => run.id)).toEqual([second.id, first.id])
    expect([all.meta.pagination['total-count'], all.included[0].id]).toEqual([2, id])
    const found: Record<string, string[]> = {
      'filter[status]=pending': [second.id],
      'filter[source]=tfe-api': [second.id, first.id],
      'filter[operation]=save_plan': [],
      'filter[status_group]=final': [],
      'filter[status_group]=non_final&filter[timeframe]=year': [second.id, first.id],
      'filter[timeframe]=1999': [],
      'search[user]=ann': [second.id, first.id],
      'search[user]=eve': [],
      'search[user]=ann&search[commit]=abc': [],
      [`search[basic]=${first.id}`]: [first.id],
      [`search[basic]=${first.id}&search[user]=eve`]: [],
    }
    for (const [query, ids] of Object.entries(found))
      expect([query, await listed(`${path}?${query}`)]).toEqual([query, ids])
    for (const query of ['filter[timeframe]=soon', 'filter[status_group]=some', 'include=workpsace'])
      mustBe(await ann.get(`${path}?${query}`), 400)
    for (const include of ['task_stages', 'policy-checks', 'cost_estimate', 'tf_policy_evaluations', 'created_by']) {
      mustBe(await ann.get(`/api/v2/runs/${first.id}?include=${include}`), 200)
    }
  })

  test('an organization lists what the caller sees without counting, its queue in order, and its capacity', async () => {
    const other = await organization(ann, 'queues')
    await enableRuns(other)
    const [one, two] = [await runnableWorkspace(app, other, { name: 'one' }), await runnableWorkspace(app, other)]
    const ids: string[] = []
    for (const workspace of [one, one, two]) {
      ids.push((await createRun(ann, workspace)).id)
      app.clock.advance('1s')
    }
    const list = mustBe(await ann.get('/api/v2/organizations/queues/runs?page[size]=2'), 200).body
    expect(list.data).toHaveLength(2)
    expect(list.meta.pagination).toEqual({ 'current-page': 1, 'page-size': 2, 'prev-page': null, 'next-page': 2 })
    expect(await listed('/api/v2/organizations/queues/runs?filter[workspace_names]=one')).toHaveLength(2)
    expect(await listed('/api/v2/organizations/queues/runs?filter[agent_pool_names]=none')).toEqual([])
    const queue = mustBe(await ann.get('/api/v2/organizations/queues/runs/queue'), 200).body.data
    expect(queue.map((run: { id: string }) => run.id)).toEqual([ids[0], ids[2], ids[1]])
    type Positioned = { attributes: Record<string, number> }
    expect(queue.map((run: Positioned) => run.attributes['position-in-queue'])).toEqual([0, 1, 2])
    const capacity = mustBe(await ann.get('/api/v2/organizations/queues/capacity'), 200).body.data
    expect(capacity).toMatchObject({
      type: 'organization-capacity',
      id: 'queues',
      attributes: { pending: 3, running: 0, limit: 10, 'runners-online': 0 },
    })
    await builtInRunner(app)
    const now = mustBe(await ann.get('/api/v2/organizations/queues/capacity'), 200).body.data
    expect(now.attributes['runners-online']).toBe(1)
    const nobody = await team(other, 'nobody')
    expect(mustBe(await nobody.get('/api/v2/organizations/queues/runs/queue'), 200).body.data).toEqual([])
    expect(mustBe(await nobody.get('/api/v2/organizations/queues/runs'), 200).body.data).toEqual([])
    for (const path of ['runs', 'runs/queue', 'capacity'])
      mustBe(await eve.get(`/api/v2/organizations/queues/${path}`), 404)
  })

  test('workspaces are found by the status of their current run', async () => {
    const other = await organization(ann, 'statuses')
    await enableRuns(other)
    const [one, two] = [await runnableWorkspace(app, other), await runnableWorkspace(app, other)]
    const none = await workspaceIn(other)
    const { id } = await createRun(ann, one)
    const found = (query: string) => listed(`/api/v2/organizations/statuses/workspaces?${query}`)
    expect(await found('filter[current-run][status]=plan_queued,planning')).toEqual([one])
    mustBe(await ann.post(`/api/v2/runs/${id}/actions/cancel`, {}), 202)
    expect(await found('filter[current-run][status]=plan_queued')).toEqual([])
    expect(await found('filter[current-run][status]=canceled')).toEqual([one])
    app.clock.advance('1s')
    await createRun(ann, two)
    expect(await found('sort=current-run.created-at')).toEqual([one, two, none])
    expect(await found('sort=-current-run.created-at')).toEqual([two, one, none])
  })

  test('run-events link to actors without include, and comments are kept in order', async () => {
    const id = await runnable()
    const { id: run } = await createRun(ann, id)
    const path = `/api/v2/runs/${run}`
    mustBe(await readers.post(`${path}/comments`, doc('comments', { body: 'mine' })), 404)
    expect(pointers(mustBe(await ann.post(`${path}/comments`, doc('comments', { body: ' ' })), 422))).toEqual([
      '/data/attributes/body',
    ])
    for (const body of ['one', 'two']) mustBe(await ann.post(`${path}/comments`, doc('comments', { body })), 201)
    const comments = mustBe(await ann.get(`${path}/comments`), 200).body.data
    expect(comments.map((each: { attributes: { body: string } }) => each.attributes.body)).toEqual(['one', 'two'])
    expect(mustBe(await ann.get(`/api/v2/comments/${comments[0].id}`), 200).body.data).toEqual(comments[0])
    const events = mustBe(await ann.get(`${path}/run-events`), 200).body
    expect(events.data.map((each: { attributes: { action: string } }) => each.attributes.action)).toEqual([
      'created',
      'queued',
      'commented',
      'commented',
    ])
    expect(events.data[0].relationships.actor.data).toEqual({ type: 'users', id: ann.id })
    expect(events.data[2].relationships.comment.data).toEqual({ type: 'comments', id: comments[0].id })
    expect(events.included).toBeUndefined()
    const along = mustBe(await ann.get(`${path}/run-events?include=actor,comment`), 200).body.included
    expect(along.map(({ type }: { type: string }) => type)).toEqual(['users', 'comments', 'comments'])
    expect(mustBe(await ann.get(`/api/v2/run-events/${events.data[0].id}`), 200).body.data).toEqual(events.data[0])
    expect((await show(run)).relationships.comments.data).toHaveLength(2)
    mustBe(await eve.get(`/api/v2/run-events/${events.data[0].id}`), 404)
  })

  test('the logs of phases that never ran begin, say why, and end; the address alone opens them', async () => {
    const id = await runnable()
    await createRun(ann, id)
    const { id: run, relationships } = await createRun(ann, id)
    mustBe(await ann.post(`/api/v2/runs/${run}/actions/discard`, {}), 202)
    const phase = async (type: 'plans' | 'applies') => {
      const { data } = relationships[type === 'plans' ? 'plan' : 'apply']
      return mustBe(await ann.get(`/api/v2/${type}/${data.id}`), 200).body.data.attributes
    }
    const read = async (url: string, query = '') =>
      mustBe(await app.anonymous.get(`${new URL(url).pathname}${query}`), 200).text
    const plan = await phase('plans')
    expect(plan).toMatchObject({ status: 'unreachable', 'has-changes': false, 'resource-additions': null })
    expect(await read(plan['log-read-url'])).toBe('\u0002The run was discarded.\n\u0003')
    expect(await read(plan['log-read-url'], '?limit=4&offset=1')).toBe('The ')
    expect(await read(plan['log-read-url'], '?limit=x&offset=9999')).toBe('')
    const apply = await phase('applies')
    const lines = (await read(apply['log-read-url'])).split('\n')
    expect([lines.length, lines[0]?.startsWith('\u0002'), lines[3], lines[4]]).toEqual([
      5,
      true,
      'The run was discarded.',
      '\u0003',
    ])
    const path = new URL(plan['log-read-url']).pathname
    mustBe(await app.anonymous.get(`${path.slice(0, -3)}${path.endsWith('abc') ? 'xyz' : 'abc'}`), 404)
    mustBe(await eve.get(`/api/v2/plans/${relationships.plan.data.id}`), 404)
    expect(mustBe(await ann.get(`/api/v2/runs/${run}/plan`), 200).body.data.id).toBe(relationships.plan.data.id)
  })

  test('safe delete is refused while a run holds the workspace; by force everything goes', async () => {
    const id = await runnable()
    const { id: run } = await createRun(ann, id)
    const refused = mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/safe-delete`), 409)
    expect(refused.body.errors[0].detail).toContain('locked')
    mustBe(await ann.delete(`/api/v2/workspaces/${id}`), 204)
    mustBe(await ann.get(`/api/v2/runs/${run}`), 404)
  })
})
