import { expect, test } from 'vitest'
import { tables } from '../../../docs/sql/tables.ts'
import type { Endpoint } from '../../../server/kit/endpoint.ts'
import { bulkActions } from '../../../server/product/workspaces/workspaces/bulk/bulk.ts'
import { openEvents } from '../../support/event-source.ts'
import { doc, mustBe, organization } from '../../support/platform.ts'
import { shared, sharedApp } from '../../support/shared.ts'
import { type BulkRow, bulkRows } from './bulk-rows.ts'
import { holds, type Right } from './holders.ts'
import { type Caller, type Level, levelsAround, ownersTeam } from './levels.ts'
import { organizationRows, teamRows } from './organization-rows.ts'
import { containerRows, projectRows } from './project-rows.ts'
import type { Ask, Row } from './row.ts'
import { fresh, type Ids, setScene } from './scene.ts'
import { variableSetRows } from './variable-set-rows.ts'
import { contentRows, workspaceRows } from './workspace-rows.ts'

const rows: readonly Row[] = [
  ...workspaceRows,
  ...contentRows,
  ...variableSetRows,
  ...projectRows,
  ...containerRows,
  ...organizationRows,
  ...teamRows,
]

/** Endpoints that concern nobody but the caller. */
const aboutTheCaller = [
  'account.details',
  'account.update',
  'account.password',
  'account-sessions.list',
  'account-sessions.delete',
  'memberships.mine',
  'organizations.list',
  'search.list',
  'organizations.create',
]

/** Has a test of its own below, since nothing is left to call afterwards. */
const deletesEverything = 'organizations.delete'

/** Endpoints of the hosted edition, where server/product/people/organizations/tiers tests them. */
const ofHostedEdition = ['feature-sets.list', 'organizations.subscribe']

const isForTheSite = ({ path }: Endpoint): boolean => path.startsWith('/admin/')

const isCovered = ({ id }: Endpoint): boolean =>
  id === deletesEverything || aboutTheCaller.includes(id) || rows.some(([endpoint]) => endpoint === id)

// The right that an endpoint asks for is the same on both databases; how rights are loaded is tested on each.
const app = sharedApp()
const scene = shared(() => setScene(app))

const endpointOf = (id: string): Endpoint => app.app.endpoints.find((each) => each.id === id) as Endpoint

/** The levels that are asked about a right. */
const levelsFor = (right: Right): readonly Level[] => levelsAround[right.split(':')[0] as keyof typeof levelsAround]

/** What somebody of a level is to be told: only those who may know of a resource learn that they were refused. */
function expectedOutcome(level: Level, right: Right, { openlyRefused }: Ask): string {
  if (holds(level, right)) return 'allowed'
  return openlyRefused && holds(level, openlyRefused) ? '403' : '404'
}

/** Calls an endpoint; `made` is what was readied for this call. */
async function outcomeOf(caller: Caller, endpoint: Endpoint, ask: Ask, made?: Ids): Promise<string> {
  const addressed = { ...scene.ids, ...ask.aim?.(scene.ids), ...made }
  const path = endpoint.path.replace(/[:*](\w+)/g, (_, name: string) => addressed[name] ?? `missing-${name}`)
  const address = `/api/v2${path}${ask.query?.(addressed) ?? ''}`
  if (ask.stream) {
    const events = await openEvents({ url: `${app.url}${address}`, token: caller.token })
    events.close()
    return events.status === 200 ? 'allowed' : String(events.status)
  }
  const { status, text } = await caller.send(endpoint.verb, address, ask.body?.(addressed))
  if (status < 400) return 'allowed'
  return status === 404 || status === 403 ? String(status) : `${status} ${text}`
}

/** The newest entry of the change log, which has every change in the organization. */
async function newestChange(): Promise<string> {
  const path = `/api/v2/organizations/${scene.organization.name}/changes?page[size]=1`
  return mustBe(await scene.owner.get(path), 200).text
}

test('every endpoint below an organization has a line, and every line its endpoint', () => {
  const guarded = app.app.endpoints.filter(({ api, access }) => api === 'api/v2' && access.kind !== 'open')
  expect(guarded.filter((each) => !isForTheSite(each) && !isCovered(each)).map(({ id }) => id)).toEqual([])
  const ids = new Set(guarded.map(({ id }) => id))
  expect(rows.map(([id]) => id).filter((id) => !ids.has(id))).toEqual([])
})

