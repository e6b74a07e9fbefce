import { canDelegate, hidden, type OrganizationGrants } from '../../../../access/permissions/index.ts'
import { failure } from '../../../../kernel/failure.ts'
import { type Author, recordChange } from '../../../../kit/change-log/index.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { invalidAttribute, invalidRelationship } from '../../../../kit/jsonapi/index.ts'
import { unlessTaken } from '../../../../storage/database-errors.ts'
import type { Tx } from '../../../../storage/open.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { lockArea } from '../../../../storage/versions.ts'
import { deleteMembership, insertMembership, loadUserByEmail, newLink, runDepartureSteps } from '../../users/index.ts'
import { canSeeTeam } from '../team.ts'
import { loadTeams } from '../team-store.ts'
import { lostLastOwner, type Membership, type MembershipDetails } from './membership.ts'
import { countOwners, findMembershipByEmail, insertTeamMembers, lockOrganizationForUpdate } from './membership-store.ts'

type MembershipDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'keyring' | 'store' | 'parts'>

/** Who is invited, into which teams. */
type Invitation = { readonly email: string; readonly teamIds: readonly string[] }

const subjectOf = (membership: Membership) => ({
  type: 'organization-memberships',
  id: membership.id,
  name: membership.email,
})

const emailTaken = () => invalidAttribute('email', 'Email is invited or a member already', 'membership.email-taken')

/** The membership of somebody who was invited. */
type Invited = {
  readonly membership: Membership
  /** The path of the link with which somebody accepts the invitation; undefined for a member. */
  readonly linkPath: string | undefined
}

/**
 * Invites a person: a member at once if an account has the address and an administrator has verified it, otherwise as soon
 * as this is so, or somebody accepts by the link.
 */
export async function invite(
  deps: MembershipDeps,
  author: Author,
  grants: OrganizationGrants,
  invitation: Invitation,
): Promise<Invited> {
  return await unlessTaken(emailTaken, () =>
    inTransaction(deps.db, (tx) => inviteIn(deps, tx, author, grants, invitation)),
  )
}

async function inviteIn(
  deps: MembershipDeps,
  tx: Tx,
  author: Author,
  grants: OrganizationGrants,
  { email, teamIds }: Invitation,
): Promise<Invited> {
  const { organizationId } = grants
  // Creating a person, or giving somebody an address, takes the same lock, so that an invitation and a person with its
  // address cannot miss each other.
  await lockArea(tx, 'users')
  if (await findMembershipByEmail(tx, organizationId, email)) throw emailTaken()
  await requireTeams(tx, grants, teamIds)
  const holder = await loadUserByEmail(tx, email)
  // Whoever has set the address without being verified may be anybody.
  const user = holder?.emailVerified ? holder : undefined
  const link = user ? undefined : newLink(deps, 'membership')
  const membership: Membership = {
    id: deps.ids.newId('ou'),
    organizationId,
    userId: user?.id ?? null,
    email: user?.email ?? email,
    status: user ? 'active' : 'invited',
    createdAt: deps.clock.now(),
  }
  await insertMembership(tx, membership, link)
  await insertTeamMembers(tx, teamIds, [membership.id])
  const after = { email, status: membership.status, teams: teamIds }
  await recordChange(deps, tx, author, { organizationId, subject: subjectOf(membership), action: 'create', after })
  return { membership, linkPath: link?.path }
}

/** The teams must be visible to the caller, who must be allowed to add people to them. */
async function requireTeams(tx: Tx, grants: OrganizationGrants, teamIds: readonly string[]): Promise<void> {
  const teams = (await loadTeams(tx, teamIds)).filter(
    (team) => team.organizationId === grants.organizationId && canSeeTeam(grants, team),
  )
  if (teams.length < teamIds.length) throw invalidRelationship('teams', 'A team does not exist in this organization')
  if (!teams.every((team) => canDelegate(grants, team)))
    throw invalidRelationship('teams', 'A team has more access than you may grant')
}

/** Ends a membership. An organization keeps at least one owner who is not suspended. */
export async function removeMembership(
  deps: MembershipDeps,
  author: Author,
  membership: MembershipDetails,
): Promise<void> {
  const { organizationId } = membership
  await inTransaction(deps.db, async (tx) => {
    await lockOrganizationForUpdate(tx, organizationId)
    const owners = await countOwners(tx, organizationId)
    if (!(await deleteMembership(tx, membership.id))) throw hidden()
    if (lostLastOwner(owners, await countOwners(tx, organizationId))) {
      throw failure(
        'invalid',
        'membership.last-owner',
        'An organization must keep at least one owner who is not suspended; add another owner first.',
      )
    }
    if (membership.userId !== null) {
      await runDepartureSteps(deps, tx, author, { kind: 'user', id: membership.userId, organizationId })
    }
    const teams = membership.teams.map(({ id }) => id)
    const before = { email: membership.email, status: membership.status, teams }
    await recordChange(deps, tx, author, { organizationId, subject: subjectOf(membership), action: 'delete', before })
  })
}
