import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { doc, mustBe, type Person, type TeamCaller, team } from '../../../../test/support/platform.ts'
import {
  emptyState,
  md5Of,
  type StateBench,
  stateBench,
  stateDocument,
  stateOf,
} from '../../../../test/support/states.ts'

eachEngine((engine) => {
  let bench: StateBench
  let ann: Person
  let ops: TeamCaller

  beforeAll(async () => {
    bench = await stateBench(engine)
    ann = bench.ann
    ops = await team(bench.org, 'ops', { 'organization-access': { 'manage-workspaces': true } })
  })
  afterAll(() => bench.app.close())

  test('create: without write access to state the answer is the same 404 as for an unknown workspace', async () => {
    const id = await bench.locked()
    const readers = await team(bench.org, 'readers')
    await bench.app.deps.db
      .insertInto('team_workspace_access')
      .values({
        id: 'tws-1111111111111111',
        team_id: readers.id,
        workspace_id: id,
        access: 'read',
        runs: 'read',
        variables: 'read',
        state_versions: 'read',
        sentinel_mocks: 'none',
        workspace_locking: 0,
        run_tasks: 0,
        policy_overrides: 0,
      })
      .execute()
    const path = (workspace: string) => `/api/v2/workspaces/${workspace}/state-versions`
    mustBe(await readers.get(`/api/v2/workspaces/${id}`), 200)
    const refused = await readers.post(path(id), stateDocument(emptyState))
    const missing = await readers.post(path('ws-1111111111111111'), stateDocument(emptyState))
    expect([refused.status, missing.body]).toEqual([404, refused.body])
  })

  test('create: in an unlocked workspace it is 409', async () => {
    const id = await bench.workspace()
    const answer = await ann.post(`/api/v2/workspaces/${id}/state-versions`, stateDocument(emptyState))
    expect([answer.status, answer.body.errors[0].detail]).toEqual([409, expect.stringContaining('not locked')])
  })

  test('create: in a workspace locked by another it is 409 and names the holder', async () => {
    const id = await bench.workspace()
    mustBe(await ops.post(`/api/v2/workspaces/${id}/actions/lock`), 200)
    const answer = await ann.post(`/api/v2/workspaces/${id}/state-versions`, stateDocument(emptyState))
    expect([answer.status, answer.body.errors[0].detail]).toEqual([409, expect.stringContaining(`Team ${ops.name}`)])
  })

  test('create with content: is finalized at once, intermediate until unlocked, then current', async () => {
    const id = await bench.locked()
    const state = stateOf({ serial: 1, resources: 2, outputs: { ip: '10.0.0.1' } })
    const made = mustBe(await bench.announceWithContent(id, state), 201)
    expect(made.headers['x-terraform-snapshot-interval']).toBe('20')
    expect(made.body.data.attributes).toMatchObject({
      status: 'finalized',
      intermediate: true,
      serial: 1,
      size: state.length,
      'resources-processed': true,
      'resource-count': 2,
      'state-version': 4,
      'tool-version': '1.10.0',
      'hosted-state-upload-url': null,
    })
    expect((await bench.workspaceOf(id)).attributes['resource-count']).toBe(0)
    mustBe(await bench.unlock(id), 200)
    const workspace = await bench.workspaceOf(id)
    expect(workspace.attributes['resource-count']).toBe(2)
    expect(workspace.relationships['current-state-version'].data.id).toBe(made.body.data.id)
    expect(workspace.relationships.outputs.data).toHaveLength(1)
    const current = mustBe(await ann.get(`/api/v2/workspaces/${id}/current-state-version`), 200).body.data
    expect(current.attributes.intermediate).toBe(false)
    expect(await bench.download(current)).toEqual(state)
  })

  test('release: of several states written under one lock, only the newest stops being intermediate', async () => {
    const id = await bench.locked()
    const versions = [
      mustBe(await bench.announceWithContent(id, stateOf({ serial: 1 })), 201).body.data.id,
      mustBe(await bench.announceWithContent(id, stateOf({ serial: 2 }), { serial: 2 }), 201).body.data.id,
    ]
    mustBe(await bench.unlock(id), 200)
    const intermediate = async (version: string) =>
      mustBe(await ann.get(`/api/v2/state-versions/${version}`), 200).body.data.attributes.intermediate
    expect(await Promise.all(versions.map(intermediate))).toEqual([true, false])
  })

  test('release: a state becomes current only in its own workspace', async () => {
    const [id, other] = [await bench.locked(), await bench.locked()]
    mustBe(await bench.announceWithContent(other, stateOf({ serial: 1, resources: 1 })), 201)
    mustBe(await bench.unlock(other), 200)
    const before = await bench.workspaceOf(other)
    bench.app.clock.advance('1s')
    const made = mustBe(await bench.announceWithContent(id, stateOf({ serial: 1, resources: 2 })), 201).body.data
    mustBe(await bench.unlock(id), 200)
    expect((await bench.workspaceOf(id)).relationships['current-state-version'].data.id).toBe(made.id)
    expect(await bench.workspaceOf(other)).toEqual(before)
  })

  test('current: the lock holder sees its own intermediate state, others only the released one', async () => {
    const id = await bench.locked()
    mustBe(await bench.announceWithContent(id, stateOf({ serial: 1 })), 201)
    const path = `/api/v2/workspaces/${id}/current-state-version`
    mustBe(await ops.get(path), 404)
    expect(mustBe(await ann.get(path), 200).body.data.attributes.serial).toBe(1)
    mustBe(await bench.unlock(id), 200)
    expect(mustBe(await ops.get(path), 200).body.data.attributes.serial).toBe(1)
  })

  test('upload: a pending version is finalized by an upload of exactly the announced content, once', async () => {
    const id = await bench.locked()
    const state = stateOf({ serial: 1, resources: 1 })
    const made = mustBe(await bench.announce(id, state), 201).body.data
    expect(made.attributes).toMatchObject({ status: 'pending', 'hosted-state-download-url': null })
    mustBe(await bench.unlock(id), 503)
    const early = mustBe(await ann.get(`/api/v2/state-versions/${made.id}/outputs`), 503)
    expect(early.headers['retry-after']).toBe('1')
    const upload = made.attributes['hosted-state-upload-url']
    expect((await bench.put(upload, Buffer.from('{"other":1}'))).status).toBe(422)
    expect((await bench.put(upload, state.subarray(0, 20))).status).toBe(422)
    expect((await bench.put(`${upload.slice(0, -3)}abc`, state)).status).toBe(404)
    mustBe(await bench.put(upload, state), 200)
    expect((await bench.put(upload, state)).status).toBe(409)
    mustBe(await bench.put(made.attributes['hosted-json-state-upload-url'], Buffer.from('{"a":1}')), 200)
    const shown = mustBe(await ann.get(`/api/v2/state-versions/${made.id}`), 200).body.data
    expect(shown.attributes).toMatchObject({
      status: 'finalized',
      'resource-count': 1,
      'hosted-state-upload-url': null,
    })
    expect((await bench.get(shown.attributes['hosted-json-state-download-url'])).text).toBe('{"a":1}')
    expect((await bench.get(upload)).status).toBe(404)
    mustBe(await bench.unlock(id), 200)
  })

  test('upload: the JSON rendering belongs only to its own version', async () => {
    const id = await bench.locked()
    const before = mustBe(await bench.announceWithContent(id, stateOf({ serial: 1 })), 201).body.data
    const state = stateOf({ serial: 2 })
    const made = mustBe(await bench.announce(id, state, { serial: 2 }), 201).body.data
    mustBe(await bench.put(made.attributes['hosted-state-upload-url'], state), 200)
    mustBe(await bench.put(made.attributes['hosted-json-state-upload-url'], Buffer.from('{"a":1}')), 200)
    const rendered = async (version: string) =>
      mustBe(await ann.get(`/api/v2/state-versions/${version}`), 200).body.data.attributes[
        'hosted-json-state-download-url'
      ]
    expect(await (await fetch(await rendered(made.id))).json()).toEqual({ a: 1 })
    expect(await rendered(before.id)).toBeNull()
  })

  test('upload: the URL expires after 25 hours, and reading the version again gives a new one', async () => {
    const id = await bench.locked()
    const state = stateOf({ serial: 1 })
    const made = mustBe(await bench.announce(id, state), 201).body.data
    bench.app.clock.advance('26h')
    expect((await bench.put(made.attributes['hosted-state-upload-url'], state)).status).toBe(404)
    const again = mustBe(await ann.get(`/api/v2/state-versions/${made.id}`), 200).body.data
    mustBe(await bench.put(again.attributes['hosted-state-upload-url'], state), 200)
  })

  test('upload: only the creator of a state version sees its upload URL', async () => {
    const id = await bench.locked()
    const made = mustBe(await bench.announce(id, emptyState), 201).body.data
    const seen = mustBe(await ops.get(`/api/v2/state-versions/${made.id}`), 200).body.data
    expect(seen.attributes['hosted-state-upload-url']).toBeNull()
  })

  test('force-unlock: discards pending states, whose upload is then 409; keeps the newest complete state', async () => {
    const id = await bench.locked()
    const first = mustBe(await bench.announceWithContent(id, stateOf({ serial: 1, resources: 1 })), 201).body.data
    const late = stateOf({ serial: 2, resources: 9 })
    const pending = mustBe(await bench.announce(id, late, { serial: 2 }), 201).body.data
    const refused = await bench.unlock(id)
    expect([refused.status, refused.headers['retry-after'], refused.body.errors[0].detail]).toEqual([
      503,
      '1',
      expect.stringContaining('latest state version is still pending'),
    ])
    mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/force-unlock`), 200)
    expect((await bench.put(pending.attributes['hosted-state-upload-url'], late)).status).toBe(409)
    mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/lock`), 200)
    expect((await bench.put(pending.attributes['hosted-state-upload-url'], late)).status).toBe(409)
    const shown = mustBe(await ann.get(`/api/v2/state-versions/${pending.id}`), 200).body.data
    expect(shown.attributes.status).toBe('discarded')
    expect((await bench.workspaceOf(id)).relationships['current-state-version'].data.id).toBe(first.id)
  })

  test('expired lock: state can be neither announced nor uploaded under it (409)', async () => {
    const id = await bench.locked()
    mustBe(await bench.unlock(id), 200)
    mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/lock`, { 'expires-after': '30m' }), 200)
    const state = stateOf({ serial: 1 })
    const pending = mustBe(await bench.announce(id, state), 201).body.data
    bench.app.clock.advance('31m')
    const late = await bench.put(pending.attributes['hosted-state-upload-url'], state)
    expect([late.status, late.body.errors[0].code]).toEqual([409, 'state.lock-lost'])
    mustBe(await bench.announce(id, state), 409)
    mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/lock`), 200)
    mustBe(await bench.announceWithContent(id, state), 201)
  })

  test('upload: finalizing a later state discards an earlier one that is still pending (409)', async () => {
    const id = await bench.locked()
    const early = mustBe(await bench.announce(id, stateOf({ serial: 1 })), 201).body.data
    mustBe(await bench.announceWithContent(id, stateOf({ serial: 2 }), { serial: 2 }), 201)
    const answer = await bench.put(early.attributes['hosted-state-upload-url'], stateOf({ serial: 1 }))
    expect([answer.status, answer.body.errors[0].detail]).toEqual([409, expect.stringContaining('discarded')])
    mustBe(await bench.unlock(id), 200)
  })

  test('upload: of eight concurrent uploads one is 200, the others 409', async () => {
    const id = await bench.locked()
    const state = stateOf({ serial: 1 })
    const { attributes } = mustBe(await bench.announce(id, state), 201).body.data
    const all = await Promise.all(
      Array.from({ length: 8 }, () => bench.put(attributes['hosted-state-upload-url'], state)),
    )
    expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 409)])
  })

  test('upload racing with force-unlock: the state is either released or refused, never lost in between', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await bench.locked()
      const state = stateOf({ serial: 1, resources: 3 })
      const made = mustBe(await bench.announce(id, state), 201).body.data
      const [sent, released] = await Promise.all([
        bench.put(made.attributes['hosted-state-upload-url'], state),
        ann.post(`/api/v2/workspaces/${id}/actions/force-unlock`),
      ])
      mustBe(released, 200)
      const workspace = await bench.workspaceOf(id)
      const current = workspace.relationships['current-state-version'].data?.id ?? null
      expect([sent.status, current, workspace.attributes['resource-count']]).toEqual(
        sent.status === 200 ? [200, made.id, 3] : [409, null, 0],
      )
    }
  })

  test('safe-delete racing with state: a workspace that manages resources is never deleted', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await bench.locked()
      mustBe(await bench.announceWithContent(id, stateOf({ serial: 1, resources: 1 })), 201)
      const [released, deleted] = await Promise.all([
        bench.unlock(id),
        ann.post(`/api/v2/workspaces/${id}/actions/safe-delete`),
      ])
      expect([released.status, deleted.status]).toEqual([200, 409])
      mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200)
    }
  })

  test('history: a lower serial is 412; other content or lineage is 409; force overrides', async () => {
    const id = await bench.locked()
    const five = stateOf({ serial: 5 })
    mustBe(await bench.announceWithContent(id, five, { serial: 5, lineage: 'one' }), 201)
    expect((await bench.announceWithContent(id, stateOf({ serial: 4 }), { serial: 4 })).status).toBe(412)
    expect((await bench.announceWithContent(id, stateOf({ serial: 5, resources: 1 }), { serial: 5 })).status).toBe(409)
    const lineage = await bench.announceWithContent(id, stateOf({ serial: 6 }), { serial: 6, lineage: 'two' })
    expect([lineage.status, lineage.body.errors[0].detail]).toEqual([409, expect.stringContaining('Lineage mismatch')])
    mustBe(await bench.announceWithContent(id, stateOf({ serial: 4 }), { serial: 4, lineage: 'two', force: true }), 201)
    const again = mustBe(
      await bench.announceWithContent(id, stateOf({ serial: 4 }), { serial: 4, lineage: 'two' }),
      201,
    )
    expect(again.body.data.attributes.status).toBe('finalized')
  })

  test('list: newest first, by pages and status; both filters are required (422)', async () => {
    const id = await bench.locked()
    const name = (await bench.workspaceOf(id)).attributes.name
    for (const serial of [1, 2]) mustBe(await bench.announceWithContent(id, stateOf({ serial }), { serial }), 201)
    mustBe(await bench.announce(id, stateOf({ serial: 3 }), { serial: 3 }), 201)
    const of = `/api/v2/state-versions?filter[organization][name]=${bench.org.name}&filter[workspace][name]=${name}`
    const all = mustBe(await ann.get(of), 200).body
    expect(all.data.map((each: { attributes: { serial: number } }) => each.attributes.serial)).toEqual([3, 2, 1])
    const beyond = mustBe(await ann.get(`${of}&page[number]=999`), 200).body
    expect([beyond.data, beyond.meta.pagination['current-page'], beyond.meta.pagination['total-count']]).toEqual([
      [],
      999,
      3,
    ])
    const final = mustBe(await ann.get(`${of}&filter[status]=finalized`), 200).body
    expect([final.data.length, final.meta.pagination['total-count']]).toEqual([2, 2])
    mustBe(await ann.get(`${of}&filter[status]=odd`), 422)
    const missing = mustBe(await ann.get('/api/v2/state-versions?filter[workspace][name]=x'), 422)
    expect(missing.body.errors[0].source.parameter).toBe('filter[organization][name]')
    mustBe(await ann.get(of.replace(name, 'unknown')), 404)
  })

  test('include=created_by: includes a team only if the caller can see it', async () => {
    const id = await bench.workspace()
    mustBe(await ops.post(`/api/v2/workspaces/${id}/actions/lock`), 200)
    const made = mustBe(await ops.post(`/api/v2/workspaces/${id}/state-versions`, stateDocument(emptyState)), 201)
    const path = `/api/v2/state-versions/${made.body.data.id}?include=created_by`
    const others = await team(bench.org, 'others', { 'organization-access': { 'read-workspaces': true } })
    const included = async (caller: Person | TeamCaller) => mustBe(await caller.get(path), 200).body.included
    expect(await included(ann)).toMatchObject([{ type: 'teams', id: ops.id, attributes: { name: ops.name } }])
    expect(await included(others)).toEqual([])
  })

  test.each([
    ['encrypted', { meta: {}, encrypted_data: 'AAAA' }, { encrypted: true, 'state-version': null }],
    ['of format 3', { version: 3, modules: [{ path: ['root'], resources: { 'a.b': {} } }] }, { 'state-version': 3 }],
  ])(
    'state that is %s: stored as it is, outputs as announced, and safe-delete is 409',
    async (_kind, members, shown) => {
      const id = await bench.locked()
      const state = Buffer.from(JSON.stringify({ serial: 1, lineage: 'l', ...members }))
      const outputs = { ip: { sensitive: false, type: 'string', value: '10.0.0.1' } }
      const more = { 'json-state-outputs': Buffer.from(JSON.stringify(outputs)).toString('base64') }
      const made = mustBe(await bench.announce(id, state, more), 201).body.data
      mustBe(await bench.put(made.attributes['hosted-state-upload-url'], state), 200)
      mustBe(await bench.unlock(id), 200)
      const current = mustBe(await ann.get(`/api/v2/workspaces/${id}/current-state-version`), 200).body.data
      expect(current.attributes).toMatchObject({ ...shown, 'resource-count': 0, 'resource-count-known': false })
      expect(await bench.download(current)).toEqual(state)
      const listed = mustBe(await ann.get(`/api/v2/workspaces/${id}/current-state-version-outputs`), 200).body.data
      expect(listed[0].attributes).toMatchObject({ name: 'ip', value: '10.0.0.1' })
      mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/safe-delete`), 409)
    },
  )

  test('state: names with NUL characters are left out, and the file itself is unchanged', async () => {
    const id = await bench.locked()
    const outputs = { 'a\u0000b': { value: 1, type: 'number' }, ip: { value: 'x', type: 'string' } }
    const state = Buffer.from(JSON.stringify({ version: 4, serial: 1, terraform_version: '1\u0000', outputs }))
    const { data } = mustBe(await bench.announceWithContent(id, state), 201).body
    expect(data.attributes['tool-version']).toBeNull()
    expect(await bench.download(data)).toEqual(state)
    const listed = mustBe(await ann.get(`/api/v2/state-versions/${data.id}/outputs`), 200).body.data
    expect(listed.map(({ attributes }: { attributes: { name: string } }) => attributes.name)).toEqual(['ip'])
  })

  test('delete: deleting a workspace deletes the content of its states', async () => {
    const id = await bench.locked()
    const made = mustBe(await bench.announceWithContent(id, stateOf({ serial: 1 })), 201).body.data
    mustBe(await ann.delete(`/api/v2/workspaces/${id}`), 204)
    expect((await bench.get(made.attributes['hosted-state-download-url'])).status).toBe(404)
    const left = bench.app.deps.db.selectFrom('blobs').select('upload').where('scope', '=', id)
    expect(await left.execute()).toEqual([])
  })

  test('at rest: neither state nor outputs are readable in the database', async () => {
    const id = await bench.locked()
    mustBe(await bench.announceWithContent(id, stateOf({ serial: 1, secrets: { key: 'very-secret-word' } })), 201)
    const chunks = await bench.app.deps.db.selectFrom('blob_chunks').select('bytes').execute()
    const outputs = await bench.app.deps.db.selectFrom('state_version_outputs').select('value as bytes').execute()
    const found = [...chunks, ...outputs].some(({ bytes }) => Buffer.from(bytes).includes('very-secret-word'))
    expect([found, outputs.length > 0]).toEqual([false, true])
  })
})

describe('documents that are refused', () => {
  const announced = { serial: 1, md5: md5Of(emptyState) }
  let bench: StateBench
  beforeAll(async () => {
    bench = await stateBench('sqlite')
  })
  afterAll(() => bench.app.close())

  test.each([
    ['no serial', { md5: md5Of(emptyState) }, ['/data/attributes/serial']],
    ['no digest', { serial: 1 }, ['/data/attributes/md5']],
    ['neither', {}, ['/data/attributes/md5', '/data/attributes/serial']],
    ['a negative serial', { serial: -1, md5: md5Of(emptyState) }, ['/data/attributes/serial']],
    ['a short digest', { serial: 1, md5: 'abc' }, ['/data/attributes/md5']],
    ['a state that is no base64', { serial: 1, md5: md5Of(emptyState), state: '***' }, ['/data/attributes/state']],
    ['a state that is cut off', { serial: 1, md5: md5Of(emptyState), state: 'e30x1' }, ['/data/attributes/state']],
    ['a rendering of one digit', { ...announced, 'json-state': 'a' }, ['/data/attributes/json-state']],
    ['a rendering of padding', { ...announced, 'json-state': '=' }, ['/data/attributes/json-state']],
    ['two renderings', { ...announced, 'json-state': 'e30=e30=' }, ['/data/attributes/json-state']],
    ['a rendering with a blank', { ...announced, 'json-state': 'e3 0e30=' }, ['/data/attributes/json-state']],
    [
      'a long rendering with a blank near its end',
      { ...announced, 'json-state': `${'e30x'.repeat(20_000)}e3 x` },
      ['/data/attributes/json-state'],
    ],
    ['a rendering in the URL alphabet', { ...announced, 'json-state': 'e3-_' }, ['/data/attributes/json-state']],
    ['a rendering in other letters', { ...announced, 'json-state': 'ť30=' }, ['/data/attributes/json-state']],
    ['another digest', { serial: 1, md5: md5Of(emptyState), state: 'e30=' }, ['/data/attributes/md5']],
    ['no JSON', { serial: 1, md5: md5Of(Buffer.from('oops')), state: 'b29wcw==' }, ['/data/attributes/state']],
    ['nothing', { serial: 1, md5: md5Of(Buffer.alloc(0)), state: '' }, ['/data/attributes/state']],
    ['a list of outputs', { ...announced, 'json-state-outputs': 'W10=' }, ['/data/attributes/json-state-outputs']],
    [
      'outputs that are no JSON',
      { ...announced, 'json-state-outputs': 'eA==' },
      ['/data/attributes/json-state-outputs'],
    ],
  ])('create: %s is 422 with pointers, and nothing is stored', async (_name, attributes, places) => {
    const id = await bench.locked()
    const path = `/api/v2/workspaces/${id}/state-versions`
    const answer = mustBe(await bench.ann.post(path, doc('state-versions', attributes)), 422)
    const found = answer.body.errors.map((each: { source: { pointer: string } }) => each.source.pointer).sort()
    expect(found).toEqual(places)
    expect(answer.text).not.toContain('param is missing or the value is empty: state')
    mustBe(await bench.ann.get(`/api/v2/workspaces/${id}/current-state-version`), 404)
  })

  test.each([70_000, 70_001, 70_002])('create: a long state is taken, whatever its padding (%i)', async (length) => {
    const state = stateOf({ outputs: { long: 'x'.repeat(length) } })
    mustBe(await bench.announceWithContent(await bench.locked(), state), 201)
  })
})

test('intermediate states: with the interval setting 0 the header x-terraform-snapshot-interval is 0', async () => {
  const bench = await stateBench('sqlite', { settings: { stateSnapshotInterval: 0 } })
  const made = mustBe(await bench.announceWithContent(await bench.locked(), stateOf({ serial: 1 })), 201)
  expect(made.headers['x-terraform-snapshot-interval']).toBe('0')
  await bench.app.close()
})