const named = rows.map(([id, right, ask = {}]) => [`${id}${ask.what ? ` (${ask.what})` : ''}`, right, id, ask] as const)

test.each(named)('%s: for those who hold %s, and for nobody else', async (_name, right, id, ask) => {
  const endpoint = endpointOf(id)
  const levels = levelsFor(right)
  const expected = new Map(levels.map((level) => [level, expectedOutcome(level, right, ask)]))
  const found: Partial<Record<Level, string>> = {}
  await ask.before?.(scene)
  const before = await newestChange()
  for (const level of levels.filter((each) => expected.get(each) !== 'allowed')) {
    found[level] = await outcomeOf(scene.callers[level], endpoint, ask)
    // Nobody who is refused learns what would be wrong with the body.
    if (!ask.body || ask.isAddressedByBody) continue
    const broken = await outcomeOf(scene.callers[level], endpoint, { ...ask, body: () => doc('things') })
    if (broken !== found[level]) found[level] = `${found[level]}, with a broken body ${broken}`
  }
  expect(found).toEqual(Object.fromEntries([...expected].filter(([, outcome]) => outcome !== 'allowed')))
  expect(await newestChange()).toBe(before)
  for (const level of levels.filter((each) => expected.get(each) === 'allowed')) {
    const caller = scene.callers[level]
    const made = await ask.ready?.(scene, caller)
    found[level] = await outcomeOf(caller, endpoint, ask, made)
  }
  expect(found).toEqual(Object.fromEntries(expected))
})

/** All rows of all tables, as text by table. What is noted of tokens and jobs says nothing about the call. */
async function everything(): Promise<Record<string, string>> {
  const names = Object.keys(tables).filter((name) => !['jobs', 'operations'].includes(name)) as (keyof typeof tables)[]
  const found: Record<string, string> = {}
  for (const name of names) {
    const rows = await app.deps.db.selectFrom(name).selectAll().execute()
    const texts = rows.map((row) => JSON.stringify(row, (key, value) => (key === 'last_used_at' ? undefined : value)))
    found[name] = texts.sort().join()
  }
  return found
}

/** Writes of which nobody can ask what they would do. */
const notRehearsed = new Set([
  'agent-tokens.create',
  'memberships.invite',
  'organization-token.create',
  'team-token.create',
  'team-tokens.create',
  'user-tokens.create',
])

const written = named.filter(([, , , { stream }]) => !stream)

test.each(written)(
  '%s: with handling=validate it answers as without, and changes nothing',
  async (_n, right, id, ask) => {
    const endpoint = endpointOf(id)
    const level = levelsFor(right).find((each) => holds(each, right)) as Level
    const caller = scene.callers[level]
    const addressed = { ...scene.ids, ...ask.aim?.(scene.ids), ...(await ask.ready?.(scene, caller)) }
    const path = endpoint.path.replace(/[:*](\w+)/g, (_, name: string) => addressed[name] ?? `missing-${name}`)
    const [address, body] = [`/api/v2${path}${ask.query?.(addressed) ?? ''}`, ask.body?.(addressed)]
    const call = (headers: Record<string, string>) => caller.send(endpoint.verb, address, body, { headers })
    const before = await everything()
    const tried = await call({ prefer: 'respond-async, handling=validate' })
    expect(await everything()).toEqual(before)
    if (notRehearsed.has(id)) {
      expect([tried.status, tried.body?.errors?.[0]?.code]).toEqual([400, 'prefer.unsupported'])
      return
    }
    expect(tried.headers['preference-applied']).toBe(endpoint.verb === 'GET' ? undefined : 'handling=validate')
    const done = await call({})
    expect([tried.status, shapeOf(tried.body)]).toEqual([done.status, shapeOf(done.body)])
    expect(done.headers['preference-applied']).toBeUndefined()
  },
)

