import type { Certificate } from './certificate.ts'
import { extensionOid } from './extensions.ts'

/** Extensions whose meaning is enforced or irrelevant to a login. */
const understood: ReadonlySet<string> = new Set([
  extensionOid.basicConstraints,
  extensionOid.keyUsage,
  extensionOid.extendedKeyUsage,
  extensionOid.subjectAltName,
  extensionOid.nameConstraints,
  extensionOid.certificatePolicies,
  extensionOid.policyMappings,
  extensionOid.policyConstraints,
  extensionOid.inhibitAnyPolicy,
  extensionOid.subjectKeyId,
  extensionOid.authorityKeyId,
  extensionOid.crlDistributionPoints,
  extensionOid.authorityInfoAccess,
])

const readableKinds: ReadonlySet<string> = new Set(['dns', 'email', 'uri', 'ip', 'directory'])

/** Why a certificate must be refused for a critical extension (RFC 5280 §4.2), or undefined if it need not be. */
export function criticalProblem(certificate: Certificate): string | undefined {
  for (const { oid, critical } of certificate.extensions.values())
    if (critical && !understood.has(oid)) return `The critical extension ${oid} is not understood.`
  if (certificate.extensions.get(extensionOid.subjectAltName)?.critical !== true) return undefined
  return certificate.alternativeNames.some((name) => readableKinds.has(name.kind))
    ? undefined
    : 'The critical subjectAltName has only kinds of names that are not understood.'
}
