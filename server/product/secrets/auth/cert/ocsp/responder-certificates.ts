import { type Certificate, readPemCertificates } from '../../../../../pki/index.ts'

/** The PEM of responder certificates, which roles hold as PEM or as base64 of PEM. */
export const responderPem = (text: string): string =>
  text.includes('-----BEGIN') ? text : Buffer.from(text, 'base64').toString('latin1')

const certificateCache = new Map<string, readonly Certificate[]>()

/** Few different texts are in use, so this is normally enough for all of them. */
const maxCached = 100

/** Responder certificates of a role; none if the text is neither PEM nor base64 of PEM. */
export function responderCertificates(text: string): readonly Certificate[] {
  if (text === '') return []
  const before = certificateCache.get(text)
  if (before) return before
  const { certificates } = readPemCertificates(responderPem(text))
  if (certificateCache.size >= maxCached) certificateCache.clear()
  certificateCache.set(text, certificates)
  return certificates
}
