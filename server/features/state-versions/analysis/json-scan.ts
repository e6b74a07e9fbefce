import { exactScalar } from '../../../kernel/exact-json.ts'
import { deepest, endOfPlain, JsonSkipper, NotJson } from './json-skip.ts'
import { TextPool } from './text-pool.ts'

export { NotJson } from './json-skip.ts'

/** A value of the path that leads to a place in a document: keys of objects, positions of lists. */
export type PathStep = string | number

/**
 * Decides which parts are only checked and counted: they stand as null in the result. The path is lent for the call;
 * `kept` tells about how many bytes the result takes so far.
 */
export type Prune = (path: readonly PathStep[], kept: number) => boolean

/** Replaces a list or object that was read by what is kept of it. */
export type Reduce = (path: readonly PathStep[], value: unknown, kept: number) => unknown

/** What is kept of a document. */
export type Reading = { readonly prune: Prune; readonly reduce?: Reduce }

/** A list or object that is being read. */
type Open = unknown[] | Record<string, unknown>

type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'nothing'

const scalar = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/

const nothing = Buffer.alloc(0)

/** A text that is longer is passed over, wherever it stands. */
const longestText = 16 * 1024 * 1024

/** What a value takes, besides its text. */
const valueBytes = 32

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Reads JSON piece by piece and keeps only what is asked for, so that the memory it takes follows the outline of a
 * document and not its size. What is pruned is still checked for being JSON.
 */
export class JsonScanner {
  readonly #prune: Prune
  readonly #reduce: Reduce | undefined
  /** The list or object that is read now, and those around it. */
  #into: Open | undefined
  readonly #around: Open[] = []
  /** Where the value stands that is read now. */
  readonly #path: PathStep[] = []
  readonly #skipper = new JsonSkipper()
  readonly #texts = new TextPool()
  #expected: Expected = 'value'
  #result: unknown
  /** The part of a text or scalar that earlier pieces held. */
  #token: 'text' | 'scalar' | undefined
  #parts: Buffer[] = []
  #gathered = 0
  #escaped = false
  /** Inside a pruned part. */
  #skipping = false
  #kept = 0

  constructor({ prune, reduce }: Reading) {
    this.#prune = prune
    this.#reduce = reduce
  }

  /** Takes the next piece. */
  push(bytes: Uint8Array): void {
    const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let at = 0
    while (at < piece.length) {
      if (this.#skipping) at = this.#skip(piece, at)
      else if (this.#token === 'text') at = this.#readText(piece, at)
      else if (this.#token === 'scalar') at = this.#readScalar(piece, at)
      else at = this.#readMark(piece, at)
    }
  }

  /** The document, after its last piece. */
  end(): unknown {
    if (this.#token === 'scalar') this.#endScalar(this.#takeText(nothing, 0, 0))
    if (this.#skipping || this.#token !== undefined || this.#expected !== 'nothing')
      throw new NotJson('It ends too early.')
    return this.#result
  }

  #readMark(piece: Buffer, at: number): number {
    const byte = piece[at] as number
    if (isSpace(byte)) return endOfSpace(piece, at)
    if (byte === comma) this.#separate()
    else if (byte === colon) this.#name()
    else if (byte === closeList || byte === closeObject) this.#close(byte === closeList)
    else return this.#begin(byte, at)
    return at + 1
  }

  #begin(byte: number, at: number): number {
    const isKey = this.#expected === 'key' || this.#expected === 'key-or-end'
    if (isKey ? byte !== quote : this.#expected !== 'value' && this.#expected !== 'value-or-end') {
      throw new NotJson('A value stands where none can be.')
    }
    const isOpening = byte === openList || byte === openObject
    if (!isKey && (isOpening || byte === quote) && !this.#isKept()) {
      this.#skipper.begin(this.#path.length)
      this.#skipping = true
      return at
    }
    if (isOpening) this.#open(byte === openList)
    else this.#token = byte === quote ? 'text' : 'scalar'
    this.#escaped = false
    return this.#token === 'scalar' ? at : at + 1
  }

  #name(): void {
    if (this.#expected !== 'colon') throw new NotJson('A mark stands where none can be.')
    this.#expected = 'value'
  }

  #separate(): void {
    if (this.#expected !== 'comma-or-end') throw new NotJson('A mark stands where none can be.')
    const list = Array.isArray(this.#into)
    if (list) this.#path[this.#path.length - 1] = (this.#path.at(-1) as number) + 1
    this.#expected = list ? 'value' : 'key'
  }

  #readText(piece: Buffer, start: number): number {
    const end = this.#closingQuote(piece, start)
    this.#kept += (end < 0 ? piece.length : end) - start
    if (end < 0) {
      this.#gather(piece.subarray(start))
      return piece.length
    }
    if (this.#gathered > longestText) {
      this.#gathered = 0
      this.#endText('')
      return end + 1
    }
    this.#gathered = 0
    const isWhole = this.#parts.length === 0
    this.#endText(
      isWhole ? this.#texts.read(piece, start, end, parseText) : parseText(this.#takeText(piece, start, end)),
    )
    return end + 1
  }

  #gather(part: Buffer): void {
    this.#gathered += part.length
    if (this.#gathered > longestText) this.#parts = []
    else this.#parts.push(Buffer.from(part))
  }

  /** Where the text that goes on here ends; -1 if not in this piece. */
  #closingQuote(piece: Buffer, start: number): number {
    let at = endOfPlain(piece, this.#escaped ? start + 1 : start)
    while (at < piece.length && piece[at] !== quote) {
      at = endOfPlain(piece, piece[at] === backslash ? at + 2 : at + 1)
    }
    this.#escaped = at > piece.length
    return at < piece.length ? at : -1
  }

  #isKept(): boolean {
    return this.#path.length === 0 || !this.#prune(this.#path, this.#kept)
  }

  #endText(text: string): void {
    this.#token = undefined
    if (this.#expected === 'value' || this.#expected === 'value-or-end') {
      this.#place(text)
      return
    }
    this.#path[this.#path.length - 1] = text
    this.#expected = 'colon'
  }

