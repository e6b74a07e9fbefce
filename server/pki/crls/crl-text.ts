import { setImmediate as nextTurn } from 'node:timers/promises'
import { tag } from '../der-writer.ts'

/** Characters decoded before others get a turn. */
const slice = 1024 * 1024

const begin = /-----BEGIN (X509 CRL|CRL)-----/

/**
 * The DER of a list given as PEM (text around the block is ignored), as base64 of DER, or as DER itself; undefined when
 * it is none of these. A list may have a hundred megabytes, so it is decoded piece by piece.
 */
export async function crlBytes(input: string | Buffer): Promise<Buffer | undefined> {
  if (typeof input !== 'string' && input[0] === tag.sequence) return input
  const text = typeof input === 'string' ? input : input.toString('latin1')
  const header = begin.exec(text)
  if (header === null) return asDer(await decodeBase64(text, 0, text.length))
  const from = header.index + header[0].length
  const end = text.indexOf(`-----END ${header[1]}-----`, from)
  return end < 0 ? undefined : asDer(await decodeBase64(text, from, end))
}

/** True if another list follows the first one of a PEM text, which alone is read. */
export function holdsSeveralCrls(text: string): boolean {
  const end = text.indexOf('-----END ')
  return end >= 0 && begin.test(text.slice(end))
}

const asDer = (bytes: Buffer | undefined): Buffer | undefined => (bytes?.[0] === tag.sequence ? bytes : undefined)

/** Decodes base64 with white space anywhere; undefined if it holds anything else. */
async function decodeBase64(text: string, from: number, end: number): Promise<Buffer | undefined> {
  const bytes = Buffer.allocUnsafe(Math.ceil(((end - from) * 3) / 4))
  let written = 0
  let rest = ''
  let isPadded = false
  for (let at = from; at < end; at += slice) {
    const piece = rest + text.slice(at, Math.min(at + slice, end)).replace(/\s+/g, '')
    if ((isPadded && piece !== '') || !/^[A-Za-z0-9+/]*={0,2}$/.test(piece)) return undefined
    isPadded = piece.endsWith('=')
    const usable = isPadded || at + slice >= end ? piece.length : piece.length - (piece.length % 4)
    written += bytes.write(piece.slice(0, usable), written, 'base64')
    rest = piece.slice(usable)
    await nextTurn()
  }
  return bytes.subarray(0, written)
}
