import type { HeldBy } from '../../../../../kit/json-fields.ts'
import { roleFields } from './role-fields.ts'

/** Everything a role says beside the certificates it trusts. */
type RoleSettings = HeldBy<typeof roleFields> & {
  /** The team that `platformTeam` named when the link was written; empty if there was none. */
  readonly platformTeamId: string
  /** The person whom `platformUser` named when the link was written; empty if there was none. */
  readonly platformUserId: string
  /** True if the bounds were last written under their old name, so that readers expect to see it. */
  readonly boundCidrsNamed: boolean
}

/** A role: which certificates may log in, and what they get. */
export type CertRole = RoleSettings & {
  /** As first written; compared without case. */
  readonly name: string
  /** PEM as sent. */
  readonly certificate: string
}

/** A role with nothing but a name. Stored roles that lack a newer field get its value from here. */
export const blankRole = (name: string): CertRole => ({
  name,
  certificate: '',
  ...roleFields.initial,
  displayName: name,
  tokenType: 'default',
  aliasSource: 'common_name',
  platformTeamId: '',
  platformUserId: '',
  boundCidrsNamed: false,
})

/** True if logins by a role act as a team or sign a person in, and so give access to the other API. */
export const isLinked = ({ platformTeam, platformUser }: CertRole): boolean =>
  platformTeam !== '' || platformUser !== ''

/** The key under which a name is found: names are compared without case. */
export const nameKeyOf = (name: string): string => name.toLowerCase()
