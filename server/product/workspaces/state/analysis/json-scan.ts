import { parseExactScalar } from '../../../../kernel/exact-json.ts'
import { deepest, endOfPlain, endOfSpace, isSpace, JsonSkipper, NotJson } from './json-syntax.ts'

/** A step of the path to a place in a document: the key in an object, or the position in a list. */
export type PathStep = string | number

/**
 * What becomes of a part: it is read; it is read if it is a list or object, and dropped if not; it is null in the
 * result; or the result does not have it at all.
 */
export type Fate = 'keep' | 'enter' | 'blank' | 'drop'

/** What `reduce` returns for a list or object that the result need not have. */
export const leftOut = Symbol('left out')

/** Which parts of a document are kept; the others are only checked. Paths may only be used during the call. */
export type Reading = {
  /**
   * Decides about a part before it is read. `kept` is roughly how many bytes the result takes so far. `begins` tells
   * whether the part is an object with this key first; it may say no at the end of a piece.
   */
  prune(path: readonly PathStep[], kept: number, begins: (key: string) => boolean): Fate
  /** Replaces a list or object that was read by the part of it that is kept. */
  reduce?(path: readonly PathStep[], value: unknown): unknown
  /**
   * Asked about texts and keys that are longer than a name, perhaps several times while one arrives. One that is too
   * long is null as a value, and empty as a key.
   */
  allowsText?(path: readonly PathStep[], length: number, kept: number): boolean
}

const slots = 256
const longest = 80

/**
 * Texts that occur again and again, such as keys and types: they are looked up by their bytes, and decoded and kept
 * once.
 */
class TextPool {
  /** The bytes behind the text in each slot: their length, and the bytes themselves. */
  readonly #lengths = new Uint8Array(slots)
  readonly #written = new Uint8Array(slots * longest)
  readonly #texts: string[] = new Array(slots).fill('')

  /** The text between two positions of a piece; it is parsed only if it is not in the pool. */
  read(piece: Buffer, start: number, end: number): string {
    const length = end - start
    if (length === 0 || length > longest) return parseText(piece.toString('utf8', start, end))
    // A few bytes are enough to distinguish most texts, and texts that share a slot merely replace each other.
    const [first, middle, last] = [
      piece[start] as number,
      piece[start + (length >> 1)] as number,
      piece[end - 1] as number,
    ]
    const slot = (length * 7 + first * 31 + middle * 13 + last * 5) & (slots - 1)
    if (this.#lengths[slot] === length && this.#isWritten(slot * longest, piece, start, length)) {
      return this.#texts[slot] as string
    }
    const text = parseText(piece.toString('utf8', start, end))
    this.#lengths[slot] = length
    for (let index = 0; index < length; index++) this.#written[slot * longest + index] = piece[start + index] as number
    this.#texts[slot] = text
    return text
  }

  #isWritten(at: number, piece: Uint8Array, start: number, length: number): boolean {
    const written = this.#written
    for (let index = 0; index < length; index++) if (written[at + index] !== piece[start + index]) return false
    return true
  }
}

/** What cannot be taken from a text as it is: escapes, and characters that need one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const needsParsing = /[\\\u0000-\u001f]/

/** The text that is written so between its quotes. */
function parseText(inside: string): string {
  if (!needsParsing.test(inside)) return inside
  try {
    return JSON.parse(`"${inside}"`) as string
  } catch (cause) {
    throw new NotJson('A text is badly written.', { cause })
  }
}

/** A list or object that is being read. */
type Open = unknown[] | Record<string, unknown>

/** What may come next; numbers, because they are compared at every token. */
const [aValue, valueOrEnd, aKey, keyOrEnd, aColon, commaOrEnd, theEnd] = [0, 1, 2, 3, 4, 5, 6]

/** What kind of token continues in the next piece. */
const [noToken, textToken, scalarToken] = [0, 1, 2]

const scalar = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/

const nothing = Buffer.alloc(0)
const openingQuote = Buffer.from('"')

/** Longer than any name; the reading is asked about longer texts, and longer numbers are refused. */
const longestName = 8 * 1024

/** Bytes that a value takes besides its text. */
const valueBytes = 32

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Reads JSON piece by piece and keeps only what is asked for, so that its memory depends on the outline of a document
 * and not on its size. Pruned parts are still checked for valid JSON.
 */
