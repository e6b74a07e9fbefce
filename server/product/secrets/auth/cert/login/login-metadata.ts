import { type Certificate, colonHex, commonName, serialText } from '../../../../../pki/index.ts'

/** The four facts of a certificate that tokens, failures and audit records carry. */
export type CertificateMetadata = Readonly<
  Record<'common_name' | 'serial_number' | 'subject_key_id' | 'authority_key_id', string>
>

const metadataCache = new WeakMap<Certificate, CertificateMetadata>()

/** The facts of a certificate, worked out once for as long as it is remembered. */
export function certificateMetadata(leaf: Certificate): CertificateMetadata {
  const before = metadataCache.get(leaf)
  if (before !== undefined) return before
  const metadata = {
    common_name: commonName(leaf),
    serial_number: serialText(leaf),
    subject_key_id: colonHex(leaf.subjectKeyId),
    authority_key_id: colonHex(leaf.authorityKeyId),
  }
  metadataCache.set(leaf, metadata)
  return metadata
}
