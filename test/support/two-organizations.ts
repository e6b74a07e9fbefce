import type { Endpoint } from '../../server/kit/endpoint.ts'
import { startSession } from '../../server/product/people/users/index.ts'
import type { Client } from './client.ts'
import {
  doc,
  join,
  mustBe,
  type Organization,
  organization,
  organizationToken,
  type Person,
  person,
  type TeamCaller,
  team,
  workspaceIn,
} from './platform.ts'
import { createRun, enableRuns, uploadedConfiguration } from './runs.ts'
import { scriptedRunner } from './scripted-runner.ts'
import { stateDocument, stateOf } from './states.ts'
import type { TestApp } from './test-app.ts'

/** An organization with one resource of every kind, and what is needed to address them. */
export type FilledOrganization = {
  readonly organization: Organization
  readonly owner: Person
  /** Everybody who may act for the organization. */
  readonly callers: Readonly<Record<string, Client>>
  /** The values of path parameters in addresses. */
  readonly params: Readonly<Record<string, string>>
  /** Words and ids that nobody outside may ever see. */
  readonly privateWords: readonly string[]
}

/** Fills an organization. A feature with a new kind of path parameter adds its value here. */
export async function fillOrganization(app: TestApp, word: string): Promise<FilledOrganization> {
  const owner = await person(app, `${word}-owner`)
  const member = await person(app, `${word}-member`)
  const made = await organization(owner, `${word}-organization`)
  const ops = await team(made, `${word}-team`, { visibility: 'organization' })
  const membershipId = await join(made, member, [ops.id])
  const [userToken] = (await owner.get(`/api/v2/users/${owner.id}/authentication-tokens`)).body.data
  const [teamToken] = (await owner.get(`/api/v2/teams/${ops.id}/authentication-tokens`)).body.data
  const inWorkspace = await fillWorkspace(app, made, word)
  const ids = {
    userId: owner.id,
    teamId: ops.id,
    membershipId,
    sessionId: await sessionOf(app, owner),
    tokenId: teamToken.id as string,
    projectId: made.projectId,
    ...inWorkspace,
    teamWorkspaceId: await grantAccess(made, ops, { type: 'workspaces', id: inWorkspace.workspaceId }),
    teamProjectId: await grantAccess(made, ops, { type: 'projects', id: made.projectId }),
    ...(await fillSettings(app, made, word)),
    ...(await fillVariableSet(made, word, inWorkspace.workspaceId)),
  }
  return {
    organization: made,
    owner,
    callers: { owner, member, team: ops, organization: await organizationToken(made) },
    params: {
      ...ids,
      organization: made.name,
      name: `${word}-workspace`,
      // Tool versions belong to the site; no organization has one of its own.
      versionId: 'tool-1111111111111111',
    },
    privateWords: [word, made.id, member.id, userToken.id, ...Object.values(ids)],
  }
}

/** Signs somebody in, and returns the id of the session. */
async function sessionOf(app: TestApp, { id: userId }: Person): Promise<string> {
  await startSession(app.deps, { userId, remoteAddress: '127.0.0.1', userAgent: '' })
  const query = app.deps.db.selectFrom('sessions').select('id').where('user_id', '=', userId)
  return (await query.executeTakeFirstOrThrow()).id
}

type WorkspaceIds = Readonly<
  Record<'workspaceId' | 'tagId' | 'variableId' | 'stateVersionId' | 'outputId' | 'changeId' | keyof RunIds, string>
>

type RunIds = Readonly<
  Record<'configurationVersionId' | 'runId' | 'planId' | 'applyId' | 'runEventId' | 'commentId', string>
>

/** Makes a configuration, and a run that holds nothing, with a comment. */
async function fillRun(app: TestApp, of: Organization, word: string, workspaceId: string): Promise<RunIds> {
  const { owner } = of
  await enableRuns(of)
  const configurationVersionId = await uploadedConfiguration(app, owner, workspaceId)
  const run = await createRun(owner, workspaceId, { message: `${word}-message`, 'plan-only': true })
  const said = doc('comments', { body: `${word}-comment` })
  const comment = mustBe(await owner.post(`/api/v2/runs/${run.id}/comments`, said), 201).body.data
  const { plan, apply } = run.relationships
  const events = { runEventId: comment.relationships['run-event'].data.id, commentId: comment.id }
  return { configurationVersionId, runId: run.id, planId: plan.data.id, applyId: apply.data.id, ...events }
}

