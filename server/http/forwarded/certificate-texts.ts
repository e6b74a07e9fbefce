import { pemBlocks } from '../../pki/pem.ts'

/** A leaf, the intermediates of which may be as many as this. */
export const mostIntermediates = 10
const mostCharacters = 256 * 1024

/** One certificate as base64; undefined if it is anything else. */
export function certificateInBase64(text: string): Buffer | undefined {
  if (text.length > mostCharacters || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '') ? bytes : undefined
}

/**
 * Certificates as PEM, whose line breaks may have become blanks, or as base64 between commas. Both may be
 * percent-encoded. Undefined if it is anything else, or there are too many.
 */
export function certificatesIn(text: string): Buffer[] | undefined {
  const decoded = percentDecoded(text)
  if (decoded === undefined) return undefined
  const found = decoded.includes('-----') ? pemCertificates(decoded) : decoded.split(',').map(trimmedBase64)
  const certificates = found.filter((each) => each !== undefined)
  const isWhole = certificates.length === found.length && found.length > 0 && found.length <= mostIntermediates + 1
  return isWhole ? certificates : undefined
}

const trimmedBase64 = (text: string): Buffer | undefined => certificateInBase64(text.trim())

const pemCertificates = (text: string): (Buffer | undefined)[] =>
  [...pemBlocks(text)].map(({ label, der }) => (label === 'CERTIFICATE' && der.length > 0 ? der : undefined))

/** A plus sign stands for itself: base64 has many of them. */
function percentDecoded(text: string): string | undefined {
  if (text.length > 3 * mostCharacters) return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
