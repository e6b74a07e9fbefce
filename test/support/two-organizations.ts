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
  team,
} from './platform.ts'
import { announce, stateOf } from './states.ts'
import type { TestApp } from './test-app.ts'

/** An organization with something of everything in it, and what addresses those things. */
export type Filled = {
  readonly organization: Organization
  readonly owner: Person
  /** Everybody who may act for the organization. */
  readonly callers: Readonly<Record<string, Client>>
  /** What stands in addresses: the value of each path parameter. */
  readonly params: Readonly<Record<string, string>>
  /** Words and ids that nobody outside may ever be told. */
  readonly marks: readonly string[]
}

/** Fills an organization. A feature with a new kind of path parameter adds here what it stands for. */
export async function fillOrganization(app: TestApp, word: string): Promise<Filled> {
  const owner = await person(app, `${word}-owner`)
  const member = await person(app, `${word}-member`)
  const made = await organization(owner, `${word}-organization`)
  const ops = await team(made, `${word}-team`, { visibility: 'organization' })
  const membershipId = await join(made, member, [ops.id])
  const userTokens = (await owner.get(`/api/v2/users/${owner.id}/authentication-tokens`)).body.data
  const teamTokens = (await owner.get(`/api/v2/teams/${ops.id}/authentication-tokens`)).body.data
  const workspace = doc('workspaces', { name: `${word}-workspace` })
  const created = mustBe(await owner.post(`/api/v2/organizations/${made.name}/workspaces`, workspace), 201)
  const workspaceId = created.body.data.id as string
  const tags = { data: [{ type: 'tags', attributes: { name: `${word}-tag` } }] }
  mustBe(await owner.post(`/api/v2/workspaces/${workspaceId}/relationships/tags`, tags), 204)
  const tagId = (await owner.get(`/api/v2/organizations/${made.name}/tags`)).body.data[0].id as string
  const retention = doc('data-retention-policy-dont-deletes')
  mustBe(await owner.post(`/api/v2/organizations/${made.name}/relationships/data-retention-policy`, retention), 200)
  const key = doc('ssh-keys', { name: `${word}-key`, value: `${word}-secret` })
  const keyId = mustBe(await owner.post(`/api/v2/organizations/${made.name}/ssh-keys`, key), 201).body.data.id as string
  const variable = doc('vars', { key: `${word}-variable`, value: `${word}-value`, category: 'env' })
  const variableId = mustBe(await owner.post(`/api/v2/workspaces/${workspaceId}/vars`, variable), 201).body.data.id
  const state = stateOf({ outputs: { [`${word}-output`]: `${word}-output-value` } })
  mustBe(await owner.post(`/api/v2/workspaces/${workspaceId}/actions/lock`), 200)
  const brought = announce(state, { state: state.toString('base64') })
  const version = mustBe(await owner.post(`/api/v2/workspaces/${workspaceId}/state-versions`, brought), 201).body.data
  mustBe(await owner.post(`/api/v2/workspaces/${workspaceId}/actions/unlock`), 200)
  const stateVersionId = version.id as string
  const outputId = version.relationships.outputs.data[0].id as string
  const given = async (type: string, target: string, id: string): Promise<string> => {
    const relationships = {
      team: { data: { type: 'teams', id: ops.id } },
      [target]: { data: { type: `${target}s`, id } },
    }
    return mustBe(await owner.post(`/api/v2/${type}`, doc(type, { access: 'read' }, relationships)), 201).body.data.id
  }
  const teamWorkspaceId = await given('team-workspaces', 'workspace', workspaceId)
  const teamProjectId = await given('team-projects', 'project', made.projectId)
  const described = doc('workspaces', { description: `${word}-description` })
  mustBe(await owner.patch(`/api/v2/workspaces/${workspaceId}`, described), 200)
  const changes = (await owner.get(`/api/v2/workspaces/${workspaceId}/changes`)).body.data
  const pool = doc('agent-pools', { name: `${word}-pool` })
  const poolId = mustBe(await owner.post(`/api/v2/organizations/${made.name}/agent-pools`, pool), 201).body.data.id
  const connection = doc('oauth-clients', {
    name: `${word}-connection`,
    'service-provider': 'github',
    'http-url': `https://${word}.example.com`,
    'api-url': `https://${word}.example.com/api`,
    'oauth-token-string': `${word}-oauth-token`,
  })
  const client = mustBe(await owner.post(`/api/v2/organizations/${made.name}/oauth-clients`, connection), 201).body.data
  const clientId = client.id as string
  const oauthTokenId = client.relationships['oauth-tokens'].data[0].id as string
  const params = {
    changeId: changes[0].id as string,
    organization: made.name,
    userId: owner.id,
    teamId: ops.id,
    membershipId,
    tokenId: teamTokens[0].id as string,
    projectId: made.projectId,
    workspaceId,
    tagId,
    keyId,
    variableId: variableId as string,
    stateVersionId,
    outputId,
    teamWorkspaceId,
    teamProjectId,
    poolId: poolId as string,
    clientId,
    oauthTokenId,
    // Tool versions belong to the site; no organization has one of its own.
    versionId: 'tool-1111111111111111',
    name: `${word}-workspace`,
  }
  return {
    organization: made,
    owner,
    callers: { owner, member, team: ops, organization: await organizationToken(made) },
    params,
    marks: [
      word,
      made.id,
      made.projectId,
      owner.id,
      member.id,
      ops.id,
      membershipId,
      userTokens[0].id,
      teamTokens[0].id,
      workspaceId,
      tagId,
      keyId,
      variableId,
      stateVersionId,
      outputId,
      teamWorkspaceId,
      teamProjectId,
      poolId,
      clientId,
      oauthTokenId,
    ],
  }
}
