import type { TokenType } from '../../../../../access/token-plan.ts'
import { ungrantablePolicies } from '../../../../../access/token-policies.ts'
import type { MountTtls } from '../../../../../access/ttl.ts'
import type { Instant } from '../../../../../kernel/clock.ts'
import { failure } from '../../../../../kernel/failure.ts'
import { purposeOid } from '../../../../../pki/certificates/extensions.ts'
import { checkMetadata } from '../../../identity/entity.ts'
import { isOid, parseExtensionRule } from '../login/matching/extension.ts'
import { responderCertificates } from '../ocsp/ocsp.ts'
import type { CertRole } from './role.ts'
import { expiryWarnings, issuerWarnings, type RoleTrust, readTrust } from './role-trust.ts'

/** Throws at the first thing that makes a role unusable. */
export function checkRole(role: CertRole): RoleTrust {
  const trust = readTrust(role.certificate)
  checkPinnedLeaf(trust)
  checkTokenTerms(role)
  checkExtensions(role)
  checkOcsp(role)
  checkMetadata('alias_metadata', role.aliasMetadata)
  if (role.platformTeam !== '' && !/^[^/\s]+\/[^/]/.test(role.platformTeam))
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
    if (responderUrl(server) === undefined)
      throw invalid(
        'ocsp-server',
        `Field 'ocsp_servers_override' holds '${server}', which is neither an http or https URL nor host:port.`,
      )
  }
  if (role.ocspCaCertificates !== '' && responderCertificates(role.ocspCaCertificates).length === 0)
    throw invalid(
      'ocsp-ca',
      "Field 'ocsp_ca_certificates' must hold at least one certificate, as PEM, base64 of PEM or base64 of DER.",
    )
}

/** True for an http or https URL. The pattern requires the slashes, since the parser would add missing ones. */
export const isHttpUrl = (text: string): boolean => /^\s*https?:\/\/[^/]/i.test(text) && URL.canParse(text)

/** A host, and a port and path if there are any. */
const bareAddress = /^(?:\[[\da-f:.]+\]|[^\s/\\:?#@[\]]+)(?::\d+)?(?:\/\S*)?$/i

/** The URL of a responder, which a role may name without a scheme; undefined for what is no address. */
export function responderUrl(address: string): string | undefined {
  const url = bareAddress.test(address) ? `http://${address}` : address
  return isHttpUrl(url) ? url : undefined
}

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
