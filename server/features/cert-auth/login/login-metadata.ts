import { type Certificate, colonHex, commonName, serialText } from '../../../pki/index.ts'

/** The four facts of a certificate that tokens, failures and audit records carry. */
export const certificateMetadata = (leaf: Certificate): Record<string, string> => ({
  common_name: commonName(leaf),
  serial_number: serialText(leaf),
  subject_key_id: colonHex(leaf.subjectKeyId),
  authority_key_id: colonHex(leaf.authorityKeyId),
})
