import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Client } from '../../../../../test/support/client.ts'
import { testClock } from '../../../../../test/support/clock.ts'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { type EventSource, openEvents } from '../../../../../test/support/event-source.ts'
import { doc, mustBe, organization, person, team, workspaceIn } from '../../../../../test/support/platform.ts'
import { ownApp, shared, sharedApp } from '../../../../../test/support/shared.ts'
import { type TestApp, testApp } from '../../../../../test/support/test-app.ts'
import { instant } from '../../../../kernel/clock.ts'
import { randomIds } from '../../../../kernel/ids.ts'
import { silentLog } from '../../../../kernel/log.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { bumpVersion } from '../../../../storage/versions.ts'

type Caller = Client & { readonly token: string }

eachEngine((engine) => {
  const [warn, debug] = [vi.fn(), vi.fn()]
  const app = sharedApp({ engine, log: { ...silentLog, warn, debug } })
  const ann = shared(() => person(app, 'ann'))
  const bob = shared(() => person(app, 'bob'))
  const org = shared(() => organization(ann, 'acme'))
  let count = 0

  const workspace = (): Promise<string> => workspaceIn(org)
  const act = async (id: string, action: string, body?: unknown) =>
    mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/${action}`, body), 200)
  const ofOrganization = '/api/v2/organizations/acme/events'
  const ofWorkspace = (id: string) => `/api/v2/workspaces/${id}/events`

  /** Lets a team read one workspace. */
  const grant = (teamId: string, workspaceId: string): Promise<void> =>
    inTransaction(app.deps.db, async (tx) => {
      const details = { runs: 'read', variables: 'none', state_versions: 'none', sentinel_mocks: 'none' }
      const row = { id: randomIds.newId('tws'), team_id: teamId, workspace_id: workspaceId, access: 'read' }
      const flags = { workspace_locking: 0, run_tasks: 0, policy_overrides: 0 }
      await tx
        .insertInto('team_workspace_access')
        .values({ ...row, ...details, ...flags })
        .execute()
      bumpVersion(tx, 'permissions')
    })

  /** Inserts changes of a workspace at these positions. */
  const insertChanges = (workspaceId: string, positions: readonly number[], name = 'w'): Promise<void> =>
    inTransaction(app.deps.db, async (tx) => {
      const actor = { actor_kind: 'user', actor_id: ann.id, actor_name: 'ann', token_id: '', request_id: '' }
      const subject = { subject_type: 'workspaces', subject_id: workspaceId, subject_name: name }
      for (const position of positions) {
        const place = { id: randomIds.newId('chg'), position, organization_id: org.id, workspace_id: workspaceId }
        const row = { ...place, ...subject, ...actor, action: 'update', created_at: 1, before: null, after: null }
        await tx.insertInto('change_log').values(row).execute()
      }
    })
  /** Inserts this many changes of a workspace, each so large that only few fit into socket buffers. */
  const rememberChanges = (workspaceId: string, number: number): Promise<void> =>
    insertChanges(
      workspaceId,
      Array.from({ length: number }, (_, index) => index + 1),
      'x'.repeat(16_384),
    )

  const listen = async (caller: Caller, path: string, options: { lastId?: string; on?: TestApp } = {}) => {
    const { lastId, on = app } = options
    const source = await openEvents({ url: `${on.url}${path}`, token: caller.token, ...(lastId ? { lastId } : {}) })
    onTestFinished(() => source.close())
    expect(source.status).toBe(200)
    return source
  }
  const names = async (source: EventSource, number: number): Promise<string[]> => {
    const found: string[] = []
    while (found.length < number) found.push((await source.next()).event)
    return found
  }

  test('events: a client that disconnects is logged as debug, not as a warning', async () => {
    const source = await openEvents({ url: `${app.url}${ofOrganization}`, token: ann.token })
    const left = [expect.anything(), 'answer was not sent in full'] as const
    source.close()
    await expect.poll(() => debug.mock.calls).toContainEqual(left)
    expect(warn).not.toHaveBeenCalledWith(...left)
  })

  test('events: strangers get 404 for organization and workspace, anonymous callers 401', async () => {
    const id = await workspace()
    for (const path of [ofOrganization, ofWorkspace(id), ofWorkspace('ws-1111111111111111')]) {
      mustBe(await bob.get(path), 404)
      mustBe(await app.anonymous.get(path), 401)
    }
  })

  test('events: a team receives only events of workspaces it can read; deleting the team ends the stream', async () => {
    const [seen, hidden] = [await workspace(), await workspace()]
    const ops = await team(org, `ops-${count}`)
    await grant(ops.id, seen)
    const source = await listen(ops, ofOrganization)
    await act(hidden, 'lock')
    await act(seen, 'lock')
    expect((await source.next()).data.data.relationships.workspace.data.id).toBe(seen)
    mustBe(await ann.delete(`/api/v2/teams/${ops.id}`), 204)
    await source.ended
  })

  test('events: a team receives the deletion of a workspace although its access ends with it', async () => {
    const id = await workspace()
    const ops = await team(org, `gone-${count}`)
    await grant(ops.id, id)
    const source = await listen(ops, ofOrganization)
    await act(id, 'lock')
    mustBe(await ann.delete(`/api/v2/workspaces/${id}`), 204)
    expect(await names(source, 2)).toEqual(['locked', 'deleted'])
  })

  test('events: revoking the token ends the stream within 15 seconds', async () => {
    const ops = await team(org, `revoked-${++count}`, { 'organization-access': { 'read-workspaces': true } })
    const source = await listen(ops, ofOrganization)
    mustBe(await ann.delete(`/api/v2/teams/${ops.id}/authentication-token`), 204)
    const started = performance.now()
    await source.ended
    expect(performance.now() - started).toBeLessThan(15_000)
  })

  test('events: revoking the token while a slow client catches up ends the stream early', async () => {
    const slow = await team(org, `slow-${++count}`, { 'organization-access': { 'read-workspaces': true } })
    const id = await workspace()
    const missed = 1_500
    await rememberChanges(id, missed)
    const source = await listen(slow, ofWorkspace(id), { lastId: '0-0' })
    source.pause()
    mustBe(await ann.delete(`/api/v2/teams/${slow.id}/authentication-token`), 204)
    source.resume()
    await source.ended
    expect(source.waiting()).toBeLessThan(missed)
  })

  test('events: lock, unlock, settings, tags and deletion arrive in order, without the lock reason', async () => {
    const id = await workspace()
    const source = await listen(ann, ofWorkspace(id))
    expect(source.headers['content-type']).toBe('text/event-stream')
    await workspace()
    await act(id, 'lock', { reason: 'secret reason' })
    await act(id, 'force-unlock')
    mustBe(await ann.patch(`/api/v2/workspaces/${id}`, doc('workspaces', { 'auto-apply': true })), 200)
    const tags = { data: [{ type: 'tags', attributes: { name: 'core' } }] }
    mustBe(await ann.post(`/api/v2/workspaces/${id}/relationships/tags`, tags), 204)
    const locked = await source.next()
    expect(locked).toMatchObject({
      event: 'locked',
      data: {
        data: {
          type: 'workspace-events',
          attributes: { event: 'locked', action: 'lock', actor: { type: 'user', name: 'ann' } },
          relationships: { workspace: { data: { id } } },
        },
      },
    })
    expect(JSON.stringify(locked)).not.toContain('secret reason')
    expect(await names(source, 3)).toEqual(['unlocked', 'changed', 'tags'])
    mustBe(await ann.delete(`/api/v2/workspaces/${id}`), 204)
    expect((await source.next()).event).toBe('deleted')
    await source.ended
  })

  test('events: with Last-Event-ID the missed events are sent once and in order; an invalid id is 400', async () => {
    const id = await workspace()
    const first = await listen(ann, ofOrganization)
    await act(id, 'lock')
    expect((await first.next()).event).toBe('locked')
    first.close()
    await act(id, 'unlock')
    await act(id, 'lock')
    const second = await listen(ann, ofOrganization, { lastId: first.lastId() })
    expect(await names(second, 2)).toEqual(['unlocked', 'locked'])
    await act(id, 'unlock')
    expect(await names(second, 1)).toEqual(['unlocked'])
    const third = await listen(ann, ofWorkspace(id), { lastId: '0-0' })
    expect(await names(third, 5)).toEqual(['changed', 'locked', 'unlocked', 'locked', 'unlocked'])
    const headers = { 'last-event-id': 'nonsense' }
    mustBe(await ann.get(ofOrganization, { headers }), 400)
  })

  test('events: changes of another process are sent, though its clock is behind', async () => {
    const [one, two] = [await workspace(), await workspace()]
    const other = await ownApp({ engine, beside: app, clock: testClock(instant(app.clock.now() - 3_600_000)) })
    const source = await listen(ann, ofOrganization)
    await act(one, 'lock')
    mustBe(await other.anonymous.as(ann.token).post(`/api/v2/workspaces/${two}/actions/lock`), 200)
    expect((await source.next()).data.data.relationships.workspace.data.id).toBe(one)
    expect((await source.next()).data.data.relationships.workspace.data.id).toBe(two)
  })

  test('events: changes that appear behind others are sent', async () => {
    const [early, late] = [await workspace(), await workspace()]
    const source = await listen(ann, ofOrganization)
    await act(late, 'lock')
    expect(await names(source, 1)).toEqual(['locked'])
    const position = Number.parseInt(source.lastId(), 10)
    await insertChanges(early, [position - 2])
    expect((await source.next()).data.data.relationships.workspace.data.id).toBe(early)
    source.close()
    await insertChanges(early, [position - 1])
    // No stream was open when it appeared, so its order is unknown and the last seconds are sent again.
    const again = await listen(ann, ofOrganization, { lastId: source.lastId() })
    const seen: string[] = []
    while (seen.filter((id) => id === early).length < 3 || !seen.includes(late))
      seen.push((await again.next()).data.data.relationships.workspace.data.id)
    const own = await listen(ann, ofWorkspace(early), { lastId: '0-0' })
    expect(await names(own, 3)).toEqual(['changed', 'changed', 'changed'])
  })

  test.runIf(engine === 'postgres')('events: a change that waited long for its turn is sent too', async () => {
    const [slow, quick] = [await workspace(), await workspace()]
    const source = await listen(ann, ofOrganization)
    const [isHeld, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = inTransaction(app.deps.db, async (tx) => {
      await sql`select id from workspaces where id = ${slow} for update`.execute(tx)
      isHeld.resolve()
      await isOver.promise
    })
    await isHeld.promise
    const waiting = act(slow, 'lock')
    const waiters = sql`select pid from pg_locks where locktype = 'transactionid' and not granted`
    await expect.poll(async () => (await waiters.execute(app.deps.db)).rows).toHaveLength(1)
    app.clock.advance('1m')
    await act(quick, 'lock')
    expect((await source.next()).data.data.relationships.workspace.data.id).toBe(quick)
    isOver.resolve()
    await Promise.all([holding, waiting])
    expect((await source.next()).data.data.relationships.workspace.data.id).toBe(slow)
  })

  test('events: stopping the server ends open streams within 10 seconds', async () => {
    const other = await testApp({ engine, beside: app })
    const source = await listen(ann, ofOrganization, { on: other })
    const started = performance.now()
    await other.close()
    await source.ended
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  test('events: an idle stream sends comments as keep-alive', async () => {
    const clock = { ...testClock(), monotonic: () => 20 * performance.now() }
    const other = await ownApp({ engine, beside: app, clock })
    const source = await listen(ann, ofOrganization, { on: other })
    await expect.poll(() => source.opening(), { timeout: 15_000 }).toMatch(/^:\n/m)
  })

  test('events: a caller may have 50 open streams; further ones are 429', async () => {
    const ops = await team(org, `many-${++count}`, { 'organization-access': { 'read-workspaces': true } })
    const open = async () => openEvents({ url: `${app.url}${ofOrganization}`, token: ops.token })
    const sources = await Promise.all(Array.from({ length: 55 }, open))
    onTestFinished(() => {
      for (const source of sources) source.close()
    })
    expect(sources.filter(({ status }) => status === 200)).toHaveLength(50)
    expect(sources.filter(({ status }) => status === 429)).toHaveLength(5)
  })
})
