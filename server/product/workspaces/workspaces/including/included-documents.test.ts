import { afterAll, beforeAll, expect, test } from 'vitest'
import { listOf, poolCalls } from '../../../../../test/support/agent-pools.ts'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { doc, join, mustBe, type Person, person, team } from '../../../../../test/support/platform.ts'
import { type StateBench, stateBench, stateOf } from '../../../../../test/support/states.ts'
import { connectionCalls } from '../../../../../test/support/vcs-connections.ts'

type Document = {
  readonly type: string
  readonly id: string
  readonly relationships?: Readonly<Record<string, object>>
}

/** Documents that have no address of their own are entries of a list. */
const listed: Readonly<Record<string, string>> = { 'effective-tag-bindings': 'effective-tag-bindings' }

/** Linkage that would lead clients in cycles is left out of documents with others, so it may be missing. */
const withoutCycles = (own: Document, included: Document): Document => {
  const { relationships } = own
  if (!relationships) return own
  const kept = Object.entries(relationships).map(([name, value]) => {
    const { data, ...others } = value as { data?: unknown }
    return [name, 'data' in (included.relationships?.[name] ?? { data }) ? value : others]
  })
  return { ...own, relationships: Object.fromEntries(kept) }
}

/** Each answer has signed addresses of its own. */
const withoutSignatures = (document: Document): Document =>
  JSON.parse(JSON.stringify(document).replaceAll(/\/api\/blob\/v1\/[\w.-]+/g, 'signed'))

