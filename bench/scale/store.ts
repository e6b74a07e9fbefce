import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mintCrl } from '../../test/support/certificates.ts'
import { longCrlEntries } from '../../test/support/long-crl.ts'
import type { ChildServer } from '../harness/child-server.ts'
import { startHoldfast } from '../harness/holdfast-server.ts'
import { mintClients, writeRoles } from '../harness/login-servers.ts'
import { documentOf, send } from '../harness/platform-client.ts'
import { call } from './call.ts'
import { factsQuery, idEnd, pace, projectCount, tagColumns } from './generator.ts'
import { openSql, type Sql } from './sql.ts'

/** A folder for the data of a server, its database, and how many workspaces and tokens it is to hold. */
export type Place = { readonly folder: string; readonly url: string; readonly total: number }

/** What is known about a store that was filled. */
export type StoreFacts = {
  readonly organizationId: string
  readonly projectIds: readonly string[]
  /** The accessor of a token with a tenth of all tokens below it. */
  readonly parentAccessor: string
  /** The tokens of the callers, and to how many workspaces each has access. */
  readonly callers: Readonly<Record<Caller, { readonly token: string; readonly condition: string }>>
  /** When the first workspace was created, in milliseconds. */
  readonly begun: number
}

export const callers = ['sees10', 'sees1000', 'sees20000', 'seesHalf'] as const
export type Caller = (typeof callers)[number]

/** Starts the server of a place. */
export const startAt = ({ folder, url }: Place): Promise<ChildServer> =>
  startHoldfast({ HOLDFAST_DATA_DIR: folder, ...(url.startsWith('postgres') ? { HOLDFAST_STORAGE: url } : {}) })

/** The tool version that every workspace has. */
export const toolVersion = '1.9.4'

/** How many of each there are. */
export const usersOf = (total: number): number => total / 10
const teamsOf = (total: number): number => total / 100
const rolesOf = (total: number): number => total / 100

const factsFile = ({ folder }: Place): string => join(folder, 'facts.json')

/** True if the store of a place was filled before, and nothing large was removed since. */
export const isFilled = (place: Place): boolean => existsSync(factsFile(place))

/** Has the store filled anew the next time. */
export const markUsedUp = (place: Place): void => rmSync(factsFile(place), { force: true })

/** Fills the store of a place, or reads what is known about one that was filled before. */
export async function prepareStore(place: Place): Promise<StoreFacts> {
  if (isFilled(place)) return JSON.parse(readFileSync(factsFile(place), 'utf8'))
  rmSync(place.folder, { recursive: true, force: true })
  mkdirSync(place.folder, { recursive: true })
  const server = await startAt(place)
  const seeds = await seed(server, place.total)
  await server.stop()
  const sql = await openSql(place.url)
  const facts = await fill(sql, place, seeds)
  await sql.close()
  const filled = await startAt(place)
  for (const id of Object.values(seeds.templates)) await call(filled, `/api/v2/workspaces/${id}`, { verb: 'DELETE' })
  await filled.stop()
  writeFileSync(factsFile(place), JSON.stringify(facts))
  return facts
}

/** One of everything, made through the API. */
type Seeds = Awaited<ReturnType<typeof seed>>

async function seed(server: ChildServer, total: number) {
  const big = '/organizations/big'
  await send(server, '/organizations', documentOf('organizations', { name: 'big', email: 'bench@example.com' }))
  const projectIds: string[] = []
  for (let n = 0; n < projectCount; n++)
    projectIds.push((await send(server, `${big}/projects`, documentOf('projects', { name: `project-${n}` }))).id)
  const tier = [{ type: 'tag-bindings', attributes: { key: 'tier', value: 'gold' } }]
  await send(server, `/projects/${projectIds[1]}/relationships/tag-bindings`, { data: tier })
  const templates = { plain: await makeTemplate(server, 'plain'), locked: await makeTemplate(server, 'locked') }
  await send(server, `/workspaces/${templates.locked}/actions/lock`, {})
  const template = await makePerson(server, 'template')
  await send(server, '/team-workspaces', accessOf(template.team, 'workspace', templates.plain))
  const people = { template } as Record<Caller | 'template', Person>
  for (const caller of callers) people[caller] = await makePerson(server, caller)
  for (const id of projectIds.slice(0, projectCount / 2))
    await send(server, '/team-projects', accessOf(people.seesHalf.team, 'project', id))
  await makeRoles(server, total)
  return { projectIds, templates, people, accessors: await makeTokens(server) }
}

const makeTemplate = async (server: ChildServer, name: string): Promise<string> =>
  (await send(server, '/organizations/big/workspaces', workspaceOf({ name, tags: ['template'], env: 'v0' }))).id

