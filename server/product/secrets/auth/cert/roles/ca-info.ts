import { type Instant, toIso } from '../../../../../kernel/clock.ts'
import { type Certificate, isCa, nameText, serialText } from '../../../../../pki/index.ts'

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
