/** Somebody whom organizations have invited, and who is not a member yet. */
export type InvitedPerson = {
  /** The identifier of an invitation. */
  readonly membershipId: string
  readonly email: string
}

/**
 * Clients of this family read the id of the person of every membership, so that of somebody invited is derived from the
 * invitation.
 */
export const invitedUserId = ({ membershipId }: Pick<InvitedPerson, 'membershipId'>): string =>
  `user-${membershipId.slice('ou-'.length)}`

/** The invitation that the id of a person would refer to. */
export const invitationIdOf = (userId: string): string => `ou-${userId.slice('user-'.length)}`

/** An invitation that waits for somebody to accept it. */
export type OpenInvitation = InvitedPerson & {
  readonly organizationId: string
  readonly organizationName: string
}
