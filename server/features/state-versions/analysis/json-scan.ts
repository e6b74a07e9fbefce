/** A value of the path that leads to a place in a document: keys of objects, positions of lists. */
export type PathStep = string | number

/** Decides which parts are only checked and counted: they stand as null in the result. */
export type Prune = (path: readonly PathStep[]) => boolean

/** Thrown for what is no JSON. */
export class NotJson extends Error {
  override readonly name = 'NotJson'
}

type Frame = {
  readonly list: boolean
  readonly into: unknown[] | Record<string, unknown>
  key: string
  index: number
}

type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'nothing'

const deepest = 512

/** Pruned parts up to this size are checked for being JSON. */
const checkedBytes = 4 * 1024 * 1024
const scalar = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/

const nothing = Buffer.alloc(0)

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Reads JSON piece by piece and keeps only what is asked for, so that the memory it takes follows the outline of a
 * document and not its size. What is pruned is still checked for being JSON, unless it is very large.
 */
export class JsonScanner {
  readonly #prune: Prune
  readonly #stack: Frame[] = []
  readonly #path: PathStep[] = []
  #expected: Expected = 'value'
  #result: unknown
  /** The part of a text or scalar that earlier pieces held. */
  #token: 'text' | 'scalar' | undefined
  #parts: Buffer[] = []
  #escaped = false
  /** Inside a pruned part, with so many brackets open. */
  #skipping = false
  #skippedDepth = 0
  #skippedBytes = 0
  #inSkippedText = false

  constructor(prune: Prune) {
    this.#prune = prune
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
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return at + 1
    if (byte === quote) {
      this.#begin('text', ['value', 'value-or-end', 'key', 'key-or-end'])
      return at + 1
    }
    if (byte === comma) this.#separate()
    else if (byte === colon) this.#expect(['colon'], 'value')
    else if (byte === openList || byte === openObject) return this.#open(byte === openList) ? at + 1 : at
    else if (byte === closeList || byte === closeObject) this.#close(byte === closeList)
    else {
      this.#begin('scalar', ['value', 'value-or-end'])
      return at
    }
    return at + 1
  }

  #begin(token: 'text' | 'scalar', allowed: readonly Expected[]): void {
    if (!allowed.includes(this.#expected)) throw new NotJson('A value stands where none can be.')
    this.#token = token
    this.#escaped = false
  }

  #expect(allowed: readonly Expected[], next: Expected): void {
    if (!allowed.includes(this.#expected)) throw new NotJson('A mark stands where none can be.')
    this.#expected = next
  }

  #separate(): void {
    const frame = this.#stack.at(-1)
    this.#expect(['comma-or-end'], frame?.list ? 'value' : 'key')
    if (frame?.list) frame.index += 1
  }

  #readText(piece: Buffer, start: number): number {
    const end = this.#closingQuote(piece, start)
    const kept = this.#isKept()
    if (end < 0) {
      if (kept) this.#parts.push(Buffer.from(piece.subarray(start)))
      return piece.length
    }
    this.#endText(kept ? parseText(this.#takeText(piece, start, end)) : null)
    return end + 1
  }

