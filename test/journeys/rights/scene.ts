import { doc, join, mustBe, type Organization, type Person, person, team, workspaceIn } from '../../support/platform.ts'
import { stateDocument, stateOf } from '../../support/states.ts'
import type { TestApp } from '../../support/test-app.ts'
import { fillOrganization } from '../../support/two-organizations.ts'
import { type Caller, giveAccess, type Level, makeCallers } from './levels.ts'

/** The values of path parameters, and what bodies name. */
export type Ids = Readonly<Record<string, string>>

/** An organization with one resource of every kind, and a caller of every level. */
export type Scene = {
  readonly organization: Organization
  readonly owner: Person
  readonly callers: Readonly<Record<Level, Caller>>
  /** What a refused call addresses; an allowed one may have something fresh instead. */
  readonly ids: Ids
  readonly deps: TestApp['deps']
  readonly anonymous: TestApp['anonymous']
}

/** Sets the scene: the workspace is in the default project; consumer, other project and secret team stand by. */
export async function setScene(app: TestApp): Promise<Scene> {
  const { organization, owner, params } = await fillOrganization(app, 'rights')
  const { projectId = '', workspaceId = '' } = params
  const otherProjectId = await newProject(organization)
  const places = { workspaceId, projectId, otherProjectId }
  const invited = await person(app, 'rights-invited')
  const moreIds = {
    otherProjectId,
    // In another project, which only few reach.
    elsewhereId: await workspaceIn(organization, {}, inProject(otherProjectId)),
    consumerId: await workspaceIn(organization),
    spareTeamId: (await team(organization, 'rights-spare')).id,
    secretTeamId: (await team(organization, 'rights-secret', { visibility: 'secret' })).id,
    poolTokenId: await poolToken(owner, params.poolId),
    invitedName: invited.username,
    invitedMembershipId: await join(organization, invited),
    placeholderId: await placeholderIn(organization),
  }
  const callers = await makeCallers(app, organization, places)
  return { organization, owner, callers, ids: { ...params, ...moreIds }, anonymous: app.anonymous, deps: app.deps }
}

/** The relationship of a workspace to its project. */
export const inProject = (id: string | undefined): object => ({ project: { data: { type: 'projects', id } } })

let made = 0

/** The user that stands for somebody who is invited and has not accepted. */
async function placeholderIn({ owner, name }: Organization): Promise<string> {
  const body = doc('organization-memberships', { email: `${fresh()}@example.com` })
  const { data } = mustBe(await owner.post(`/api/v2/organizations/${name}/organization-memberships`, body), 201).body
  return data.relationships.user.data.id
}

/** A new token of an agent pool. */
export async function poolToken(owner: Person, poolId: string | undefined): Promise<string> {
  const body = doc('authentication-tokens', { description: fresh() })
  return mustBe(await owner.post(`/api/v2/agent-pools/${poolId}/authentication-tokens`, body), 201).body.data.id
}

/** A name that nothing else has. */
export const fresh = (): string => `fresh-${++made}`

async function newProject(of: Organization): Promise<string> {
  const path = `/api/v2/organizations/${of.name}/projects`
  return mustBe(await of.owner.post(path, doc('projects', { name: fresh() })), 201).body.data.id
}

/** A new workspace on which the caller has what its level gives. */
export async function freshWorkspace({ organization, owner }: Scene, { given, teamId = '' }: Caller): Promise<Ids> {
  const name = fresh()
  const id = await workspaceIn(organization, { name })
  if (given.workspace) await giveAccess(owner, teamId, { type: 'workspaces', id }, given.workspace)
  return { workspaceId: id, name }
}

/** A new project on which the caller has what its level gives. */
export async function freshProject({ organization, owner }: Scene, { given, teamId = '' }: Caller): Promise<Ids> {
  const id = await newProject(organization)
  if (given.project) await giveAccess(owner, teamId, { type: 'projects', id }, given.project)
  return { projectId: id }
}

/** A new team without access, with a member and a token, that everybody in the organization sees. */
export async function freshTeam({ organization, owner, ids }: Scene): Promise<Ids> {
  const { id } = await team(organization, fresh(), { visibility: 'organization' })
  const members = { data: [{ type: 'organization-memberships', id: ids.invitedMembershipId }] }
  mustBe(await owner.post(`/api/v2/teams/${id}/relationships/organization-memberships`, members), 204)
  const [token] = mustBe(await owner.get(`/api/v2/teams/${id}/authentication-tokens`), 200).body.data
  return { teamId: id, spareTeamId: id, tokenId: token.id }
}

/** Posts a document as the owner; returns the id of what was made. */
export async function makeAt({ owner }: Scene, path: string, body?: object): Promise<string> {
  return mustBe(await owner.post(`/api/v2${path}`, body), 201).body.data.id
}

/** Makes sure that nobody holds the lock of the workspace. */
export async function release({ owner, ids }: Scene): Promise<undefined> {
  const at = `/api/v2/workspaces/${ids.workspaceId}`
  const { locked } = mustBe(await owner.get(at), 200).body.data.attributes
  if (locked) mustBe(await owner.post(`${at}/actions/force-unlock`), 200)
}

/** Makes sure that the caller holds the lock of the workspace, even if its level does not allow to take it. */
export async function lockFor(scene: Scene, caller: Caller): Promise<undefined> {
  await release(scene)
  const path = `/api/v2/workspaces/${scene.ids.workspaceId}/actions/lock`
  if ((await caller.post(path)).status === 200) return
  const { teamId = '' } = caller
  const locking = { access: 'custom', 'workspace-locking': true }
  const found = await scene.owner.get(
    `/api/v2/team-workspaces?filter[workspace][id]=${scene.ids.workspaceId}&page[size]=100`,
  )
  type Access = { id: string; relationships: { team: { data: { id: string } } } }
  const access: Access = found.body.data.find((each: Access) => each.relationships.team.data.id === teamId)
  const at = `/api/v2/team-workspaces/${access.id}`
  mustBe(await scene.owner.patch(at, doc('team-workspaces', locking)), 200)
  mustBe(await caller.post(path), 200)
  mustBe(await scene.owner.patch(at, doc('team-workspaces', { ...locking, 'workspace-locking': false })), 200)
}

/** Makes sure that the owner holds the lock of the workspace. */
export const lockForOwner = (scene: Scene): Promise<undefined> => lockFor(scene, scene.callers.owner)

/** A document that brings a state, whatever came before it. */
export function stateBody(): object {
  const state = stateOf({ outputs: { region: 'eu' } })
  return stateDocument(state, { state: state.toString('base64'), force: true })
}

/** A state version that is not the current one. */
export async function oldVersion(scene: Scene): Promise<Ids> {
  await lockFor(scene, scene.callers.owner)
  const path = `/workspaces/${scene.ids.workspaceId}/state-versions`
  const stateVersionId = await makeAt(scene, path, stateBody())
  await makeAt(scene, path, stateBody())
  await release(scene)
  return { stateVersionId }
}
