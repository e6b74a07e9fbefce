import { AnchorSet, type Certificate } from '../../../../../../pki/index.ts'
import type { CertRole } from '../../roles/role.ts'
import { readTrust } from '../../roles/role-rules.ts'

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
