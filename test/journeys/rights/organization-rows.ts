import { doc, mustBe } from '../../support/platform.ts'
import { scriptedRunner } from '../../support/scripted-runner.ts'
import { type Ask, listOf, type Row, sending } from './row.ts'
import { fresh, freshTeam, type Ids, makeAt, poolToken, type Scene } from './scene.ts'

const retention = sending('data-retention-policy-delete-olders', { 'delete-older-than-n-days': 30 })

/** Makes something in the organization; `name` is the path parameter of what was made. */
const making =
  (type: string, name: string, attributes: () => object) =>
  async (scene: Scene): Promise<Ids> => ({
    [name]: await makeAt(scene, `/organizations/${scene.organization.name}/${type}`, doc(type, attributes())),
  })

const key = (): object => ({ name: fresh(), value: 'secret' })
const pool = (): object => ({ name: fresh() })
const connection = (): object => ({
  name: fresh(),
  'service-provider': 'github',
  'http-url': 'https://git.example.com',
  'api-url': 'https://git.example.com/api',
  'oauth-token-string': 'secret',
})
const invitation = (): object => ({ email: `${fresh()}@example.com` })

async function freshConnection(scene: Scene): Promise<Ids> {
  const { clientId = '' } = await making('oauth-clients', 'clientId', connection)(scene)
  const { data } = (await scene.owner.get(`/api/v2/oauth-clients/${clientId}`)).body
  return { clientId, oauthTokenId: data.relationships['oauth-tokens'].data[0].id }
}

// The organization's main token is one of the callers, so that another one is replaced and revoked.
const otherToken: Ask = {
  query: () => '?token=audit-trails',
  ready: async (scene) => {
    await makeAt(scene, `/organizations/${scene.organization.name}/authentication-token?token=audit-trails`)
    return undefined
  },
}

const ofPool: Ask = { what: 'of an agent pool', aim: ({ poolTokenId = '' }) => ({ tokenId: poolTokenId }) }
const freshPoolToken = async ({ owner, ids }: Scene): Promise<Ids> => ({ tokenId: await poolToken(owner, ids.poolId) })

/** A runner that has said goodbye. */
async function freshAgent({ owner, ids, anonymous }: Scene): Promise<Ids> {
  const path = `/api/v2/agent-pools/${ids.poolId}/authentication-tokens`
  const { token } = mustBe(await owner.post(path, doc('authentication-tokens')), 201).body.data.attributes
  const runner = await scriptedRunner({ anonymous }, token)
  mustBe(await runner.deregister(), 204)
  return { agentId: runner.id }
}

/** The organization itself and what its workspaces use. */
export const organizationRows: readonly Row[] = [
  ['organizations.show', 'organization:can-traverse'],
  ['organizations.update', 'organization:can-update', sending('organizations', { 'cost-estimation-enabled': false })],
  [
    'organizations.update-by-put',
    'organization:can-update',
    sending('organizations', { 'cost-estimation-enabled': false }),
  ],
  ['organizations.entitlement-set', 'organization:can-traverse'],
  ['runs.of-organization', 'organization:can-traverse'],
  ['runs.queue', 'organization:can-traverse'],
  ['runs.capacity', 'organization:can-traverse'],
  ['organizations.token-limits', 'organization:can-traverse'],
  [
    'organizations.set-token-limits',
    'organization:can-update',
    sending('organization-token-ttl-policies', {
      'token-ttl-policies': [{ 'token-type': 'audit_trails', 'max-ttl-ms': 86_400_000 }],
    }),
  ],
  ['organizations.retention-policy', 'organization:can-traverse'],
  ['organizations.set-retention-policy', 'organization:can-update', retention],
  ['organizations.change-retention-policy', 'organization:can-update', retention],
  ['organizations.remove-retention-policy', 'organization:can-update'],
  ['changes.list', 'organization:can-read-changes'],
  ['attention.list', 'organization:can-traverse'],

  ['organization-token.show', 'organization:can-update-api-token', otherToken],
  ['organization-token.create', 'organization:can-update-api-token', otherToken],
  ['organization-token.delete', 'organization:can-update-api-token', otherToken],

  ['ssh-keys.list', 'organization:can-see-ssh-keys'],
  ['ssh-keys.show', 'organization:can-see-ssh-keys'],
  ['ssh-keys.create', 'organization:can-update-ssh-keys', { body: () => doc('ssh-keys', key()) }],
  ['ssh-keys.update', 'organization:can-update-ssh-keys', { body: () => doc('ssh-keys', { name: fresh() }) }],
  ['ssh-keys.delete', 'organization:can-update-ssh-keys', { ready: making('ssh-keys', 'keyId', key) }],

  ['agent-pools.list', 'organization:can-traverse'],
  ['agent-pools.show', 'organization:can-traverse'],
  ['agent-pools.create', 'organization:can-update-agent-pools', { body: () => doc('agent-pools', pool()) }],
  ['agent-pools.update', 'organization:can-update-agent-pools', { body: () => doc('agent-pools', pool()) }],
  ['agent-pools.delete', 'organization:can-update-agent-pools', { ready: making('agent-pools', 'poolId', pool) }],
  ['agent-tokens.list', 'organization:can-update-agent-pools'],
  ['agents.list', 'organization:can-traverse'],
  ['agents.show', 'organization:can-traverse'],
  ['agents.delete', 'organization:can-update-agent-pools', { ready: freshAgent }],
  [
    'agent-tokens.create',
    'organization:can-update-agent-pools',
    { body: () => doc('authentication-tokens', { description: fresh() }) },
  ],

  ['oauth-clients.list', 'organization:can-traverse'],
  ['oauth-clients.show', 'organization:can-traverse'],
  ['oauth-clients.list-tokens', 'organization:can-traverse'],
  ['oauth-clients.create', 'organization:can-update-oauth', { body: () => doc('oauth-clients', connection()) }],
  ['oauth-clients.update', 'organization:can-update-oauth', { body: () => doc('oauth-clients', { name: fresh() }) }],
  ['oauth-clients.delete', 'organization:can-update-oauth', { ready: freshConnection }],
  ['oauth-tokens.list', 'organization:can-traverse'],
  ['oauth-tokens.show', 'organization:can-traverse'],
  ['oauth-tokens.update', 'organization:can-update-oauth', sending('oauth-tokens')],
  ['oauth-tokens.delete', 'organization:can-update-oauth', { ready: freshConnection }],
]

