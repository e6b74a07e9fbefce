import type { TokenType } from '../../../../../access/token-type.ts'
import type { OcspTerms } from '../ocsp/ocsp-check.ts'

/** Where the name of the entity behind a certificate is taken from. */
export const aliasSources = [
  'common_name',
  'uri_san',
  'dns_san',
  'email_san',
  'organizational_unit',
  // Short for the one before.
  'ou',
  'fingerprint',
] as const

/** One of the ways to name an entity. */
export type AliasSource = (typeof aliasSources)[number]

/** Everything a role says beside the certificates it trusts. Durations are whole seconds; 0 means not set. */
export type RoleSettings = OcspTerms & {
  readonly displayName: string
  readonly allowedNames: readonly string[]
  readonly allowedCommonNames: readonly string[]
  readonly allowedDnsSans: readonly string[]
  readonly allowedEmailSans: readonly string[]
  readonly allowedUriSans: readonly string[]
  readonly allowedOrganizationalUnits: readonly string[]
  readonly allowedOrganizations: readonly string[]
  readonly requiredExtensions: readonly string[]
  readonly allowedMetadataExtensions: readonly string[]
  readonly tokenTtl: number
  readonly tokenMaxTtl: number
  readonly tokenExplicitMaxTtl: number
  readonly tokenPeriod: number
  readonly tokenPolicies: readonly string[]
  readonly tokenBoundCidrs: readonly string[]
  readonly tokenStrictlyBindIp: boolean
  readonly tokenNoDefaultPolicy: boolean
  readonly tokenNumUses: number
  readonly tokenType: TokenType | 'default'
  readonly tokenBindCertificate: boolean
  readonly aliasMetadata: Readonly<Record<string, string>>
  readonly aliasSource: AliasSource
  /** `organization/team` that tokens of this role act for; empty for none. */
  readonly platformTeam: string
  /** The team that had this name when the link was written; empty if there was none. */
  readonly platformTeamId: string
  /** User name of the person whom browsers with such a certificate sign in; empty for nobody. */
  readonly platformUser: string
  /** The person who had this name when the link was written; empty if there was none. */
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
  displayName: name,
  allowedNames: [],
  allowedCommonNames: [],
  allowedDnsSans: [],
  allowedEmailSans: [],
  allowedUriSans: [],
  allowedOrganizationalUnits: [],
  allowedOrganizations: [],
  requiredExtensions: [],
  allowedMetadataExtensions: [],
  ocspEnabled: false,
  ocspCaCertificates: '',
  ocspServersOverride: [],
  ocspFailOpen: false,
  ocspThisUpdateMaxAge: 0,
  ocspMaxRetries: 4,
  ocspQueryAllServers: false,
  tokenTtl: 0,
  tokenMaxTtl: 0,
  tokenExplicitMaxTtl: 0,
  tokenPeriod: 0,
  tokenPolicies: [],
  tokenBoundCidrs: [],
  tokenStrictlyBindIp: false,
  tokenNoDefaultPolicy: false,
  tokenNumUses: 0,
  tokenType: 'default',
  tokenBindCertificate: false,
  aliasMetadata: {},
  aliasSource: 'common_name',
  platformTeam: '',
  platformTeamId: '',
  platformUser: '',
  platformUserId: '',
  boundCidrsNamed: false,
})

/** True if logins by a role act as a team or sign a person in, and so give access to the other API. */
export const isLinked = ({ platformTeam, platformUser }: CertRole): boolean =>
  platformTeam !== '' || platformUser !== ''

/** The key under which a name is found: names are compared without case. */
export const nameKeyOf = (name: string): string => name.toLowerCase()