eachEngine((engine) => {
  let bench: StateBench
  let bob: Person
  let id: string
  let projectId: string
  let poolId: string
  let teamId: string
  let clientId: string
  let membershipId: string
  let versionId: string

  beforeAll(async () => {
    bench = await stateBench(engine)
    const { app, ann, org } = bench
    const pools = poolCalls(ann, org)
    bob = await person(app, 'bob')
    const helpers = await team(org, 'helpers', { visibility: 'organization' })
    teamId = helpers.id
    membershipId = await join(org, bob, [teamId])
    const bound = { data: [{ type: 'tag-bindings', attributes: { key: 'cost', value: 'core' } }] }
    const project = doc('projects', { name: 'Core' }, { 'tag-bindings': bound })
    projectId = mustBe(await ann.post(`/api/v2/organizations/${org.name}/projects`, project), 201).body.data.id
    const place = { project: { data: { type: 'projects', id: projectId } } }
    const workspaces = `/api/v2/organizations/${org.name}/workspaces`
    const make = async (name: string): Promise<string> =>
      mustBe(await ann.post(workspaces, doc('workspaces', { name }, place)), 201).body.data.id
    id = await make('shown')
    const hiddenId = await make('hidden')
    const linked = { workspace: { data: { type: 'workspaces', id } }, team: { data: { type: 'teams', id: teamId } } }
    mustBe(await ann.post('/api/v2/team-workspaces', doc('team-workspaces', { access: 'write' }, linked)), 201)
    const lists = {
      'excluded-workspaces': listOf('workspaces', hiddenId),
      'allowed-projects': listOf('projects', projectId),
    }
    poolId = (await pools.create({ 'organization-scoped': false }, lists)).id
    mustBe(await pools.use(id, poolId), 200)
    const otherId = await make('shown-too')
    mustBe(await pools.use(otherId, (await pools.create()).id), 200)
    const owners = await team(org, 'lockers', { 'organization-access': { 'manage-workspaces': true } })
    mustBe(await owners.post(`/api/v2/workspaces/${otherId}/actions/lock`), 200)
    mustBe(await ann.post(`/api/v2/workspaces/${id}/vars`, doc('vars', { key: 'a', value: '1', category: 'env' })), 201)
    mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/lock`), 200)
    const state = stateOf({ serial: 1, resources: 1, outputs: { ip: '10.0.0.1' } })
    versionId = mustBe(await bench.announceWithContent(id, state), 201).body.data.id
    mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/unlock`), 200)
    mustBe(await helpers.post(`/api/v2/workspaces/${id}/actions/lock`), 200)
    clientId = (await connectionCalls(ann, org).create()).body.data.id
  })
  afterAll(() => bench.app.close())

  /** The document as a caller reads it on its own; undefined if there is no address for it, or not for the caller. */
  async function ownDocument(caller: Person, { type, id: own }: Document, from: string): Promise<Document | undefined> {
    const list = listed[type]
    const answer = await caller.get(list ? `${from.split('?')[0]}/${list}` : `/api/v2/${type}/${own}`)
    if (answer.status === 404) return undefined
    const { data } = mustBe(answer, 200).body
    return list ? data.find((each: Document) => each.id === own) : data
  }

  const everywhere = (): readonly (readonly [string, readonly string[]])[] => [
    [
      `/api/v2/workspaces/${id}?include=organization,project,agent_pool,locked_by,vars,outputs,current_state_version,effective_tag_bindings`,
      [
        'organizations',
        'projects',
        'agent-pools',
        'teams',
        'vars',
        'state-versions',
        'workspace-outputs',
        'effective-tag-bindings',
      ],
    ],
    [`/api/v2/organizations/${bench.org.name}?include=default_project`, ['projects']],
    [`/api/v2/projects/${projectId}?include=effective_tag_bindings`, ['effective-tag-bindings']],
    [`/api/v2/agent-pools/${poolId}?include=workspaces`, ['workspaces']],
    [`/api/v2/teams/${teamId}?include=users,organization_memberships`, ['users', 'organization-memberships']],
    [`/api/v2/organization-memberships/${membershipId}?include=user,teams`, ['users', 'teams']],
    [`/api/v2/oauth-clients/${clientId}?include=oauth_tokens`, ['oauth-tokens']],
    [`/api/v2/state-versions/${versionId}?include=outputs,created_by`, ['users', 'state-version-outputs']],
  ]

  test('include: what is included is the document that its own address shows to the same caller', async () => {
    for (const [path, types] of everywhere()) {
      const { included = [] } = mustBe(await bench.ann.get(path), 200).body
      expect([path, included.map(({ type }: Document) => type)]).toEqual([path, expect.arrayContaining([...types])])
    }
    // Outputs have no address as those of a workspace; the same ones are read as those of a state version.
    const all = new Set(everywhere().flatMap(([, types]) => types))
    all.delete('workspace-outputs')
    expect(await compared(bench.ann)).toEqual(all)
    all.delete('projects')
    expect(await compared(bob)).toEqual(all)
  })

  /** Compares all that this caller is given with the documents it can read, and returns the types of those compared. */
  async function compared(caller: Person): Promise<Set<string>> {
    const types = new Set<string>()
    for (const [path] of everywhere()) {
      const answer = await caller.get(path)
      if (answer.status === 404) continue
      for (const each of (mustBe(answer, 200).body.included ?? []) as Document[]) {
        const own = await ownDocument(caller, each, path)
        if (!own) continue
        expect(withoutSignatures(each), `${each.type} in ${path}`).toEqual(withoutSignatures(withoutCycles(own, each)))
        types.add(each.type)
      }
    }
    return types
  }

  test('include: the number of queries does not depend on how many workspaces a page has', async () => {
    expect(await queriesOf(1)).toBe(await queriesOf(2))
  })

  /** How many queries a page of so many workspaces with all that can be included begins. */
  async function queriesOf(size: number): Promise<number> {
    const { db } = bench.app.deps
    const original = db.selectFrom
    let count = 0
    db.selectFrom = ((...tables: Parameters<typeof original>) => {
      count++
      return original.apply(db, tables)
    }) as typeof original
    const path = `/api/v2/organizations/${bench.org.name}/workspaces?search[name]=shown&page[size]=${size}`
    const list = () => bench.ann.get(`${path}&include=organization,project,agent_pool,locked_by,effective_tag_bindings`)
    mustBe(await list(), 200)
    count = 0
    mustBe(await list(), 200)
    db.selectFrom = original
    return count
  }
})