const ofSecretTeam: Ask = { what: 'of a secret team', aim: ({ secretTeamId = '' }) => ({ teamId: secretTeamId }) }
const byName = { body: (ids: Ids) => listOf('users', ids.invitedName), ready: freshTeam }
const byMembership = {
  body: (ids: Ids) => listOf('organization-memberships', ids.invitedMembershipId),
  ready: freshTeam,
}

/** People, teams and their tokens. */
export const teamRows: readonly Row[] = [
  ['memberships.list', 'organization:can-traverse'],
  ['memberships.show', 'organization:can-traverse'],
  ['memberships.of-team', 'organization:can-traverse'],
  [
    'memberships.invite',
    'organization:can-manage-users',
    { body: () => doc('organization-memberships', invitation()) },
  ],
  [
    'memberships.delete',
    'organization:can-manage-users',
    { ready: making('organization-memberships', 'membershipId', invitation) },
  ],

  ['teams.list', 'organization:can-traverse'],
  ['teams.show', 'organization:can-traverse'],
  ['teams.show', 'organization:can-see-secret-teams', ofSecretTeam],
  ['memberships.of-team', 'organization:can-see-secret-teams', ofSecretTeam],
  ['teams.create', 'organization:can-create-team', { body: () => doc('teams', { name: fresh() }) }],
  ['teams.update', 'organization:can-manage-teams', sending('teams', { 'sso-team-id': 'x' })],
  ['teams.delete', 'organization:can-manage-teams', { ready: freshTeam }],
  ['teams.add-users', 'organization:can-fill-teams', byName],
  ['teams.remove-users', 'organization:can-fill-teams', byName],
  ['teams.add-organization-memberships', 'organization:can-fill-teams', byMembership],
  ['teams.remove-organization-memberships', 'organization:can-fill-teams', byMembership],

  ['organization-team-tokens.list', 'organization:can-traverse'],
  ['team-token.show', 'organization:can-manage-teams', { ready: freshTeam }],
  ['team-token.create', 'organization:can-manage-teams', { ready: freshTeam }],
  ['team-token.delete', 'organization:can-manage-teams', { ready: freshTeam }],
  ['team-tokens.list', 'organization:can-manage-teams'],
  [
    'team-tokens.create',
    'organization:can-manage-teams',
    { body: () => doc('authentication-tokens', { description: fresh() }) },
  ],
  ['tokens.show', 'organization:can-manage-teams', { what: 'of a team' }],
  ['tokens.delete', 'organization:can-manage-teams', { what: 'of a team', ready: freshTeam }],
  ['tokens.show', 'organization:can-update-agent-pools', ofPool],
  ['tokens.delete', 'organization:can-update-agent-pools', { ...ofPool, ready: freshPoolToken }],

  ['users.show', 'organization:can-see-its-people'],
  [
    'users.show',
    'organization:can-see-its-people',
    { what: 'of somebody invited', aim: ({ placeholderId = '' }) => ({ userId: placeholderId }) },
  ],
  ['user-tokens.list', 'organization:is-the-user'],
  [
    'user-tokens.create',
    'organization:is-the-user',
    { body: () => doc('authentication-tokens', { description: fresh() }) },
  ],
]
