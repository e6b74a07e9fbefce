/** Somebody whom organizations have invited, and who has no account here yet. */
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
