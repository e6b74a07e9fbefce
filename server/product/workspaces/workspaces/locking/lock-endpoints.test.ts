import { expect, test } from 'vitest'
import type { Client } from '../../../../../test/support/client.ts'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { doc, mustBe, organization, person, team, workspaceIn } from '../../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../../test/support/shared.ts'
import { serverAuthor } from '../../../../kit/change-log/index.ts'
import type { Workspace } from '../workspace.ts'
import { loadWorkspace } from '../workspace-store.ts'
import { lockWorkspace, releaseExpiredLocks, unlockWorkspace } from './lock-actions.ts'

const asSeen = (workspace: Workspace) => ({ workspace, allows: () => true })

type Told = { attributes: { actor: { type: string }; action: string } }

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const bob = shared(() => person(app, 'bob'))
  const org = shared(() => organization(ann, 'acme'))
  let count = 0

  const workspace = (): Promise<string> => workspaceIn(org, { name: `ws-${++count}` })
  const act = (caller: Client, id: string, action: string, body?: unknown) =>
    caller.post(`/api/v2/workspaces/${id}/actions/${action}`, body)

  /** Who did what to the lock of a workspace, oldest first. */
  const told = async (id: string): Promise<string[]> => {
    const query = new URLSearchParams({ 'filter[workspace][id]': id })
    const { data } = mustBe(await ann.get(`/api/v2/organizations/acme/changes?${query}`), 200).body
    const lines = data.map(({ attributes: { actor, action } }: Told) => `${actor.type} ${action}`)
    return lines.filter((line: string) => line.includes('lock')).toReversed()
  }

  test('lock: a caller who cannot see the workspace gets the same 404 as for a missing one', async () => {
    const id = await workspace()
    const hidden = await act(bob, id, 'lock')
    const missing = await act(bob, 'ws-1111111111111111', 'lock')
    expect([hidden.status, hidden.body]).toEqual([404, missing.body])
  })

  test('lock and unlock: the document shows holder, reason and state', async () => {
    const id = await workspace()
    const locked = mustBe(await act(ann, id, 'lock', { reason: 'deploying' }), 200).body.data
    expect(locked.attributes).toMatchObject({ locked: true, 'locked-reason': 'deploying' })
    expect(locked.relationships['locked-by'].data).toEqual({ type: 'users', id: ann.id })
    const unlocked = mustBe(await act(ann, id, 'unlock'), 200).body.data
    expect(unlocked.attributes).toMatchObject({ locked: false, 'locked-reason': '' })
    expect(unlocked.relationships['locked-by'].data).toBeNull()
  })

  test.each([
    ['{reason}', { reason: 'x' }],
    ['a resource without a type', { data: { attributes: { reason: 'x' } } }],
    ['a resource with an empty type', { data: { type: '', attributes: { reason: 'x' } } }],
  ])('lock: accepts the reason as %s', async (_shape, body) => {
    const id = await workspace()
    expect((await act(ann, id, 'lock', body)).body.data.attributes['locked-reason']).toBe('x')
  })

  test('lock and unlock: return the same document and ETag as a read', async () => {
    const id = await workspace()
    mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200)
    for (const action of ['lock', 'unlock', 'lock', 'force-unlock']) {
      const changed = mustBe(await act(ann, id, action, action === 'lock' ? { reason: action } : undefined), 200)
      const shown = mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200)
      expect([changed.body, changed.headers.etag]).toEqual([shown.body, shown.headers.etag])
    }
    const sparse = mustBe(await act(ann, id, 'lock?fields[workspaces]=locked'), 200)
    expect(sparse.body.data.attributes).toEqual({ locked: true })
  })

  test('lock: a reason that is not a string is 422 with a pointer, and nothing is locked', async () => {
    const id = await workspace()
    const answer = await act(ann, id, 'lock', { reason: 5 })
    expect(answer.status).toBe(422)
    expect(answer.body.errors[0].source.pointer).toBe('/reason')
    expect((await act(ann, id, 'unlock')).status).toBe(409)
  })

  test('lock: locking again as the same holder is 409 and names holder, time and reason', async () => {
    const id = await workspace()
    await act(ann, id, 'lock', { reason: 'first' })
    const answer = await act(ann, id, 'lock')
    expect(answer.status).toBe(409)
    expect(answer.body.errors[0].detail).toMatch(/already locked.*User ann since .*first/)
  })

  test('unlock: an unlocked workspace is 409, also for force-unlock', async () => {
    const id = await workspace()
    expect([(await act(ann, id, 'unlock')).status, (await act(ann, id, 'force-unlock')).status]).toEqual([409, 409])
  })

  test('unlock: a lock held by another is 409 and names the holder, also for owners; force-unlock works', async () => {
    const id = await workspace()
    const ops = await team(org, `ops-${count}`, { 'organization-access': { 'manage-workspaces': true } })
    mustBe(await act(ops, id, 'lock'), 200)
    const refused = await act(ann, id, 'unlock')
    expect([refused.status, refused.body.errors[0].detail]).toEqual([
      409,
      expect.stringContaining(`is locked by Team ${ops.name}`),
    ])
    expect((await act(ann, id, 'force-unlock')).status).toBe(200)
  })

  test('force-unlock: the history keeps its reason, and a lock that was not meant stays', async () => {
    const id = await workspace()
    const held = mustBe(await act(ann, id, 'lock'), 200).body.data.attributes['locked-at']
    const force = (body: object) => ann.post(`/api/v2/workspaces/${id}/actions/force-unlock`, body)
    const earlier = new Date(Date.parse(held) - 1).toISOString()
    const refused = mustBe(await force({ 'locked-at': earlier }), 409)
    expect(refused.body.errors[0].detail).toContain('Another lock was taken')
    mustBe(await force({ reason: 'the machine is gone', 'locked-at': held }), 200)
    const [change] = mustBe(await ann.get(`/api/v2/workspaces/${id}/changes`), 200).body.data
    expect(change.attributes).toMatchObject({
      action: 'force-unlock',
      after: { locked: false, reason: 'the machine is gone' },
    })
  })

  test.each(['', 'null'])(
    'lock, unlock and delete: the body "%s" sent as application/vnd.api+json counts as no body',
    async (raw) => {
      const id = await workspace()
      const sent = { headers: { 'content-type': 'application/vnd.api+json' }, raw }
      mustBe(await ann.send('POST', `/api/v2/workspaces/${id}/actions/lock`, undefined, sent), 200)
      const unlocked = await ann.send('POST', `/api/v2/workspaces/${id}/actions/unlock`, undefined, sent)
      expect(unlocked.status).toBe(200)
      expect((await ann.send('DELETE', `/api/v2/workspaces/${id}`, undefined, sent)).status).toBe(204)
    },
  )

  test('lock: of 100 concurrent requests one is 200, the others 409', async () => {
    const id = await workspace()
    const replies = await Promise.all(Array.from({ length: 100 }, () => act(ann, id, 'lock')))
    const statuses = replies.map((reply) => reply.status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(99)
  })

  test('lock and unlock: concurrent tag writes never make them fail', async () => {
    const id = await workspace()
    let isOver = false
    const write = async (key: string) => {
      const body = { data: [{ type: 'tag-bindings', attributes: { key } }] }
      while (!isOver) mustBe(await ann.patch(`/api/v2/workspaces/${id}/tag-bindings`, body), 200)
    }
    const writers = Array.from({ length: 8 }, (_, index) => write(`k${index}`))
    const statuses: number[] = []
    for (let turn = 0; turn < 8; turn++) {
      statuses.push((await act(ann, id, 'lock')).status, (await act(ann, id, 'unlock')).status)
    }
    isOver = true
    await Promise.all(writers)
    expect(statuses).toEqual(Array(16).fill(200))
  })

  test('lock and unlock: decide on the current row, not on the one that was read before', async () => {
    const id = await workspace()
    const seen = (await loadWorkspace(app.deps.db, id)) as Workspace
    mustBe(await ann.patch(`/api/v2/workspaces/${id}`, doc('workspaces', { description: 'changed' })), 200)
    const holder = { kind: 'user', id: ann.id, name: 'ann' } as const
    const lock = { holder, reason: '', since: app.clock.now(), expiresAt: null }
    const locked = await lockWorkspace(app.deps, serverAuthor, asSeen(seen), lock)
    expect(locked).toEqual(await loadWorkspace(app.deps.db, id))
    expect(locked).toMatchObject({ description: 'changed', lock })
    await expect(lockWorkspace(app.deps, serverAuthor, asSeen(seen), lock)).rejects.toThrow('is locked by User ann')
    const unlocked = await unlockWorkspace(app.deps, serverAuthor, asSeen(seen), holder)
    expect(unlocked).toEqual({ ...locked, lock: null, lockGeneration: 2, revision: locked.revision + 1 })
    await expect(unlockWorkspace(app.deps, serverAuthor, asSeen(locked), holder)).rejects.toThrow('already unlocked')
    expect(await told(id)).toEqual(['system lock', 'system unlock'])
  })

  test('lock and unlock: permissions are checked again when the workspace has changed meanwhile', async () => {
    const id = await workspace()
    const ops = await team(org, `projects-${count}`, {})
    const loose = mustBe(
      await ann.post('/api/v2/organizations/acme/projects', doc('projects', { name: `loose-${count}` })),
      201,
    )
    const { data: shown } = mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200).body
    const project = shown.relationships.project.data
    const access = doc(
      'team-projects',
      { access: 'maintain' },
      {
        project: { data: project },
        team: { data: { type: 'teams', id: ops.id } },
      },
    )
    mustBe(await ann.post('/api/v2/team-projects', access), 201)
    mustBe(await act(ops, id, 'lock'), 200)
    mustBe(await act(ops, id, 'unlock'), 200)
    // Written directly to the database, as by another process, so that no cache here is invalidated.
    const moved = { project_id: loose.body.data.id, revision: 1_000_000 }
    await app.deps.db.updateTable('workspaces').set(moved).where('id', '=', id).execute()
    expect((await act(ops, id, 'lock')).status).toBe(404)
    mustBe(await act(ann, id, 'lock'), 200)
    await app.deps.db.deleteFrom('workspaces').where('id', '=', id).execute()
    expect((await act(ann, id, 'unlock')).status).toBe(404)
  })

  test('lock: with expires-after the workspace is unlocked once the time is over', async () => {
    const id = await workspace()
    mustBe(await act(ann, id, 'lock', { reason: '', 'expires-after': '30m' }), 200)
    expect((await act(ann, id, 'lock')).status).toBe(409)
    app.clock.advance('31m')
    expect((await act(ann, id, 'unlock')).status).toBe(409)
    expect((await act(ann, id, 'lock')).status).toBe(200)
    expect(await told(id)).toEqual(['user lock', 'system expire-lock', 'user lock'])
  })

  test('lock: an expiry with a fraction of a millisecond ends at a whole one', async () => {
    const id = await workspace()
    const { data } = mustBe(await act(ann, id, 'lock', { 'expires-after': '1.0005s' }), 200).body
    const { 'locked-at': start, 'lock-expires-at': end } = data.attributes
    expect(Date.parse(end) - Date.parse(start)).toBe(1_000)
    expect(mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200).body.data.attributes['lock-expires-at']).toBe(end)
  })

  test('lock: the history shows lock-expires-at, and the expiry as a change of its own', async () => {
    const id = await workspace()
    const taken = mustBe(await act(ann, id, 'lock', { reason: 'brief', 'expires-after': '30m' }), 200).body.data
    const end = { 'lock-expires-at': taken.attributes['lock-expires-at'] }
    expect(end['lock-expires-at']).toMatch(/^\d{4}-.*Z$/)
    app.clock.advance('31m')
    mustBe(await act(ann, id, 'lock'), 200)
    const query = new URLSearchParams({ 'filter[workspace][id]': id })
    const { data } = mustBe(await ann.get(`/api/v2/organizations/acme/changes?${query}`), 200).body
    const [again, over, first] = data.map(({ attributes }: { attributes: object }) => attributes)
    expect(first).toMatchObject({ action: 'lock', after: { locked: true, 'locked-reason': 'brief', ...end } })
    expect(over).toMatchObject({ action: 'expire-lock', before: end, after: { locked: false } })
    expect(again.after).not.toHaveProperty('lock-expires-at')
  })

  test('lock: an expired one shows as unlocked in show and list before the job removes it', async () => {
    const id = await workspace()
    mustBe(await act(ann, id, 'lock', { reason: 'brief', 'expires-after': '1m' }), 200)
    const shown = async () => [
      mustBe(await ann.get(`/api/v2/workspaces/${id}?include=locked_by`), 200).body,
      mustBe(await ann.get(`/api/v2/organizations/acme/workspaces?search[name]=ws-${count}`), 200).body,
    ]
    for (const { data } of await shown()) expect([data].flat()[0].attributes.locked).toBe(true)
    app.clock.advance('61s')
    const free = { locked: false, 'locked-reason': '', 'locked-at': null, 'lock-expires-at': null }
    for (const { data, included = [] } of await shown()) {
      expect([data].flat()[0].attributes).toMatchObject(free)
      expect([data].flat()[0].relationships['locked-by'].data).toBeNull()
      expect(included).toEqual([])
    }
  })

  test('lock: the job releases only expired locks and logs each once', async () => {
    const [over, running, endless] = [await workspace(), await workspace(), await workspace()]
    mustBe(await act(ann, over, 'lock', { 'expires-after': '1m' }), 200)
    mustBe(await act(ann, running, 'lock', { 'expires-after': '1h' }), 200)
    mustBe(await act(ann, endless, 'lock'), 200)
    app.clock.advance('2m')
    const counts = await Promise.all([releaseExpiredLocks(app.deps), releaseExpiredLocks(app.deps)])
    expect(counts.reduce((a, b) => a + b)).toBeGreaterThan(0)
    expect(await releaseExpiredLocks(app.deps)).toBe(0)
    expect(await told(over)).toEqual(['user lock', 'system expire-lock'])
    expect([await told(running), await told(endless)]).toEqual([['user lock'], ['user lock']])
    expect((await act(ann, over, 'unlock')).status).toBe(409)
  })

  test('lock: stays when its user or team is deleted, and can be released by force-unlock', async () => {
    const access = { 'organization-access': { 'manage-workspaces': true } }
    const crew = await team(org, 'gone-crew', access)
    const cleo = await person(app, 'cleo')
    const owners = mustBe(await ann.get('/api/v2/organizations/acme/teams?filter[names]=owners'), 200).body.data[0].id
    const invited = doc(
      'organization-memberships',
      { email: cleo.email },
      { teams: { data: [{ type: 'teams', id: owners }] } },
    )
    mustBe(await ann.post('/api/v2/organizations/acme/organization-memberships', invited), 201)
    for (const [holder, type, gone] of [
      [crew, 'teams', () => ann.delete(`/api/v2/teams/${crew.id}`)],
      [cleo, 'users', () => app.root.delete(`/api/v2/admin/users/${cleo.id}`)],
    ] as const) {
      const id = await workspace()
      mustBe(await act(holder, id, 'lock', { reason: 'frozen' }), 200)
      mustBe(await gone(), 204)
      const { data, included = [] } = mustBe(await ann.get(`/api/v2/workspaces/${id}?include=locked_by`), 200).body
      expect(data.attributes).toMatchObject({ locked: true, 'locked-reason': 'frozen' })
      expect([data.relationships['locked-by'].data, included]).toEqual([{ type, id: holder.id }, []])
      expect((await act(ann, id, 'unlock')).status).toBe(409)
      mustBe(await act(ann, id, 'force-unlock'), 200)
    }
  })

  test('lock: a lock that the job cannot release does not hold up the others', async () => {
    const ids = [await workspace(), await workspace()]
    for (const id of ids) mustBe(await act(ann, id, 'lock', { 'expires-after': '1m' }), 200)
    app.clock.advance('2m')
    const errors: object[] = []
    const log = { ...app.deps.log, error: (fields: object) => void errors.push(fields) }
    const stored = app.deps.db.updateTable('workspaces').where('id', '=', ids[0] ?? '')
    const write = (prefixes: string) =>
      stored.set(({ eb }) => ({ trigger_prefixes: prefixes, revision: eb('revision', '+', 1) })).execute()
    await write('unreadable')
    await releaseExpiredLocks({ ...app.deps, log })
    expect(await told(ids[1] ?? '')).toEqual(['user lock', 'system expire-lock'])
    expect(errors).toEqual([{ id: ids[0], error: expect.any(SyntaxError) }])
    await write('[]')
    expect(await releaseExpiredLocks(app.deps)).toBe(1)
    for (const id of ids) expect(await told(id)).toEqual(['user lock', 'system expire-lock'])
  })

  test('lock: with wait the caller gets the lock when it is released; more than 60 s is 400', async () => {
    const id = await workspace()
    await act(ann, id, 'lock')
    const waiting = ann.post(`/api/v2/workspaces/${id}/actions/lock?wait=10s`, { reason: 'second' })
    await act(ann, id, 'force-unlock')
    expect((await waiting).body.data.attributes['locked-reason']).toBe('second')
    expect((await ann.post(`/api/v2/workspaces/${id}/actions/lock?wait=61s`)).status).toBe(400)
    mustBe(await ann.post(`/api/v2/workspaces/${await workspace()}/actions/lock?wait=60s`), 200)
    expect((await ann.post(`/api/v2/workspaces/${id}/actions/lock?wait=9s&wait=0s`)).status).toBe(409)
  })
})
