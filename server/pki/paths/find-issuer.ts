import type { Certificate } from '../certificates/certificate.ts'
import { isSameName } from '../certificates/distinguished-names.ts'
import { isSignedBy } from '../certificates/signature.ts'

/**
 * The one of these certificates that issued the other; undefined when none did. If the signature uses an algorithm that
 * is not verified here, which may happen on a pinned certificate, name and key identifier decide.
 */
export function findIssuer(certificates: readonly Certificate[], child: Certificate): Certificate | undefined {
  const named = certificates.filter(
    (each) => each.fingerprint !== child.fingerprint && isSameName(each.subject, child.issuer),
  )
  const likely = orderByKeyId(child, named)
  return child.algorithm.scheme === undefined ? likely[0] : likely.find((each) => isSignedBy(child, each.publicKey))
}

/**
 * Candidate issuers in the order to try them: first with a matching key identifier, then without one, then with
 * another.
 */
export function orderByKeyId(child: Certificate, issuers: readonly Certificate[]): readonly Certificate[] {
  const wanted = child.authorityKeyId
  if (issuers.length < 2 || wanted === undefined) return issuers
  const rank = ({ subjectKeyId: own }: Certificate): number => (own === undefined ? 1 : own.equals(wanted) ? 0 : 2)
  return [...issuers].sort((a, b) => rank(a) - rank(b))
}