/** A new workspace with flat tags and a tag binding. */
export function workspaceOf(wanted: {
  readonly name: string
  readonly tags: readonly string[]
  readonly env: string
  readonly projectId?: string
}): object {
  const { name, tags, env, projectId } = wanted
  return documentOf(
    'workspaces',
    { name, 'execution-mode': 'local', 'tool-version': toolVersion },
    {
      tags: { data: tags.map((tag) => ({ type: 'tags', attributes: { name: tag } })) },
      'tag-bindings': { data: [{ type: 'tag-bindings', attributes: { key: 'env', value: env } }] },
      ...(projectId ? { project: { data: { type: 'projects', id: projectId } } } : {}),
    },
  )
}

type Person = { readonly id: string; readonly team: string; readonly token: string }

/** A member of the organization with a team of their own. */
async function makePerson(server: ChildServer, username: string): Promise<Person> {
  const email = `${username.toLowerCase()}@example.com`
  const { id } = await send(server, '/admin/users', documentOf('users', { username, email }))
  const { id: team } = await send(server, '/organizations/big/teams', documentOf('teams', { name: username }))
  const teams = { teams: { data: [{ type: 'teams', id: team }] } }
  const membership = documentOf('organization-memberships', { email }, teams)
  await send(server, '/organizations/big/organization-memberships', membership)
  const token = await send(server, `/users/${id}/authentication-tokens`, documentOf('authentication-tokens'))
  return { id, team, token: token.attributes.token ?? '' }
}

const accessOf = (team: string, kind: 'workspace' | 'project', id: string): object =>
  documentOf(
    `team-${kind}s`,
    { access: 'read' },
    { team: { data: { type: 'teams', id: team } }, [kind]: { data: { type: `${kind}s`, id } } },
  )

async function makeRoles(server: ChildServer, total: number): Promise<void> {
  const clients = mintClients('p256')
  await writeRoles(server, clients, rolesOf(total))
  const crl = mintCrl(clients.root, { revokedDer: longCrlEntries(total), nextUpdate: null })
  await asRoot(server, 'auth/cert/crls/long', { crl: crl.der.toString('base64') })
}

const asRoot = (server: ChildServer, path: string, body: object): Promise<string> =>
  call(server, `/v1/${path}`, { verb: 'POST', body })

/** Tokens of three kinds: without a parent, of a role, and with a parent; their accessors, and the parent's. */
async function makeTokens(server: ChildServer) {
  const policy = 'path "auth/token/create" { capabilities = ["update"] }'
  await asRoot(server, 'sys/policies/acl/bench', { policy })
  await asRoot(server, 'auth/token/roles/part', { allowed_policies: 'bench', orphan: true })
  const create = async (path: string, token?: string) => {
    const terms = { policies: ['bench'], ttl: '700h', ...(token ? {} : { no_parent: true }) }
    return JSON.parse(await call(server, `/v1/${path}`, { verb: 'POST', token, body: terms })).auth
  }
  const parent = await create('auth/token/create')
  return {
    orphan: (await create('auth/token/create')).accessor,
    ofRole: (await create('auth/token/create/part')).accessor,
    child: (await create('auth/token/create', parent.client_token)).accessor,
    parent: parent.accessor,
  }
}

/** Copies the seeds by SQL. */
async function fill(sql: Sql, place: Place, { projectIds, templates, people, accessors }: Seeds): Promise<StoreFacts> {
  const { total } = place
  const begun = Date.now() - total * pace - 60_000
  await sql.run(`create temp table facts as ${factsQuery(total)}`)
  const organizationId = String((await sql.all(`select id from organizations where name = 'big'`))[0]?.id)
  await sql.run('begin')
  await fillWorkspaces(sql, { templates, projectIds, begun })
  await fillTags(sql, templates.plain)
  await fillTokens(sql, accessors)
  await fillPeople(sql, total, people.template)
  const conditions = {
    ...Object.fromEntries(callers.slice(0, 3).map((caller) => [caller, seenBy(caller, total)])),
    seesHalf: `project < ${projectCount / 2}`,
  } as Record<Caller, string>
  for (const caller of callers.slice(0, 3)) {
    const made = {
      id: `'tws-' || ${idEnd(`n + ${callers.indexOf(caller) + 1}0000000000`)}`,
      workspace_id: `'ws-' || id_end`,
    }
    const own = { ...made, team_id: `'${people[caller].team}'` }
    await copy(sql, 'team_workspace_access', `team_id = '${people.template.team}'`, own, conditions[caller])
  }
  await sql.run('commit')
  await sql.run(place.url.startsWith('postgres') ? 'vacuum analyze' : 'pragma wal_checkpoint(truncate)')
  return {
    organizationId,
    projectIds,
    parentAccessor: accessors.parent,
    begun,
    callers: Object.fromEntries(
      callers.map((caller) => [caller, { token: people[caller].token, condition: conditions[caller] }]),
    ) as StoreFacts['callers'],
  }
}

/** Which workspaces a caller has access to: as many as the name says, or all there are. */
const seenBy = (caller: Caller, total: number): string =>
  `n > 0 and n % ${Math.max(1, Math.floor(total / Number(caller.slice(4))))} = 0`

