import { type Instant, toIso } from '../../../../../kernel/clock.ts'
import { failure } from '../../../../../kernel/failure.ts'
import type { Certificate } from '../../../../../pki/certificates/certificate.ts'
import { isCa, serialText } from '../../../../../pki/certificates/certificate-facts.ts'
import { nameText } from '../../../../../pki/certificates/distinguished-names.ts'
import { readPemCertificates, type SkippedBlock } from '../../../../../pki/certificates/pem-certificates.ts'
import { AnchorSet } from '../../../../../pki/paths/anchors.ts'
import { findIssuer } from '../../../../../pki/paths/find-issuer.ts'
import type { CertRole } from './role.ts'

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

const invalid = (code: string, text: string) => failure('invalid', `cert-role.${code}`, text)

/** An OCSP request names the issuer; without that certificate there can be no status of a pinned one. */
export function issuerWarnings({ ocspEnabled, ocspFailOpen }: CertRole, { kind, certificates }: RoleTrust): string[] {
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
