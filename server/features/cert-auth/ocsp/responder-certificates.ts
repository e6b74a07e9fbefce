import { type Certificate, readPemCertificates } from '../../../pki/index.ts'

/** The PEM of responder certificates, which roles hold as PEM or as base64 of PEM. */
export const responderPem = (text: string): string =>
  text.includes('-----BEGIN') ? text : Buffer.from(text, 'base64').toString('latin1')

const known = new Map<string, readonly Certificate[]>()

/** Few different texts are in use, so this is normally enough for all of them. */
const mostKnown = 100

/** Responder certificates of a role; none if the text is neither PEM nor base64 of PEM. */
export function responderCertificates(text: string): readonly Certificate[] {
  if (text === '') return []
  const before = known.get(text)
  if (before) return before
  const { certificates } = readPemCertificates(responderPem(text))
  if (known.size >= mostKnown) known.clear()
  known.set(text, certificates)
  return certificates
}
