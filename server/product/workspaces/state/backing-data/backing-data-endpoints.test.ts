import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { doc, mustBe, team } from '../../../../../test/support/platform.ts'
import { type StateBench, stateBench, stateOf } from '../../../../../test/support/states.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import type { StateVersionId } from '../state-version.ts'
import { retentionJob } from './backing-data-actions.ts'
import { moveBackingData } from './backing-data-store.ts'

eachEngine((engine) => {
  let bench: StateBench

  beforeAll(async () => {
    bench = await stateBench(engine)
  })
  afterAll(() => bench.app.close())

  const act = (id: string, action: string) =>
    bench.ann.post(`/api/v2/state-versions/${id}/actions/${action}_backing_data`)
  const statusOf = async (id: string) =>
    mustBe(await bench.ann.get(`/api/v2/state-versions/${id}`), 200).body.data.attributes.status
  const runJob = (signal = new AbortController().signal) =>
    retentionJob.run(bench.app.deps, {
      kind: retentionJob.name,
      key: '',
      payload: undefined,
      fence: 1,
      revision: 0,
      signal,
      renew: async () => true,
      rescheduleAt: () => undefined,
    })

  /** A workspace with this many released versions. */
  const history = async (count: number): Promise<{ id: string; versions: string[] }> => {
    const id = await bench.workspace()
    const versions: string[] = []
    for (let serial = 1; serial <= count; serial++) {
      mustBe(await bench.ann.post(`/api/v2/workspaces/${id}/actions/lock`), 200)
      const made = mustBe(
        await bench.announceWithContent(id, stateOf({ serial, outputs: { serial } }), { serial }),
        201,
      )
      versions.push(made.body.data.id)
      mustBe(await bench.unlock(id), 200)
    }
    return { id, versions }
  }

  test('content: can be soft-deleted, restored and deleted for good; other versions keep theirs', async () => {
    const { versions } = await history(2)
    const [old = '', current = ''] = versions
    const { data } = mustBe(await bench.ann.get(`/api/v2/state-versions/${old}`), 200).body
    const url = data.attributes['hosted-state-download-url']
    mustBe(await bench.get(url), 200)
    expect(mustBe(await act(old, 'soft_delete'), 200).body.data.attributes).toMatchObject({
      status: 'backing_data_soft_deleted',
      'hosted-state-download-url': null,
    })
    expect((await bench.get(url)).status).toBe(404)
    mustBe(await act(old, 'restore'), 200)
    mustBe(await bench.get(url), 200)
    mustBe(await act(old, 'permanently_delete'), 200)
    expect((await bench.get(url)).status).toBe(404)
    const refused = mustBe(await act(old, 'restore'), 422)
    expect(refused.body.errors[0].detail).toContain('transition not allowed')
    expect(mustBe(await bench.ann.get(`/api/v2/state-versions/${old}/outputs`), 200).body.data).toEqual([])
    const kept = mustBe(await bench.ann.get(`/api/v2/state-versions/${current}?include=outputs`), 200).body
    expect(kept.included).toMatchObject([{ attributes: { name: 'serial', value: 2 } }])
    mustBe(await bench.get(kept.data.attributes['hosted-state-download-url']), 200)
  })

  test('content: a blob shared by two versions is kept until both are deleted', async () => {
    const { id, versions } = await history(1)
    const [first = ''] = versions
    mustBe(await bench.ann.post(`/api/v2/workspaces/${id}/actions/lock`), 200)
    const again = mustBe(await bench.announceWithContent(id, stateOf({ serial: 1, outputs: { serial: 1 } })), 201).body
      .data
    const blobs = bench.app.deps.db.selectFrom('blobs').select('upload').where('scope', '=', id)
    expect(await blobs.execute()).toHaveLength(1)
    mustBe(await act(first, 'permanently_delete'), 200)
    mustBe(await bench.get(again.attributes['hosted-state-download-url']), 200)
    mustBe(await act(again.id, 'permanently_delete'), 200)
    expect(await blobs.execute()).toHaveLength(0)
  })

  test('content: a blob uploaded again while an old version with it is deleted is kept', async () => {
    const id = await bench.workspace()
    mustBe(await bench.ann.post(`/api/v2/workspaces/${id}/actions/lock`), 200)
    for (let round = 1; round <= 12; round++) {
      const state = stateOf({ serial: round, outputs: { round } })
      const old = mustBe(await bench.announceWithContent(id, state, { serial: round }), 201).body.data.id
      const [gone, again] = await Promise.all([
        act(old, 'permanently_delete'),
        bench.announceWithContent(id, state, { serial: round }),
      ])
      mustBe(gone, 200)
      const { 'hosted-state-download-url': url } = mustBe(again, 201).body.data.attributes
      expect(mustBe(await bench.get(url), 200).text).toBe(state.toString())
    }
  })

  test('content: a version whose status changed meanwhile is not moved', async () => {
    const [id = ''] = (await history(1)).versions
    mustBe(await act(id, 'permanently_delete'), 200)
    const { db, clock } = bench.app.deps
    const seen = { id: id as StateVersionId, status: 'finalized' } as const
    const moved = inTransaction(db, (tx) => moveBackingData(tx, seen, 'backing_data_soft_deleted', clock.now()))
    expect(await moved).toBe(false)
    expect(await statusOf(id)).toBe('backing_data_permanently_deleted')
  })

  test('content: a team that may only write the workspace gets 404 for soft delete, an administering one 200', async () => {
    const { id, versions } = await history(2)
    const [old = ''] = versions
    const path = `/api/v2/state-versions/${old}/actions/soft_delete_backing_data`
    for (const [access, status] of [
      [undefined, 404],
      ['write', 404],
      ['admin', 200],
    ] as const) {
      const callers = await team(bench.org, `${access ?? 'strangers'}-${old.slice(3)}`)
      const relationships = {
        team: { data: { type: 'teams', id: callers.id } },
        workspace: { data: { type: 'workspaces', id } },
      }
      if (access)
        mustBe(await bench.ann.post('/api/v2/team-workspaces', doc('team-workspaces', { access }, relationships)), 201)
      expect([access, (await callers.post(path)).status]).toEqual([access, status])
    }
    expect(await statusOf(old)).toBe('backing_data_soft_deleted')
  })

  test('retention: old versions are soft-deleted, deleted for good a week later; the current one is kept', async () => {
    const { id, versions } = await history(3)
    const [oldest = '', middle = '', current = ''] = versions
    const policy = doc('data-retention-policy-delete-olders', { 'delete-older-than-n-days': 30 })
    mustBe(await bench.ann.post(`/api/v2/workspaces/${id}/relationships/data-retention-policy`, policy), 200)
    bench.app.clock.advance('696h')
    await runJob()
    expect(await statusOf(oldest)).toBe('finalized')
    bench.app.clock.advance('48h')
    await runJob()
    const aside = 'backing_data_soft_deleted'
    expect([await statusOf(oldest), await statusOf(middle), await statusOf(current)]).toEqual([
      aside,
      aside,
      'finalized',
    ])
    bench.app.clock.advance('192h')
    await runJob()
    expect(await statusOf(oldest)).toBe('backing_data_permanently_deleted')
    const shown = mustBe(await bench.ann.get(`/api/v2/workspaces/${id}/current-state-version`), 200).body.data
    mustBe(await bench.get(shown.attributes['hosted-state-download-url']), 200)
  })

  test('retention: intermediate states are soft-deleted, except the one that unlocking makes current', async () => {
    const id = await bench.locked()
    const bring = async (serial: number): Promise<string> =>
      mustBe(await bench.announceWithContent(id, stateOf({ serial }), { serial }), 201).body.data.id
    const versions = [await bring(1), await bring(2)]
    const policy = doc('data-retention-policy-delete-olders', { 'delete-older-than-n-days': 1 })
    mustBe(await bench.ann.post(`/api/v2/workspaces/${id}/relationships/data-retention-policy`, policy), 200)
    bench.app.clock.advance('48h')
    await runJob()
    const statuses = () => Promise.all(versions.map(statusOf))
    const aside = 'backing_data_soft_deleted'
    expect(await statuses()).toEqual([aside, 'finalized'])
    mustBe(await bench.unlock(id), 200)
    await runJob()
    expect(await statuses()).toEqual([aside, 'finalized'])
  })

  test('retention: soft-deleted intermediate states are deleted after a week, except the newest', async () => {
    const id = await bench.locked()
    const bring = async (serial: number): Promise<string> =>
      mustBe(await bench.announceWithContent(id, stateOf({ serial }), { serial }), 201).body.data.id
    const versions = [await bring(1), await bring(2)]
    for (const version of versions) mustBe(await act(version, 'soft_delete'), 200)
    bench.app.clock.advance('192h')
    await runJob()
    expect(await Promise.all(versions.map(statusOf))).toEqual([
      'backing_data_permanently_deleted',
      'backing_data_soft_deleted',
    ])
  })

  /** Makes the database refuse changes of a version. */
  const freeze = async (id: string) => {
    const { db } = bench.app.deps
    const refusals =
      engine === 'sqlite'
        ? [
            `create trigger frozen before update on state_versions when new.id = '${id}'
            begin select raise(abort, 'frozen'); end`,
          ]
        : [
            `create function frozen() returns trigger language plpgsql as 'begin raise exception ''frozen''; end'`,
            `create trigger frozen before update on state_versions for each row when (new.id = '${id}')
              execute function frozen()`,
          ]
    for (const statement of refusals) await sql.raw(statement).execute(db)
    return () => sql.raw(engine === 'sqlite' ? 'drop trigger frozen' : 'drop function frozen cascade').execute(db)
  }

  test('retention: a version that cannot be changed stops neither the others nor the sweep', async () => {
    const { id, versions } = await history(3)
    const policy = doc('data-retention-policy-delete-olders', { 'delete-older-than-n-days': 1 })
    mustBe(await bench.ann.post(`/api/v2/workspaces/${id}/relationships/data-retention-policy`, policy), 200)
    await leaveBlob(id, 'beside')
    bench.app.clock.advance('72h')
    const [stuck = '', other = ''] = versions
    const thaw = await freeze(stuck)
    await runJob()
    await thaw()
    expect([await statusOf(stuck), await statusOf(other)]).toEqual(['finalized', 'backing_data_soft_deleted'])
    const left = bench.app.deps.db.selectFrom('blobs').select('upload').where('upload', '=', 'beside')
    expect(await left.execute()).toEqual([])
    await runJob()
    expect(await statusOf(stuck)).toBe('backing_data_soft_deleted')
  })

  test.each([
    ['a small file', 10],
    ['a large one, written as it arrives', 3_000_000],
  ])('refused upload: leaves no blob behind: %s', async (_name, bytes) => {
    const id = await bench.locked()
    const made = mustBe(await bench.announce(id, stateOf({ serial: 1 })), 201).body.data
    const other = Buffer.from(JSON.stringify({ else: 'x'.repeat(bytes) }))
    expect((await bench.put(made.attributes['hosted-state-upload-url'], other)).status).toBe(422)
    const blobs = bench.app.deps.db.selectFrom('blobs').select('upload').where('scope', '=', id)
    expect(await blobs.execute()).toHaveLength(0)
    mustBe(await bench.put(made.attributes['hosted-state-upload-url'], stateOf({ serial: 1 })), 200)
    expect(await blobs.execute()).toHaveLength(1)
  })

  test('refused upload: a state that is too old (412) and a second rendering (409) leave no blob behind', async () => {
    const id = await bench.locked()
    const blobs = bench.app.deps.db.selectFrom('blobs').select('upload').where('scope', '=', id)
    const long = (serial: number) => {
      const filler = randomBytes(3_000_000).toString('hex')
      return Buffer.from(JSON.stringify({ ...JSON.parse(stateOf({ serial }).toString()), filler }))
    }
    const made = mustBe(await bench.announce(id, stateOf({ serial: 2 }), { serial: 2 }), 201).body.data.attributes
    mustBe(await bench.put(made['hosted-state-upload-url'], stateOf({ serial: 2 })), 200)
    mustBe(await bench.announceWithContent(id, long(1), { serial: 1, 'json-state': long(1).toString('base64') }), 412)
    expect(await blobs.execute()).toHaveLength(1)
    const renderings = [long(2), long(2)].map((rendering) => bench.put(made['hosted-json-state-upload-url'], rendering))
    expect((await Promise.all(renderings)).map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await blobs.execute()).toHaveLength(2)
  })

  const leaveBlob = (scope: string, id: string) =>
    bench.app.deps.db
      .insertInto('blobs')
      .values({ upload: id, scope, id, size: 0, chunks: 0, created_at: bench.app.clock.now() })
      .execute()

  test('sweep: a run that lost its lease, or whose server stops, removes nothing more', async () => {
    const id = await bench.locked()
    await leaveBlob(id, 'kept')
    bench.app.clock.advance('72h')
    await expect(runJob(AbortSignal.abort())).rejects.toThrow('aborted')
    const kept = bench.app.deps.db.selectFrom('blobs').select('upload').where('scope', '=', id)
    expect(await kept.execute()).toHaveLength(1)
  })

  test('sweep: old blobs that no version refers to are removed', async () => {
    const id = await bench.locked()
    mustBe(await bench.announceWithContent(id, stateOf({ serial: 1 })), 201)
    const { db } = bench.app.deps
    await leaveBlob(id, 'left')
    bench.app.clock.advance('72h')
    await runJob()
    const left = await db.selectFrom('blobs').select('upload').where('scope', '=', id).execute()
    expect([left.length, left[0]?.upload === 'left']).toEqual([1, false])
  })
})
