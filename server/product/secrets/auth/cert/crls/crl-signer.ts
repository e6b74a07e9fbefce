import type { Deps } from '../../../../../kit/deps.ts'
import { type Certificate, crlProblem, type LoadedCrl, mayUse } from '../../../../../pki/index.ts'
import { configOf } from '../config/config-actions.ts'
import { directoryOf } from '../login/role-directory-actions.ts'
import { keyHashOf } from './crl-rules.ts'

/** Who signed a list, as far as the CAs that roles trust can tell. */
export type Signer =
  | { readonly kind: 'known'; readonly key: string }
  /** No role trusts a CA of this name; the list counts by its issuer's name. */
  | { readonly kind: 'unknown' }
  /** The issuer is known, but its signature cannot be checked. */
  | { readonly kind: 'unverifiable'; readonly text: string }
  /** The issuer is known, and the signature is not its own. */
  | { readonly kind: 'forged'; readonly text: string }

/** Checks the signature of a list against the CAs of its issuer's name that the roles of a mount trust. */
export async function signerOf(
  deps: Pick<Deps, 'db' | 'store' | 'log'>,
  mountId: string,
  list: LoadedCrl,
): Promise<Signer> {
  const { roleCacheSize } = await configOf(deps, mountId)
  const issuers = await directoryOf(deps, mountId, roleCacheSize).findTrustedCas(list.crl.issuer)
  let verdict: Signer = { kind: 'unknown' }
  for (const issuer of issuers.filter((each) => hasKeyOf(list, each))) {
    const problem = unverifiableReason(list, issuer)
    if (problem !== undefined) {
      if (verdict.kind === 'unknown') verdict = { kind: 'unverifiable', text: problem }
      continue
    }
    const text = await crlProblem(list, issuer)
    if (text === undefined) return { kind: 'known', key: keyHashOf(issuer) }
    verdict = { kind: 'forged', text }
  }
  return verdict
}

/**
 * A CA of the same name with another key identifier is another CA, or another key of the same one: it proves nothing
 * about this list.
 */
function hasKeyOf({ crl }: LoadedCrl, issuer: Certificate): boolean {
  if (crl.authorityKeyId === undefined || issuer.subjectKeyId === undefined) return true
  return crl.authorityKeyId.equals(issuer.subjectKeyId)
}

function unverifiableReason({ proof }: LoadedCrl, issuer: Certificate): string | undefined {
  if (!mayUse(issuer, 'crlSign')) return 'the keyUsage of its issuer lacks cRLSign.'
  return proof.algorithm.scheme === undefined ? `it is signed with ${proof.algorithm.problem}.` : undefined
}
