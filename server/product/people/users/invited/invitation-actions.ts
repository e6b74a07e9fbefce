import { failure } from '../../../../kernel/failure.ts'
import { type Author, recordUpdate } from '../../../../kit/change-log/index.ts'
import type { Deps } from '../../../../kit/deps.ts'
import type { Tx } from '../../../../storage/open.ts'
import { acceptInvitation } from '../organization-membership-store.ts'
import { loadInvitationsFor, type OwnMembership } from '../own-membership-store.ts'
import type { User } from '../user.ts'
import type { OpenInvitation } from './invitation.ts'
import { findPlaceTaken } from './invitation-store.ts'

type AcceptanceDeps = Pick<Deps, 'clock' | 'ids' | 'store'>
type Accepting = Pick<User, 'id' | 'email' | 'emailVerified'>

/** A membership as the subject of a change. */
export const membershipChange = ({
  id,
  organizationId,
  email,
}: Pick<OwnMembership, 'id' | 'organizationId' | 'email'>) => ({
  organizationId,
  subject: { type: 'organization-memberships', id, name: email },
})

/** Accepts every invitation for a person's address, if that is verified. */
export async function acceptByAddress(deps: AcceptanceDeps, tx: Tx, author: Author, user: Accepting): Promise<void> {
  if (!user.emailVerified) return
  for (const { id, organizationId, email } of await loadInvitationsFor(tx, user.email))
    await accept(deps, tx, author, { membershipId: id, organizationId, email }, user)
}

/** Accepts one invitation for a person whose address may be another; false if somebody was faster. */
export async function acceptByLink(
  deps: AcceptanceDeps,
  tx: Tx,
  author: Author,
  invitation: OpenInvitation,
  user: Accepting,
): Promise<boolean> {
  const { organizationName } = invitation
  const taken = await findPlaceTaken(tx, invitation, user)
  if (taken === 'person') {
    const text = `You are a member of ${organizationName} already. The link still works for somebody else.`
    throw failure('invalid', 'membership.member-already', text)
  }
  if (taken === 'address') {
    const text = `${organizationName} has another invitation for ${user.email}: use the link of that one.`
    throw failure('invalid', 'membership.email-taken', text)
  }
  return await accept(deps, tx, author, invitation, user)
}

async function accept(
  deps: AcceptanceDeps,
  tx: Tx,
  author: Author,
  { membershipId, organizationId, email }: Omit<OpenInvitation, 'organizationName'>,
  user: Accepting,
): Promise<boolean> {
  if (!(await acceptInvitation(tx, membershipId, user))) return false
  await recordUpdate(deps, tx, author, {
    ...membershipChange({ id: membershipId, organizationId, email }),
    before: { status: 'invited', email },
    after: { status: 'active', email: user.email },
  })
  return true
}
