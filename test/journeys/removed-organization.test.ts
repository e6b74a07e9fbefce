import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { tables } from '../../docs/sql/tables.ts'
import type { Endpoint } from '../../server/kit/endpoint.ts'
import { handleOverdueDestructions } from '../../server/product/workspaces/workspaces/auto-destroy/destruction-actions.ts'
import { releaseExpiredLocks } from '../../server/product/workspaces/workspaces/locking/lock-actions.ts'
import type { Answer, Client } from '../support/client.ts'
import { eachEngine } from '../support/databases.ts'
import { openEvents } from '../support/event-source.ts'
import { copyWorkspaces } from '../support/many-workspaces.ts'
import { doc, mustBe, organization } from '../support/platform.ts'
import { recordingLog } from '../support/recording-log.ts'
import { finishRemovals, holdRemovals } from '../support/removals.ts'
import { ownApp } from '../support/shared.ts'
import type { TestApp } from '../support/test-app.ts'
import { type FilledOrganization, fillOrganization } from '../support/two-organizations.ts'

/** Path parameters of what belongs to no organization. */
const elsewhere: ReadonlySet<string> = new Set(['userId', 'versionId', 'sessionId'])

const paramsOf = ({ path }: Endpoint): string[] => [...path.matchAll(/[:*](\w+)/g)].map(([, name]) => name as string)

/** The endpoints below an organization, or of something in one. */
const endpointsInside = (app: TestApp): Endpoint[] =>
  app.app.endpoints.filter(
    (each) =>
      each.api === 'api/v2' && each.access.kind !== 'open' && paramsOf(each).some((name) => !elsewhere.has(name)),
  )

/** Sends every request that there is to what was in the organization. */
async function answersTo(app: TestApp, caller: Client, filled: FilledOrganization): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const { route, path, verb, body } of endpointsInside(app)) {
    const address = path.replace(/[:*](\w+)/g, (_, name: string) => filled.params[name] ?? '')
    const sent = verb === 'GET' || !body ? undefined : doc('things', { name: 'x' })
    found[route] = (await caller.send(verb, `/api/v2${address}`, sent)).status
  }
  return found
}

const statuses = (found: Record<string, number>): number[] => [...new Set(Object.values(found))]

/** The tables with rows that belong to an organization, or to a workspace. */
async function tablesOf({ deps }: TestApp, column: 'organization_id' | 'workspace_id', id: string): Promise<string[]> {
  const found: string[] = []
  for (const [table, columns] of Object.entries(tables)) {
    if (!(column in columns) || table === 'change_log') continue
    const { rows } = await sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(deps.db)
    if (rows.length > 0) found.push(table)
  }
  return found
}