export class JsonScanner {
  readonly #reading: Reading
  /** The list or object that is being read, and those around it. */
  #into: Open | undefined
  readonly #around: Open[] = []
  /** For each of them, the bytes that were kept before it. */
  readonly #keptBefore: number[] = []
  /** The path of the value that is being read. */
  readonly #path: PathStep[] = []
  readonly #skipper = new JsonSkipper()
  readonly #texts = new TextPool()
  #expected = aValue
  #result: unknown
  /** The part of a text or scalar that was in earlier pieces. */
  #token = noToken
  #parts: Buffer[] = []
  #gathered = 0
  #escaped = false
  /** What becomes of the part that is being skipped. */
  #skipped: 'blank' | 'drop' | 'key' | undefined
  #kept = 0
  /** The bytes at the value that `prune` is deciding about. */
  #ahead: Buffer = nothing
  #aheadFrom = 0

  constructor(reading: Reading) {
    this.#reading = reading
  }

  /** Roughly how many bytes are kept at this moment, in the result and of the token that is being read. */
  get kept(): number {
    return this.#kept + this.#gathered
  }

  /** Takes the next piece. */
  push(bytes: Uint8Array): void {
    const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let at = 0
    while (at < piece.length) {
      if (this.#skipped) at = this.#skip(piece, at)
      else if (this.#token === textToken) at = this.#readText(piece, at)
      else if (this.#token === scalarToken) at = this.#readScalar(piece, at)
      else at = this.#readMark(piece, at)
    }
  }

  /** The document; called after the last piece. */
  end(): unknown {
    if (this.#token === scalarToken) this.#endScalar(this.#takeText(nothing, 0, 0))
    if (this.#skipped || this.#token !== noToken || this.#expected !== theEnd) throw new NotJson('It ends too early.')
    return this.#result
  }

  #readMark(piece: Buffer, at: number): number {
    const byte = piece[at] as number
    if (isSpace(byte)) return endOfSpace(piece, at)
    if (byte === comma) this.#separate()
    else if (byte === colon) this.#name()
    else if (byte === closeList || byte === closeObject) this.#close(byte === closeList)
    else return this.#begin(piece, byte, at)
    return at + 1
  }

  #begin(piece: Buffer, byte: number, at: number): number {
    const isKey = this.#expected === aKey || this.#expected === keyOrEnd
    if (isKey ? byte !== quote : this.#expected !== aValue && this.#expected !== valueOrEnd) {
      throw new NotJson('A value stands where none can be.')
    }
    const isOpening = byte === openList || byte === openObject
    if (!isKey && (isOpening || byte === quote)) {
      const fate = this.#decide(piece, at)
      if (fate !== 'keep' && (fate !== 'enter' || !isOpening)) {
        this.#skipper.begin(this.#path.length)
        this.#skipped = fate === 'blank' ? 'blank' : 'drop'
        return at
      }
    }
    if (isOpening) {
      this.#open(byte === openList)
      return at + 1
    }
    this.#token = byte === quote ? textToken : scalarToken
    this.#escaped = false
    return byte === quote ? this.#readText(piece, at + 1) : this.#readScalar(piece, at)
  }

  #name(): void {
    if (this.#expected !== aColon) throw new NotJson('A mark stands where none can be.')
    this.#expected = aValue
  }

  #separate(): void {
    if (this.#expected !== commaOrEnd) throw new NotJson('A mark stands where none can be.')
    const list = Array.isArray(this.#into)
    if (list) this.#path[this.#path.length - 1] = (this.#path.at(-1) as number) + 1
    this.#expected = list ? aValue : aKey
  }

  #readText(piece: Buffer, start: number): number {
    const end = this.#closingQuote(piece, start)
    const length = this.#gathered + (end < 0 ? piece.length : end) - start
    if (length > longestName && this.#reading.allowsText?.(this.#path, length, this.#kept) === false) {
      return this.#skipText(start)
    }
    if (end < 0) {
      this.#gather(piece.subarray(start))
      return piece.length
    }
    const isWhole = this.#parts.length === 0
    this.#endText(isWhole ? this.#texts.read(piece, start, end) : parseText(this.#takeText(piece, start, end)))
    return end + 1
  }

  /** Only checks the rest of a text that is too long; what there is of it already must be valid, too. */
  #skipText(start: number): number {
    this.#skipper.begin(this.#path.length)
    for (const part of [openingQuote, ...this.#parts]) this.#skipper.skip(part, 0)
    this.#forgetToken()
    this.#skipped = this.#expected === aKey || this.#expected === keyOrEnd ? 'key' : 'blank'
    this.#token = noToken
    return start
  }

  #gather(part: Buffer): void {
    this.#gathered += part.length
    this.#parts.push(Buffer.from(part))
  }

  #forgetToken(): void {
    this.#parts = []
    this.#gathered = 0
  }

  /** Where the text that continues here ends; -1 if not in this piece. */
  #closingQuote(piece: Buffer, start: number): number {
    let at = endOfPlain(piece, this.#escaped ? start + 1 : start)
    while (at < piece.length && piece[at] !== quote) {
      at = endOfPlain(piece, piece[at] === backslash ? at + 2 : at + 1)
    }
    this.#escaped = at > piece.length
    return at < piece.length ? at : -1
  }

  #decide(piece: Buffer, at: number): Fate {
    this.#ahead = piece
    this.#aheadFrom = at
    return this.#path.length === 0 ? 'keep' : this.#reading.prune(this.#path, this.#kept, this.#begins)
  }

  readonly #begins = (key: string): boolean => {
    const [piece, from] = [this.#ahead, this.#aheadFrom]
    if (piece[from] !== openObject) return false
    const start = endOfSpace(piece, from) + 1
    if (piece[start - 1] !== quote || piece[start + key.length] !== quote) return false
    for (let index = 0; index < key.length; index++) if (piece[start + index] !== key.charCodeAt(index)) return false
    return true
  }

  #endText(text: string): void {
    this.#token = noToken
    if (this.#expected === aValue || this.#expected === valueOrEnd) {
      this.#place(text)
      return
    }
    this.#path[this.#path.length - 1] = text
    this.#expected = aColon
  }