/** Makes a workspace with a tag, a variable, a state, a run and a change. */
async function fillWorkspace(app: TestApp, of: Organization, word: string): Promise<WorkspaceIds> {
  const { owner } = of
  const workspaceId = await workspaceIn(of, { name: `${word}-workspace` })
  const at = `/api/v2/workspaces/${workspaceId}`
  const tags = { data: [{ type: 'tags', attributes: { name: `${word}-tag` } }] }
  mustBe(await owner.post(`${at}/relationships/tags`, tags), 204)
  const [tag] = (await owner.get(`/api/v2/organizations/${of.name}/tags`)).body.data
  const variable = doc('vars', { key: `${word}-variable`, value: `${word}-value`, category: 'env' })
  const variableId = mustBe(await owner.post(`${at}/vars`, variable), 201).body.data.id
  const state = stateOf({ outputs: { [`${word}-output`]: `${word}-output-value` } })
  mustBe(await owner.post(`${at}/actions/lock`), 200)
  const brought = stateDocument(state, { state: state.toString('base64') })
  const version = mustBe(await owner.post(`${at}/state-versions`, brought), 201).body.data
  mustBe(await owner.post(`${at}/actions/unlock`), 200)
  const ofRun = await fillRun(app, of, word, workspaceId)
  mustBe(await owner.patch(at, doc('workspaces', { description: `${word}-description` })), 200)
  const [change] = (await owner.get(`${at}/changes`)).body.data
  const outputId = version.relationships.outputs.data[0].id
  const ids = { stateVersionId: version.id, outputId, changeId: change.id, ...ofRun }
  return { workspaceId, tagId: tag.id, variableId, ...ids }
}

/** Makes a variable set with a variable, for the workspace. */
async function fillVariableSet(
  { owner, name }: Organization,
  word: string,
  workspaceId: string,
): Promise<Readonly<Record<'varsetId' | 'setVariableId', string>>> {
  const vars = [
    { type: 'vars', attributes: { key: `${word}-set-variable`, value: `${word}-set-value`, category: 'env' } },
  ]
  const related = { vars: { data: vars }, workspaces: { data: [{ type: 'workspaces', id: workspaceId }] } }
  const body = doc('varsets', { name: `${word}-set` }, related)
  const made = mustBe(await owner.post(`/api/v2/organizations/${name}/varsets`, body), 201).body.data
  return { varsetId: made.id, setVariableId: made.relationships.vars.data[0].id }
}

async function grantAccess(
  of: Organization,
  to: TeamCaller,
  on: { readonly type: 'workspaces' | 'projects'; readonly id: string },
): Promise<string> {
  const type = `team-${on.type}`
  const relationships = { team: { data: { type: 'teams', id: to.id } }, [on.type.slice(0, -1)]: { data: on } }
  return mustBe(await of.owner.post(`/api/v2/${type}`, doc(type, { access: 'read' }, relationships)), 201).body.data.id
}

type SettingIds = Readonly<Record<'keyId' | 'poolId' | 'agentId' | 'clientId' | 'oauthTokenId', string>>

/** Sets up what workspaces of an organization can use: a retention policy, a key, a pool, a connection. */
async function fillSettings(app: TestApp, { owner, name }: Organization, word: string): Promise<SettingIds> {
  const at = `/api/v2/organizations/${name}`
  const make = async (type: string, attributes: object) =>
    mustBe(await owner.post(`${at}/${type}`, doc(type, attributes)), 201).body.data
  const retention = doc('data-retention-policy-dont-deletes')
  mustBe(await owner.post(`${at}/relationships/data-retention-policy`, retention), 200)
  const key = await make('ssh-keys', { name: `${word}-key`, value: `${word}-secret` })
  const pool = await make('agent-pools', { name: `${word}-pool` })
  const agentId = await fillPool(app, owner, pool.id, `${word}-agent`)
  const client = await make('oauth-clients', {
    name: `${word}-connection`,
    'service-provider': 'github',
    'http-url': `https://${word}.example.com`,
    'api-url': `https://${word}.example.com/api`,
    'oauth-token-string': `${word}-oauth-token`,
  })
  const oauthTokenId = client.relationships['oauth-tokens'].data[0].id
  return { keyId: key.id, poolId: pool.id, agentId, clientId: client.id, oauthTokenId }
}

/** A runner of a pool, which has said goodbye. */
async function fillPool(app: TestApp, owner: Person, poolId: string, name: string): Promise<string> {
  const path = `/api/v2/agent-pools/${poolId}/authentication-tokens`
  const { token } = mustBe(await owner.post(path, doc('authentication-tokens', { description: name })), 201).body.data
    .attributes
  const runner = await scriptedRunner(app, token, { name })
  mustBe(await runner.deregister(), 204)
  return runner.id
}

/** What each verb sends; the content does not matter, since every request must be refused before it is read. */
export const bodyFor = (endpoint: Endpoint): object | undefined =>
  endpoint.verb === 'GET' || !endpoint.body ? undefined : doc('things', { name: 'x' })

/** Whether an endpoint looks at who calls it. */
export const isGuarded = (endpoint: Endpoint): boolean => endpoint.api === 'api/v2' && endpoint.access.kind !== 'open'

/** The parameters in the path of an endpoint. */
export const paramsOf = (endpoint: Endpoint): string[] =>
  [...endpoint.path.matchAll(/[:*](\w+)/g)].map(([, name]) => name as string)

/** Where an endpoint has the resources of an organization. */
export const addressIn = (endpoint: Endpoint, filled: FilledOrganization): string =>
  `/api/v2${endpoint.path.replace(/[:*](\w+)/g, (_, name: string) => filled.params[name] ?? `missing-${name}`)}`
