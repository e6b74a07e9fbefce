import type { Instant } from '../../../../../kernel/clock.ts'
import { failure } from '../../../../../kernel/failure.ts'
import { purposeOid } from '../../../../../pki/certificates/extensions.ts'
import { checkTokenTerms } from '../../../login-roles/login-role.ts'
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

/** Warnings about a role that is stored all the same. */
export const roleWarnings = (role: CertRole, trust: RoleTrust, now: Instant): string[] => [
  ...expiryWarnings(trust, now),
  ...issuerWarnings(role, trust),
  ...trust.skipped.map(({ index, reason }) => `Block ${index + 1} of 'certificate' was skipped: ${reason}`),
]
