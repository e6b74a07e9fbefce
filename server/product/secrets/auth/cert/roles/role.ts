import { ungrantablePolicies } from '../../../../../access/token-policies.ts'
import type { TokenType } from '../../../../../access/token-type.ts'
import type { MountTtls } from '../../../../../access/ttl.ts'
import { type Instant, toIso } from '../../../../../kernel/clock.ts'
import { failure } from '../../../../../kernel/failure.ts'
import type { HeldBy } from '../../../../../kit/json-fields.ts'
import type { Certificate } from '../../../../../pki/certificates/certificate.ts'
import { isCa, serialText } from '../../../../../pki/certificates/certificate-facts.ts'
import { purposeOid } from '../../../../../pki/certificates/extensions.ts'
import { nameText } from '../../../../../pki/certificates/names.ts'
import { readPemCertificates, type SkippedBlock } from '../../../../../pki/certificates/pem-certificates.ts'
import { AnchorSet } from '../../../../../pki/paths/anchors.ts'
import { findIssuer } from '../../../../../pki/paths/find-issuer.ts'
import { checkMetadata } from '../../../identity/entity.ts'
import { isOid, parseExtensionRule } from '../login/matching/extension.ts'
import { responderCertificates } from '../ocsp/ocsp.ts'
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

/** What a role trusts. */
export type RoleTrust = {
  /** `leaf`: only exactly this client certificate. `ca`: whatever these CAs issue. */
  readonly kind: 'leaf' | 'ca'
  readonly certificates: readonly Certificate[]
  readonly skipped: readonly SkippedBlock[]
}

/** Reads what a role trusts from its PEM. The first certificate decides which kind of role it is. */
export function readTrust(pem: string): RoleTrust {
  const { certificates, skipped } = readPemCertificates(pem)
  const [first] = certificates
  if (first === undefined) throw invalid('certificate', pem.trim() === '' ? emptyText : noCertificateText(skipped))
  return { kind: isCa(first) ? 'ca' : 'leaf', certificates, skipped }
}

const emptyText = "Field 'certificate' could not be parsed: it is empty, and must hold at least one certificate as PEM."

const noCertificateText = ([first]: readonly SkippedBlock[]): string =>
  `Field 'certificate' could not be parsed: it must hold at least one certificate as PEM${first ? ` (${first.reason})` : ''}.`

/** Throws at the first thing that makes a role unusable. */
export function checkRole(role: CertRole): RoleTrust {
  const trust = readTrust(role.certificate)
  checkPinnedLeaf(trust)
  checkTokenTerms(role)
  checkExtensions(role)
  checkOcsp(role)
  checkMetadata('alias_metadata', role.aliasMetadata)
  if (role.platformTeam !== '' && !/^[^/\s]+\/[^/]+$/.test(role.platformTeam))
    throw invalid('platform-team', "Field 'platform_team' must have the form organization/team.")
  if (/[\s/]/.test(role.platformUser)) throw invalid('platform-user', "Field 'platform_user' must be a user name.")
  return trust
}

/** A pinned certificate that may not be used by TLS clients could never log in. */
function checkPinnedLeaf({ kind, certificates }: RoleTrust): void {
  const purposes = certificates[0]?.extendedKeyUsage
  if (kind === 'ca' || purposes === undefined) return
  if (purposes.includes(purposeOid.clientAuth) || purposes.includes(purposeOid.any)) return
  throw invalid(
    'purpose',
    "Field 'certificate' holds a certificate that is no CA; its extKeyUsage must allow TLS client authentication.",
  )
}

function checkTokenTerms(role: CertRole): void {
  if (role.tokenMaxTtl > 0 && role.tokenTtl > role.tokenMaxTtl)
    throw invalid(
      'ttl',
      `Field 'token_ttl' (${role.tokenTtl} s) must not exceed 'token_max_ttl' (${role.tokenMaxTtl} s).`,
    )
  if (role.tokenNumUses < 0) throw invalid('num-uses', "Field 'token_num_uses' must not be negative.")
  if (role.tokenStrictlyBindIp && role.tokenBoundCidrs.length > 0)
    throw invalid('bound-twice', "Field 'token_strictly_bind_ip' conflicts with 'token_bound_cidrs'; set only one.")
  if (role.tokenType !== 'batch') return
  if (role.tokenPeriod > 0) throw invalid('batch', "Batch tokens cannot be periodic: 'token_period' must be 0.")
  if (role.tokenNumUses > 0)
    throw invalid('batch', "Uses of batch tokens cannot be counted: 'token_num_uses' must be 0.")
}

function checkExtensions(role: CertRole): void {
  for (const entry of role.requiredExtensions) {
    if (!isOid(parseExtensionRule(entry).oid))
      throw invalid(
        'required-extension',
        `Field 'required_extensions' holds '${entry}'; entries have the form oid:value or hex:oid:value.`,
      )
  }
  for (const entry of role.allowedMetadataExtensions) {
    if (!isOid(entry))
      throw invalid('oid', `Field 'allowed_metadata_extensions' holds '${entry}', which is not an object identifier.`)
  }
}