  #readScalar(piece: Buffer, start: number): number {
    let end = start
    while (end < piece.length && !endsScalar(piece[end] as number)) end += 1
    if (end < piece.length) this.#endScalar(this.#takeText(piece, start, end))
    else this.#parts.push(Buffer.from(piece.subarray(start)))
    return end
  }

  #endScalar(text: string): void {
    this.#token = undefined
    if (!scalar.test(text)) throw new NotJson(`'${text.slice(0, 20)}' is no value.`)
    this.#place(this.#isKept() ? exactScalar(text) : null)
  }

  #open(list: boolean): void {
    if (this.#path.length >= deepest) throw new NotJson('It is nested too deeply.')
    if (this.#into) this.#around.push(this.#into)
    this.#path.push(list ? 0 : '')
    this.#into = list ? [] : {}
    this.#expected = list ? 'value-or-end' : 'key-or-end'
  }

  #skip(piece: Buffer, start: number): number {
    const end = this.#skipper.skip(piece, start)
    if (end < 0) return piece.length
    this.#skipping = false
    this.#place(null)
    return end
  }

  /** What earlier pieces held of a token, and this part of the present one. */
  #takeText(piece: Buffer, start: number, end: number): string {
    if (this.#parts.length === 0) return piece.toString('utf8', start, end)
    const whole = Buffer.concat([...this.#parts, piece.subarray(start, end)])
    this.#parts = []
    return whole.toString('utf8')
  }

  #close(list: boolean): void {
    const ended = this.#into
    const allowed: Expected = list ? 'value-or-end' : 'key-or-end'
    if (!ended || Array.isArray(ended) !== list || (this.#expected !== 'comma-or-end' && this.#expected !== allowed)) {
      throw new NotJson('A bracket is misplaced.')
    }
    this.#into = this.#around.pop()
    this.#path.pop()
    this.#place(this.#reduce ? this.#reduce(this.#path, ended, this.#kept) : ended)
  }

  #place(value: unknown): void {
    this.#kept += valueBytes
    const into = this.#into
    this.#expected = into ? 'comma-or-end' : 'nothing'
    if (!into) this.#result = value
    else if (Array.isArray(into)) into.push(value)
    else put(into, this.#path.at(-1) as string, value)
  }
}

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

function endOfSpace(piece: Uint8Array, start: number): number {
  let at = start + 1
  while (isSpace(piece[at])) at++
  return at
}

/** A key named like the prototype is a member like any other. */
function put(into: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') into[key] = value
  else Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true })
}

const endsScalar = (byte: number): boolean =>
  byte === comma || byte === closeList || byte === closeObject || byte <= 0x20 || byte === colon || byte === quote

/** What cannot stand in a text as it is: escapes, and characters that need one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const needsParsing = /[\\\u0000-\u001f]/

function parseText(inside: string): string {
  if (!needsParsing.test(inside)) return inside
  try {
    return JSON.parse(`"${inside}"`) as string
  } catch (cause) {
    throw new NotJson('A text is badly written.', { cause })
  }
}