  #readScalar(piece: Buffer, start: number): number {
    let end = start
    while (end < piece.length && !endsScalar(piece[end] as number)) end += 1
    if (this.#gathered + end - start > longestName) throw new NotJson('A number is too long.')
    if (end < piece.length) this.#endScalar(this.#takeText(piece, start, end))
    else this.#gather(piece.subarray(start))
    return end
  }

  #endScalar(text: string): void {
    this.#token = noToken
    if (!scalar.test(text)) throw new NotJson(`'${text.slice(0, 20)}' is not a value.`)
    const fate = this.#decide(nothing, 0)
    if (fate === 'drop' || fate === 'enter') this.#leaveOut()
    else this.#place(fate === 'keep' ? parseExactScalar(text) : null)
  }

  #open(list: boolean): void {
    if (this.#path.length >= deepest) throw new NotJson('It is nested too deeply.')
    if (this.#into) this.#around.push(this.#into)
    this.#keptBefore.push(this.#kept)
    this.#path.push(list ? 0 : '')
    this.#into = list ? [] : {}
    this.#expected = list ? valueOrEnd : keyOrEnd
  }

  #skip(piece: Buffer, start: number): number {
    const end = this.#skipper.skip(piece, start)
    if (end < 0) return piece.length
    const skipped = this.#skipped
    this.#skipped = undefined
    if (skipped === 'key') this.#endText('')
    else if (skipped === 'drop') this.#leaveOut()
    else this.#place(null)
    return end
  }

  /** The text of a token: its parts in earlier pieces, and this part of the present one. */
  #takeText(piece: Buffer, start: number, end: number): string {
    if (this.#parts.length === 0) return piece.toString('utf8', start, end)
    const whole = Buffer.concat([...this.#parts, piece.subarray(start, end)])
    this.#forgetToken()
    return whole.toString('utf8')
  }

  #close(list: boolean): void {
    const ended = this.#into
    const allowed = list ? valueOrEnd : keyOrEnd
    if (!ended || Array.isArray(ended) !== list || (this.#expected !== commaOrEnd && this.#expected !== allowed)) {
      throw new NotJson('A bracket is misplaced.')
    }
    this.#into = this.#around.pop()
    this.#path.pop()
    const before = this.#keptBefore.pop() as number
    const value = this.#reading.reduce ? this.#reading.reduce(this.#path, ended) : ended
    if (value !== ended) this.#kept = before
    if (value === leftOut) this.#leaveOut()
    else this.#place(value)
  }

  #leaveOut(): void {
    this.#expected = this.#into ? commaOrEnd : theEnd
  }

  #place(value: unknown): void {
    this.#kept += typeof value === 'string' ? valueBytes + value.length : valueBytes
    const into = this.#into
    this.#expected = into ? commaOrEnd : theEnd
    if (!into) {
      this.#result = value
    } else if (Array.isArray(into)) {
      into.push(value)
    } else {
      const key = this.#path.at(-1) as string
      this.#kept += key.length
      put(into, key, value)
    }
  }
}

/**
 * A key named like the prototype is a member like any other. Lengths are compared first, because comparing texts is far
 * slower.
 */
function put(into: Record<string, unknown>, key: string, value: unknown): void {
  if (key.length !== 9 || key !== '__proto__') into[key] = value
  else Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true })
}

const endsScalar = (byte: number): boolean =>
  byte === comma || byte === closeList || byte === closeObject || byte <= 0x20 || byte === colon || byte === quote