function checkOcsp(role: CertRole): void {
  // Clients and their tests look for these words.
  if (role.ocspMaxRetries < 0) throw invalid('ocsp-retries', 'ocsp_max_retries can not be a negative number')
  for (const server of role.ocspServersOverride) {
    if (!isHttpUrl(server))
      throw invalid(
        'ocsp-server',
        `Field 'ocsp_servers_override' holds '${server}', which is not an http or https URL.`,
      )
  }
  if (role.ocspCaCertificates !== '' && responderCertificates(role.ocspCaCertificates).length === 0)
    throw invalid(
      'ocsp-ca',
      "Field 'ocsp_ca_certificates' must hold at least one certificate, as PEM or base64 of PEM.",
    )
}

/** True for an http or https URL. The pattern requires the slashes, since the parser would add missing ones. */
export const isHttpUrl = (text: string): boolean => /^\s*https?:\/\/[^/]/i.test(text) && URL.canParse(text)

const invalid = (code: string, text: string) => failure('invalid', `cert-role.${code}`, text)

/** Warnings about a role that is stored all the same. `tokenType` is the kind of token that its logins get. */
export function roleWarnings(
  role: CertRole,
  trust: RoleTrust,
  at: MountTtls & { now: Instant; tokenType: TokenType },
): string[] {
  const { defaultLeaseTtl, maxLeaseTtl, now, tokenType } = at
  const above = (name: string, seconds: number, limit: number, what: string): string[] =>
    seconds > limit ? [`'${name}' is ${seconds} seconds, above the mount's ${what} of ${limit} seconds.`] : []
  return [
    ...above('token_ttl', role.tokenTtl, defaultLeaseTtl, 'default lifetime'),
    ...above('token_max_ttl', role.tokenMaxTtl, maxLeaseTtl, 'maximum lifetime'),
    ...above('token_period', role.tokenPeriod, maxLeaseTtl, 'maximum lifetime'),
    ...(tokenType === 'batch' && role.tokenNumUses > 0 ? [uncountedText] : []),
    ...ungrantablePolicies(role.tokenPolicies).map(ungrantableText),
    ...expiryWarnings(trust, now),
    ...issuerWarnings(role, trust),
    ...trust.skipped.map(({ index, reason }) => `Block ${index + 1} of 'certificate' was skipped: ${reason}`),
  ]
}

const ungrantableText = (name: string): string =>
  `'token_policies' holds '${name}', which no login can grant: every login by this role is refused.`

const uncountedText = "'token_num_uses' has no effect: this mount issues batch tokens, whose uses cannot be counted."

/** An OCSP request names the issuer; without that certificate there can be no status of a pinned one. */
function issuerWarnings({ ocspEnabled, ocspFailOpen }: CertRole, { kind, certificates }: RoleTrust): string[] {
  const [first] = certificates
  if (!ocspEnabled || kind === 'ca' || !first || findIssuer(certificates, first)) return []
  return [
    `'ocsp_enabled' needs the issuer of the pinned certificate: put it behind that certificate in 'certificate'. ` +
      `Until then ${ocspFailOpen ? 'logins pass without a status' : 'nobody can log in'}.`,
  ]
}

/** A day in milliseconds. */
export const dayMs = 86_400_000

/** How many days before a CA expires people are warned. */
export const warningDays = 30

/** Whole days a certificate is still valid; negative once it has expired. */
export const daysLeft = (notAfter: number, now: Instant): number => Math.floor((notAfter - now) / dayMs)

/** What readers of a role want to know about the certificates in it. */
export const caInfo = (certificates: readonly Certificate[], now: Instant): Record<string, unknown>[] =>
  certificates.map((certificate) => ({
    subject: nameText(certificate.subject),
    issuer: nameText(certificate.issuer),
    serial_number: serialText(certificate),
    is_ca: isCa(certificate),
    not_before: toIso(certificate.notBefore),
    not_after: toIso(certificate.notAfter),
    days_left: daysLeft(certificate.notAfter, now),
    fingerprint_sha256: certificate.fingerprint,
  }))

/**
 * A sentence for each CA that has expired or soon will, and for a pinned certificate that has: those may be short-lived
 * on purpose.
 */
export function expiryWarnings(
  { kind, certificates }: { readonly kind: 'leaf' | 'ca'; readonly certificates: readonly Certificate[] },
  now: Instant,
): string[] {
  return certificates.flatMap((certificate, index) => {
    const days = daysLeft(certificate.notAfter, now)
    const isPinned = kind === 'leaf' && index === 0
    if (isPinned ? days >= 0 : !isCa(certificate) || days >= warningDays) return []
    const subject = nameText(certificate.subject) || `serial ${serialText(certificate)}`
    const end = toIso(certificate.notAfter)
    return [
      days < 0
        ? `The certificate '${subject}' in 'certificate' expired at ${end}: nobody can log in by it.`
        : `The certificate '${subject}' in 'certificate' expires at ${end}; put its successor into the role beside it.`,
    ]
  })
}

/** What a role trusts, prepared for many logins. */
export type KnownTrust = {
  readonly kind: 'leaf' | 'ca'
  /** In the order of the PEM. */
  readonly certificates: readonly Certificate[]
  /** The pinned certificate alone, or every certificate of the PEM. */
  readonly anchors: AnchorSet
}

/** A role, ready to judge logins. */
export type KnownRole = { readonly role: CertRole; readonly trust: KnownTrust }

/**
 * Prepares the certificates of a role. Those of OCSP responders are not among them: they confirm answers, not clients.
 */
export function prepareTrust(pem: string): KnownTrust {
  const { kind, certificates } = readTrust(pem)
  return { kind, certificates, anchors: new AnchorSet(kind === 'leaf' ? certificates.slice(0, 1) : certificates) }
}
