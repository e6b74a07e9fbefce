import { isUtf8 } from 'node:buffer'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Failure, failure } from '../kernel/failure.ts'
import { type JsonLimits, parseJson } from './json-body.ts'

/** From which length on texts are read piece by piece, how large a piece is, and what may be around them; in bytes. */
export type LongJsonSizes = { readonly long: number; readonly piece: number; readonly around: number }

const defaultSizes: LongJsonSizes = { long: 64 * 1024, piece: 512 * 1024, around: 1024 * 1024 }

const quote = 0x22
const backslash = 0x5c

/** Stands for a long text while the rest is read. A client that sends it gets one of its own texts. */
const placeholder = '\uE000long-'

/**
 * Reads a document with a text of many megabytes, such as a revocation list, and lets others work meanwhile: the parser
 * would hold them up for as long as the whole takes. The rules are those of `parseJson`; only texts may be long, what
 * stands around them may not.
 */
export async function parseLongJson(bytes: Buffer, limits: JsonLimits, sizes = defaultSizes): Promise<unknown> {
  const texts: string[] = []
  const around: Buffer[] = []
  let size = 0
  const keep = (part: Buffer): void => {
    size += part.length
    if (size > sizes.around) throw refused(`apart from its long strings it has over ${sizes.around} bytes`)
    around.push(part)
  }
  for (let at = 0; at < bytes.length; ) {
    const start = bytes.indexOf(quote, at)
    const end = start < 0 ? bytes.length : await endOfText(bytes, start)
    const isLong = start >= 0 && end - start > sizes.long
    keep(bytes.subarray(at, isLong ? start : end + 1))
    if (isLong) {
      if (end - start > limits.maxString + 1) throw refused(`a string has over ${limits.maxString} characters`)
      keep(Buffer.from(`"${placeholder}${texts.length}"`))
      texts.push(await textOf(bytes.subarray(start + 1, end), sizes.piece))
    }
    at = end + 1
  }
  return restoreTexts(parseJson(Buffer.concat(around), limits), texts)
}

/** Bytes searched before others get a turn. */
const searchedPerTurn = 4 * 1024 * 1024

/** Escaped quotes in one text: what is long for a reason has none. */
const mostQuotes = 20_000

/** Offset of the quote that ends a text. */
async function endOfText(bytes: Buffer, start: number): Promise<number> {
  for (let from = start + 1, quotes = 0; from < bytes.length; ) {
    const end = bytes.subarray(from, from + searchedPerTurn).indexOf(quote)
    if (end >= 0 && slashesBefore(bytes, from + end, start) % 2 === 0) return from + end
    if (end < 0) await nextTurn()
    else if (++quotes > mostQuotes) throw refused(`a string has over ${mostQuotes} quotes`)
    from += end < 0 ? searchedPerTurn : end + 1
  }
  throw refused('it ends too early')
}

const mostSlashes = 1024 * 1024

function slashesBefore(bytes: Buffer, at: number, start: number): number {
  let first = at
  while (first > start && bytes[first - 1] === backslash) first--
  if (at - first > mostSlashes) throw refused(`it has over ${mostSlashes} backslashes in a row`)
  return at - first
}

/** The text between two quotes. */
async function textOf(bytes: Buffer, pieceBytes: number): Promise<string> {
  let text = ''
  let isWhole = true
  for (let at = 0; at < bytes.length; ) {
    const end = endOfPiece(bytes, at, at + pieceBytes)
    const piece = decodePiece(bytes.subarray(at, end))
    if (piece.includes('\0')) throw refused('a string has a NUL character')
    isWhole &&= piece.isWellFormed()
    text += piece
    at = end
    await nextTurn()
  }
  if (!isWhole && !text.isWellFormed()) throw refused('a string has half a surrogate pair')
  return text
}

/** Where a piece may end: neither inside a character, which has four bytes at most, nor inside an escape of two or six. */
function endOfPiece(bytes: Buffer, from: number, wanted: number): number {
  if (wanted >= bytes.length) return bytes.length
  let end = wanted
  while (end > wanted - 3 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  const slash = bytes.subarray(Math.max(from, end - 5), end).lastIndexOf(backslash)
  if (slash < 0) return end
  const at = Math.max(from, end - 5) + slash
  const isEscape = slashesBefore(bytes, at + 1, from) % 2 === 1
  const length = bytes[at + 1] === 0x75 ? 6 : 2
  return isEscape && at + length > end ? at : end
}

function decodePiece(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw failure('malformed', 'body.encoding', 'The body is not valid UTF-8.')
  try {
    return String(JSON.parse(`"${bytes.toString('utf8')}"`))
  } catch (cause) {
    throw refused('it is not valid JSON', cause)
  }
}

function restoreTexts(value: unknown, texts: readonly string[]): unknown {
  if (typeof value === 'string')
    return value.startsWith(placeholder) ? (texts[Number(value.slice(placeholder.length))] ?? value) : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each) => restoreTexts(each, texts))
  const entries = Object.entries(value)
  if (entries.some(([key]) => key.startsWith(placeholder))) throw refused('a key is too long')
  return Object.fromEntries(entries.map(([key, each]) => [key, restoreTexts(each, texts)]))
}

const refused = (reason: string, cause?: unknown): Failure =>
  failure('malformed', 'body.json', `The body cannot be read as JSON: ${reason}.`, { cause })
