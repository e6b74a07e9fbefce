import { setImmediate as nextTurn } from 'node:timers/promises'
import { tag } from '../der-writer.ts'

/** Characters looked at before others get a turn. */
const slice = 256 * 1024

/** Longer than any line that is looked for, so that none is missed where two slices meet. */
const overlap = 64

const begin = /-----BEGIN (X509 CRL|CRL)-----/

/** A string, or bytes read as one without turning all of them into text at once. */
type Text = { readonly length: number; slice(from: number, end: number): string }

const textOf = (input: string | Buffer): Text =>
  typeof input === 'string'
    ? input
    : { length: input.length, slice: (from, end) => input.toString('latin1', from, Math.min(end, input.length)) }

/**
 * The DER of a list given as PEM (text around the block is ignored), as base64 of DER, or as DER itself; undefined when
 * it is none of these. A list may have a hundred megabytes, so it is searched and decoded piece by piece.
 */
export async function crlBytes(input: string | Buffer): Promise<Buffer | undefined> {
  if (typeof input !== 'string' && input[0] === tag.sequence) return input
  const text = textOf(input)
  const header = await find(text, begin, 0)
  if (header === undefined) return asDer(await decodeBase64(text, 0, text.length))
  const footer = await find(text, new RegExp(`-----END ${header.label}-----`), header.end)
  return footer && asDer(await decodeBase64(text, header.end, footer.from))
}

/** True if another list follows the first one of a PEM text; only the first is read. */
export async function holdsSeveralCrls(text: string): Promise<boolean> {
  const end = await find(text, /-----END /, 0)
  return end !== undefined && (await find(text, begin, end.end)) !== undefined
}

type Line = { readonly from: number; readonly end: number; readonly label: string }

async function find(text: Text, line: RegExp, from: number): Promise<Line | undefined> {
  for (let at = from; at < text.length; at += slice) {
    const found = line.exec(text.slice(at, at + slice + overlap))
    if (found !== null) {
      const start = at + found.index
      return { from: start, end: start + found[0].length, label: found[1] ?? '' }
    }
    if (at + slice < text.length) await nextTurn()
  }
  return undefined
}

const asDer = (bytes: Buffer | undefined): Buffer | undefined => (bytes?.[0] === tag.sequence ? bytes : undefined)

/** Decodes base64 with white space anywhere; undefined if it holds anything else. */
async function decodeBase64(text: Text, from: number, end: number): Promise<Buffer | undefined> {
  const bytes = Buffer.allocUnsafe(Math.ceil(((end - from) * 3) / 4))
  let written = 0
  let rest = ''
  let isPadded = false
  for (let at = from; at < end; at += slice) {
    const piece = rest + text.slice(at, Math.min(at + slice, end)).replace(/\s+/g, '')
    if ((isPadded && piece !== '') || !/^[A-Za-z0-9+/]*={0,2}$/.test(piece)) return undefined
    isPadded ||= piece.endsWith('=')
    const usable = isPadded || at + slice >= end ? piece.length : piece.length - (piece.length % 4)
    written += bytes.write(piece.slice(0, usable), written, 'base64')
    rest = piece.slice(usable)
    await nextTurn()
  }
  return bytes.subarray(0, written)
}