eachEngine((engine) => {
  test('a deleted organization is gone for everybody at once, while all of it is still stored', async () => {
    const { log, text } = recordingLog()
    const app = await ownApp({ engine, log })
    const filled = await fillOrganization(app, 'alpha')
    const { owner, callers, organization: alpha, params } = filled
    const { workspaceId = '', stateVersionId } = params
    const { attributes } = (await owner.get(`/api/v2/state-versions/${stateVersionId}`)).body.data
    const download = new URL(attributes['hosted-state-download-url']).pathname
    expect((await app.anonymous.get(download)).status).toBe(200)
    const at = new Date(app.clock.now() + 3_600_000).toISOString()
    mustBe(await owner.patch(`/api/v2/workspaces/${workspaceId}`, doc('workspaces', { 'auto-destroy-at': at })), 200)

    mustBe(await owner.post(`/api/v2/workspaces/${workspaceId}/actions/lock`, { 'expires-after': '10m' }), 200)

    const mend = holdRemovals(app, 'organization')
    mustBe(await owner.delete('/api/v2/organizations/alpha-organization'), 204)
    expect(await tablesOf(app, 'workspace_id', workspaceId)).toContain('state_versions')

    expect(statuses(await answersTo(app, owner, filled))).toEqual([404])
    expect((await app.root.get(`/api/v2/workspaces/${workspaceId}`)).status).toBe(404)
    for (const caller of [callers.team, callers.organization])
      expect((await caller?.get(`/api/v2/workspaces/${workspaceId}`))?.status).toBe(401)
    expect((await app.anonymous.get(download)).status).toBe(404)

    const told = async (answer: Promise<Answer>) => mustBe(await answer, 200).text.includes(alpha.name)
    for (const path of ['organizations', 'organization-memberships', `users/${owner.id}`])
      expect({ path, told: await told(owner.get(`/api/v2/${path}`)) }).toEqual({ path, told: false })
    expect(await told(app.root.get('/api/v2/admin/users?include=organizations'))).toBe(false)
    app.clock.advance('2h')
    expect(await handleOverdueDestructions(app.deps, AbortSignal.timeout(60_000))).toBe(0)
    expect(await releaseExpiredLocks(app.deps)).toBe(0)
    expect(text()).not.toContain('could not')

    const { data } = (await app.root.get('/api/v2/admin/removals')).body
    expect(data).toMatchObject([
      { id: alpha.id, attributes: { kind: 'organization', name: alpha.name, 'requested-by': owner.username } },
    ])
    const next = await organization(owner, alpha.name)
    expect(next.id).not.toBe(alpha.id)
    const listed = await owner.get(`/api/v2/organizations/${alpha.name}/workspaces`)
    expect(listed.body.data).toEqual([])
    mend()
    await finishRemovals(app)
    expect(await tablesOf(app, 'organization_id', alpha.id)).toEqual([])
    expect(await tablesOf(app, 'workspace_id', workspaceId)).toEqual([])
    expect(await app.deps.db.selectFrom('blobs').select('scope').where('scope', '=', workspaceId).execute()).toEqual([])
    expect((await app.root.get('/api/v2/admin/removals')).body.data).toEqual([])
    expect((await owner.get(`/api/v2/organizations/${alpha.name}`)).status).toBe(200)
  })

  test('an organization with more than a batch of everything is removed to the last row', async () => {
    const app = await ownApp({ engine })
    const { owner, organization: alpha, params } = await fillOrganization(app, 'alpha')
    const beta = await fillOrganization(app, 'beta')
    await copyWorkspaces(app.deps.db, params.workspaceId ?? '', 200)
    mustBe(await owner.delete(`/api/v2/organizations/${alpha.name}`), 204)
    await finishRemovals(app)
    expect(await tablesOf(app, 'organization_id', alpha.id)).toEqual([])
    for (const table of ['workspace_tags', 'state_version_outputs', 'team_members'] as const)
      expect((await app.deps.db.selectFrom(table).selectAll().execute()).length).toBeLessThan(5)
    mustBe(await beta.owner.get(`/api/v2/workspaces/${beta.params.workspaceId}?include=outputs`), 200)
  })

  test('a stream of events ends with its organization', async () => {
    const app = await ownApp({ engine })
    const { owner, organization: alpha } = await fillOrganization(app, 'alpha')
    holdRemovals(app, 'organization')
    const url = `${app.url}/api/v2/organizations/${alpha.name}/workspace-events`
    const events = await openEvents({ url, token: owner.token })
    mustBe(await owner.delete(`/api/v2/organizations/${alpha.name}`), 204)
    await events.ended
  })

  test('who owned nothing but a deleted organization can be removed', async () => {
    const app = await ownApp({ engine })
    const { owner, organization: alpha } = await fillOrganization(app, 'alpha')
    holdRemovals(app, 'organization')
    expect((await app.root.delete(`/api/v2/admin/users/${owner.id}`)).status).toBe(422)
    mustBe(await owner.delete(`/api/v2/organizations/${alpha.name}`), 204)
    mustBe(await app.root.delete(`/api/v2/admin/users/${owner.id}`), 204)
  })
})