/** What a document holds, without warnings and what is drawn at random: ids, digests and signed addresses. */
const shapeOf = (body: unknown): unknown => {
  const text = JSON.stringify(body ?? null, (key, value) => (key === 'meta' ? undefined : value))
  return JSON.parse(
    text.replace(/[a-z]+-[1-9A-HJ-NP-Za-km-z]{16}|[0-9a-f]{64}|\/api\/(?:blob|run-logs|configurations)\/[^"]+/g, '…'),
  )
}

/** What a bulk operation does to the workspace of the scene. */
async function bulkOutcomeOf(caller: Caller, [action, , sent]: BulkRow, dryRun: boolean): Promise<string> {
  const path = `/api/v2/organizations/${scene.organization.name}/workspaces/actions/bulk?search[name]=${scene.ids.name}`
  const answer = await caller.post(path, { action, ...sent, 'dry-run': dryRun })
  if (answer.status === 404) return '404'
  const [found] = mustBe(answer, 200).body.data
  if (!found) return 'not found'
  const { result, detail } = found.attributes
  return result === 'refused' && detail.startsWith('You are not allowed') ? 'not allowed' : result
}

function expectedBulkOutcome(level: Level, right: Right): string {
  if (level === 'site') return '404'
  if (holds(level, right)) return 'changed'
  return holds(level, 'workspace:can-read-run') ? 'not allowed' : 'not found'
}

test('every action of a bulk operation has a line', () => {
  expect(bulkRows.map(([action]) => action).sort()).toEqual([...bulkActions].sort())
})

const namedBulk = bulkRows.map((row) => [row[0], row[1], row] as const)

test.each(namedBulk)(
  'bulk %s: for those who hold %s on a workspace, and for nobody else',
  async (_action, right, row) => {
    const ready = row[3]
    const expected = new Map(levelsAround.workspace.map((level) => [level, expectedBulkOutcome(level, right)]))
    const found: Partial<Record<Level, string>> = {}
    await ready?.(scene, scene.callers.owner)
    const before = await newestChange()
    for (const level of levelsAround.workspace.filter((each) => !holds(each, right))) {
      found[level] = await bulkOutcomeOf(scene.callers[level], row, false)
    }
    expect(found).toEqual(Object.fromEntries([...expected].filter(([, outcome]) => outcome !== 'changed')))
    expect(await newestChange()).toBe(before)
    for (const level of levelsAround.workspace.filter((each) => holds(each, right))) {
      await ready?.(scene, scene.callers[level])
      found[level] = await bulkOutcomeOf(scene.callers[level], row, true)
    }
    expect(found).toEqual(Object.fromEntries(expected))
  },
)

test('organizations.delete: for owners and their team, and for nobody else', async () => {
  const endpoint = endpointOf(deletesEverything)
  for (const level of levelsAround.organization.filter((each) => !holds(each, 'organization:can-destroy'))) {
    const outcome = await outcomeOf(scene.callers[level], endpoint, {})
    expect([level, outcome]).toEqual([level, '404'])
  }
  for (const callerIn of [async () => scene.callers.owner, (name: string) => ownersTeam(scene.owner, name)]) {
    const { name } = await organization(scene.owner, fresh())
    expect(await outcomeOf(await callerIn(name), endpoint, {}, { organization: name })).toBe('allowed')
  }
})

test('what is for the site: for its administrator, and for nobody in an organization', async () => {
  const forTheSite = app.app.endpoints.filter((each) => each.api === 'api/v2' && isForTheSite(each))
  expect(forTheSite.length).toBeGreaterThan(15)
  const firstOf = async (list: string) => mustBe(await app.root.get(`/api/v2/admin/${list}`), 200).body.data[0].id
  const versionIds = { tool: await firstOf('tool-versions'), terraform: await firstOf('terraform-versions') }
  for (const endpoint of forTheSite) {
    const ask: Ask = endpoint.body ? { body: () => doc('things') } : {}
    const ids = { versionId: endpoint.path.includes('/tool-') ? versionIds.tool : versionIds.terraform }
    const found = new Set<string>()
    for (const level of levelsAround.organization.filter((each) => each !== 'site')) {
      found.add(await outcomeOf(scene.callers[level], endpoint, ask, ids))
    }
    expect([endpoint.id, ...found]).toEqual([endpoint.id, '404'])
    if (endpoint.verb !== 'GET' || ofHostedEdition.includes(endpoint.id)) continue
    expect([endpoint.id, await outcomeOf(scene.callers.site, endpoint, ask, ids)]).toEqual([endpoint.id, 'allowed'])
  }
})