/** Copies a row once for each of the facts that meet a condition, with other values in some columns. */
async function copy(
  sql: Sql,
  table: string,
  template: string,
  made: Readonly<Record<string, string>>,
  condition: string,
): Promise<void> {
  const chosen = `select * from ${table} where ${template}`
  const columns = Object.keys((await sql.all(chosen))[0] ?? {})
  const values = columns.map((column) => made[column] ?? `template."${column}"`)
  await sql.run(`insert into ${table} (${columns.map((column) => `"${column}"`)})
    select ${values} from (${chosen}) as template cross join facts where ${condition}`)
}

const workspaceId = `'ws-' || id_end`

async function fillWorkspaces(
  sql: Sql,
  { templates, projectIds, begun }: Pick<Seeds, 'templates' | 'projectIds'> & { begun: number },
): Promise<void> {
  const tagNames = tagColumns.map((column) => `coalesce(',"' || ${column} || '"', '')`).join(' || ')
  const made = {
    id: workspaceId,
    name: 'facts.name',
    name_key: 'facts.name',
    project_id: `case project ${projectIds.map((id, n) => `when ${n} then '${id}'`).join(' ')} end`,
    tag_names: `'[' || substr(${tagNames}, 2) || ']'`,
    created_at: `${begun} + created`,
    updated_at: `${begun} + updated`,
    latest_change_at: `${begun} + changed`,
  }
  await copy(sql, 'workspaces', `id = '${templates.plain}'`, made, 'locked = 0')
  const locked = { ...made, locked_at: `${begun} + created` }
  await copy(sql, 'workspaces', `id = '${templates.locked}'`, locked, 'locked = 1')
  const change = {
    id: `'chg-' || id_end`,
    position: `(${begun} + created) * 1000`,
    workspace_id: workspaceId,
    subject_id: workspaceId,
    subject_name: 'facts.name',
    created_at: `${begun} + created`,
  }
  await copy(sql, 'change_log', `subject_id = '${templates.plain}' and action = 'create'`, change, '1 = 1')
  await sql.run('delete from workspace_counts')
  await sql.run(`insert into workspace_counts select organization_id, project_id, count(*) from workspaces
    group by organization_id, project_id`)
}

async function fillTags(sql: Sql, template: string): Promise<void> {
  const tagId = (column: string): string => `'tag-' || substr(${column} || 'xxxxxxxxxxxxxxxx', 1, 16)`
  for (const [position, column] of tagColumns.entries()) {
    const first = `n in (select min(n) from facts where ${column} is not null group by ${column})`
    await copy(sql, 'tags', `name = 'template'`, { id: tagId(column), name: column }, first)
    const attached = { workspace_id: workspaceId, tag_id: tagId(column), position: String(position + 1) }
    await copy(sql, 'workspace_tags', `workspace_id = '${template}'`, attached, `${column} is not null`)
  }
  await sql.run(`update tags set workspaces = (select count(*) from workspace_tags where tag_id = tags.id)`)
  const bound = { id: `'tb-' || id_end`, workspace_id: workspaceId, value: 'env' }
  await copy(sql, 'tag_bindings', `workspace_id = '${template}'`, bound, '1 = 1')
}

/** As many tokens as workspaces: a tenth of a role, a tenth with one parent. */
async function fillTokens(sql: Sql, { orphan, ofRole, child }: Seeds['accessors']): Promise<void> {
  const made = { id: `'filled-' || id_end`, accessor: `'filled-' || id_end`, created_at: 'created_at - n' }
  await copy(sql, 'tokens', `accessor = '${ofRole}'`, made, 'n % 10 = 1')
  await copy(sql, 'tokens', `accessor = '${child}'`, made, 'n % 10 = 2')
  await copy(sql, 'tokens', `accessor = '${orphan}'`, made, 'n % 10 not in (1, 2)')
}

/** People who are all members of the organization, ten to a team, each team with access to ten workspaces. */
async function fillPeople(sql: Sql, total: number, { id, team }: Person): Promise<void> {
  const person = `'person-' || cast(n as text)`
  const address = `${person} || '@example.com'`
  const teamId = `'team-' || ${idEnd(`(n % ${teamsOf(total)})`)}`
  const [userId, membershipId] = [`'user-' || id_end`, `'ou-' || id_end`]
  const named = { username: person, username_key: person, email: address, email_key: address }
  const isUser = `n <= ${usersOf(total)}`
  await copy(sql, 'users', `id = '${id}'`, { id: userId, ...named }, isUser)
  const member = { ...named, id: membershipId, user_id: userId }
  await copy(sql, 'organization_memberships', `user_id = '${id}'`, member, isUser)
  const filled = { id: teamId, name: `'team-' || cast(n as text)` }
  await copy(sql, 'teams', `id = '${team}'`, filled, `n <= ${teamsOf(total)}`)
  const place = { team_id: teamId, membership_id: membershipId }
  await copy(sql, 'team_members', `team_id = '${team}'`, place, isUser)
  const access = { id: `'tws-' || id_end`, team_id: teamId, workspace_id: workspaceId }
  await copy(sql, 'team_workspace_access', `team_id = '${team}'`, access, isUser)
}
