import type { CertificateForm } from './certificate-form.ts'
import { certificateInBase64, mostIntermediates } from './certificate-texts.ts'

const leafHeader = 'client-cert'
const chainHeader = 'client-cert-chain'

/** Certificates as RFC 9440 §2 says. The chain may have several lines, the leaf only one. */
export const rfc9440Form: CertificateForm = {
  isPresent: ({ headers }) => headers[leafHeader] !== undefined || headers[chainHeader] !== undefined,
  read: ({ headersDistinct }) => {
    const leaves = headersDistinct[leafHeader] ?? []
    if (leaves.length !== 1) return undefined
    const leaf = readByteSequence(leaves[0] ?? '')
    const intermediates = readByteSequences((headersDistinct[chainHeader] ?? []).join())
    return leaf && intermediates && { leaf, intermediates }
  },
}

/** An item of RFC 8941 §3.3.5: base64 between colons, without parameters. */
function readByteSequence(text: string): Buffer | undefined {
  const base64 = /^\s*:([^:]+):\s*$/.exec(text)?.[1]
  return base64 === undefined ? undefined : certificateInBase64(base64)
}

function readByteSequences(text: string): Buffer[] | undefined {
  const items = text.trim() === '' ? [] : text.split(',').map(readByteSequence)
  if (items.length > mostIntermediates) return undefined
  const read = items.filter((item) => item !== undefined)
  return read.length === items.length ? read : undefined
}
