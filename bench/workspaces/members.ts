import type { ChildServer } from '../harness/child-server.ts'
import { documentOf, send } from '../harness/platform-client.ts'

/** A user in this many teams of an organization, each of which may read one workspace; returns a token. */
export async function createMember(
  server: ChildServer,
  { organization, workspaceId, teams }: { organization: string; workspaceId: string; teams: number },
): Promise<string> {
  const username = `in-${teams}-teams`
  const email = `${username}@example.com`
  const user = await send(server, '/admin/users', documentOf('users', { username, email }))
  const within = `/organizations/${organization}`
  const ids: string[] = []
  for (let n = 0; n < teams; n++) {
    const team = await send(server, `${within}/teams`, documentOf('teams', { name: `${username}-${n}` }))
    const relationships = {
      team: { data: { type: 'teams', id: team.id } },
      workspace: { data: { type: 'workspaces', id: workspaceId } },
    }
    await send(server, '/team-workspaces', documentOf('team-workspaces', { access: 'read' }, relationships))
    ids.push(team.id)
  }
  const membership = documentOf(
    'organization-memberships',
    { email },
    { teams: { data: ids.map((id) => ({ type: 'teams', id })) } },
  )
  await send(server, `${within}/organization-memberships`, membership)
  const token = await send(server, `/users/${user.id}/authentication-tokens`, documentOf('authentication-tokens'))
  return token.attributes.token ?? ''
}