  /** Where the text that goes on here ends; -1 if not in this piece. */
  #closingQuote(piece: Buffer, start: number): number {
    let from = start
    for (;;) {
      const end = piece.indexOf(quote, from)
      const escaped = this.#endsInEscape(piece, from, end < 0 ? piece.length : end)
      this.#escaped = end < 0 && escaped
      if (end < 0 || !escaped) return end
      from = end + 1
    }
  }

  /** True if an odd number of backslashes stands before `until`, those of the piece before included. */
  #endsInEscape(piece: Buffer, from: number, until: number): boolean {
    let count = 0
    while (until - 1 - count >= from && piece[until - 1 - count] === backslash) count += 1
    const reachesStart = until - count === from
    return (count + (reachesStart && this.#escaped ? 1 : 0)) % 2 === 1
  }

  #isKept(): boolean {
    const frame = this.#stack.at(-1)
    if (this.#expected === 'key' || this.#expected === 'key-or-end') return true
    return frame === undefined || !this.#prune(this.#here())
  }

  #endText(text: string | null): void {
    this.#token = undefined
    if (this.#expected === 'key' || this.#expected === 'key-or-end') this.#name(text ?? '')
    else this.#place(text)
  }

  #name(key: string): void {
    const frame = this.#stack.at(-1)
    if (frame) frame.key = key
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
    this.#place(this.#isKept() ? JSON.parse(text) : null)
  }

  /** Where the value that comes next would stand. */
  #here(): readonly PathStep[] {
    const frame = this.#stack.at(-1)
    return frame ? [...this.#path, frame.list ? frame.index : frame.key] : []
  }

  /** False if the part is pruned: its bracket is then passed over with the rest. */
  #open(list: boolean): boolean {
    if (this.#expected !== 'value' && this.#expected !== 'value-or-end') throw new NotJson('A bracket is misplaced.')
    if (this.#stack.length >= deepest) throw new NotJson('It is nested too deeply.')
    if (!this.#isKept()) {
      this.#skipping = true
      this.#skippedBytes = 0
      return false
    }
    const around = this.#stack.at(-1)
    if (around) this.#path.push(around.list ? around.index : around.key)
    const into = list ? [] : (Object.create(null) as Record<string, unknown>)
    this.#stack.push({ list, into, key: '', index: 0 })
    this.#expected = list ? 'value-or-end' : 'key-or-end'
    return true
  }

  /** Passes over a pruned part: only texts and brackets matter until its end. */
  #skip(piece: Buffer, start: number): number {
    let at = start
    while (at < piece.length && this.#skipping) {
      if (this.#inSkippedText) {
        const end = this.#closingQuote(piece, at)
        if (end < 0) at = piece.length
        else {
          this.#inSkippedText = false
          at = end + 1
        }
        continue
      }
      const byte = piece[at] as number
      at += 1
      if (byte === quote) this.#inSkippedText = true
      else if (byte === openList || byte === openObject) this.#skippedDepth += 1
      else if (byte === closeList || byte === closeObject) {
        this.#skippedDepth -= 1
        this.#skipping = this.#skippedDepth > 0
      }
    }
    this.#skippedBytes += at - start
    if (this.#skipping) this.#gather(piece, start, at)
    else this.#endSkipped(piece, start, at)
    return at
  }

  /** A pruned part is gathered to be checked at its end; one that is very large is believed. */
  #gather(piece: Buffer, start: number, end: number): void {
    if (this.#skippedBytes > checkedBytes) this.#parts = []
    else this.#parts.push(Buffer.from(piece.subarray(start, end)))
  }

  #endSkipped(piece: Buffer, start: number, end: number): void {
    if (this.#skippedBytes <= checkedBytes) requireJson(this.#takeText(piece, start, end))
    this.#parts = []
    this.#place(null)
  }

  /** What earlier pieces held of a token, and this part of the present one. */
  #takeText(piece: Buffer, start: number, end: number): string {
    if (this.#parts.length === 0) return piece.toString('utf8', start, end)
    const whole = Buffer.concat([...this.#parts, piece.subarray(start, end)])
    this.#parts = []
    return whole.toString('utf8')
  }

  #close(list: boolean): void {
    const frame = this.#stack.at(-1)
    const allowed: Expected = list ? 'value-or-end' : 'key-or-end'
    if (!frame || frame.list !== list || (this.#expected !== 'comma-or-end' && this.#expected !== allowed)) {
      throw new NotJson('A bracket is misplaced.')
    }
    this.#stack.pop()
    this.#path.pop()
    this.#place(frame.into)
  }

  #place(value: unknown): void {
    const frame = this.#stack.at(-1)
    if (!frame) {
      this.#result = value
      this.#expected = 'nothing'
      return
    }
    if (Array.isArray(frame.into)) frame.into.push(value)
    else frame.into[frame.key] = value
    this.#expected = 'comma-or-end'
  }
}

const endsScalar = (byte: number): boolean =>
  byte === comma || byte === closeList || byte === closeObject || byte <= 0x20 || byte === colon || byte === quote

function requireJson(text: string): void {
  try {
    JSON.parse(text)
  } catch (cause) {
    throw new NotJson('A part of it is badly written.', { cause })
  }
}

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
