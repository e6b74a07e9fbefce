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
  /** Undefined inside a pruned part. */
  readonly into: unknown[] | Record<string, unknown> | undefined
  key: string
  index: number
}

type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'nothing'

const deepest = 512
const scalar = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Reads JSON piece by piece and keeps only what is asked for, so that the memory it takes follows the outline of a
 * document and not its size. What is pruned is still checked for being JSON.
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

  constructor(prune: Prune) {
    this.#prune = prune
  }

  /** Takes the next piece. */
  push(bytes: Uint8Array): void {
    const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let at = 0
    while (at < piece.length) {
      if (this.#token === 'text') at = this.#readText(piece, at)
      else if (this.#token === 'scalar') at = this.#readScalar(piece, at)
      else at = this.#readMark(piece, at)
    }
  }

  /** The document, after its last piece. */
  end(): unknown {
    if (this.#token === 'scalar') this.#endScalar()
    if (this.#token !== undefined || this.#expected !== 'nothing') throw new NotJson('It ends too early.')
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
    else if (byte === openList || byte === openObject) this.#open(byte === openList)
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
    let from = start
    for (;;) {
      const end = piece.indexOf(quote, from)
      const until = end < 0 ? piece.length : end
      const escaped = this.#endsInEscape(piece, from, until)
      if (end < 0) {
        this.#escaped = escaped
        this.#keepPart(piece, start, piece.length)
        return piece.length
      }
      this.#escaped = false
      if (!escaped) {
        this.#keepPart(piece, start, end)
        this.#endText()
        return end + 1
      }
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
    if (this.#expected === 'key' || this.#expected === 'key-or-end') return frame?.into !== undefined
    return frame === undefined || (frame.into !== undefined && !this.#prune(this.#here()))
  }

  #keepPart(piece: Buffer, start: number, end: number): void {
    if (end > start && this.#isKept()) this.#parts.push(Buffer.from(piece.subarray(start, end)))
  }

  #endText(): void {
    const isKey = this.#expected === 'key' || this.#expected === 'key-or-end'
    const kept = this.#isKept()
    const text = kept ? parseText(Buffer.concat(this.#parts)) : null
    this.#parts = []
    this.#token = undefined
    if (isKey) this.#name(text ?? '')
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
    this.#parts.push(Buffer.from(piece.subarray(start, end)))
    if (end < piece.length) this.#endScalar()
    return end
  }

  #endScalar(): void {
    const text = Buffer.concat(this.#parts).toString('latin1')
    this.#parts = []
    this.#token = undefined
    if (!scalar.test(text)) throw new NotJson(`'${text.slice(0, 20)}' is no value.`)
    this.#place(this.#isKept() ? JSON.parse(text) : null)
  }

  /** Where the value that comes next would stand. */
  #here(): readonly PathStep[] {
    const frame = this.#stack.at(-1)
    return frame ? [...this.#path, frame.list ? frame.index : frame.key] : []
  }

  #open(list: boolean): void {
    if (this.#expected !== 'value' && this.#expected !== 'value-or-end') throw new NotJson('A bracket is misplaced.')
    if (this.#stack.length >= deepest) throw new NotJson('It is nested too deeply.')
    const kept = this.#isKept()
    const into = kept ? (list ? [] : (Object.create(null) as Record<string, unknown>)) : undefined
    const around = this.#stack.at(-1)
    if (around) this.#path.push(around.list ? around.index : around.key)
    this.#stack.push({ list, into, key: '', index: 0 })
    this.#expected = list ? 'value-or-end' : 'key-or-end'
  }

  #close(list: boolean): void {
    const frame = this.#stack.at(-1)
    const allowed: Expected = list ? 'value-or-end' : 'key-or-end'
    if (!frame || frame.list !== list || (this.#expected !== 'comma-or-end' && this.#expected !== allowed)) {
      throw new NotJson('A bracket is misplaced.')
    }
    this.#stack.pop()
    this.#path.pop()
    this.#place(frame.into ?? null)
  }

  #place(value: unknown): void {
    const frame = this.#stack.at(-1)
    if (!frame) {
      this.#result = value
      this.#expected = 'nothing'
      return
    }
    if (Array.isArray(frame.into)) frame.into.push(value)
    else if (frame.into) frame.into[frame.key] = value
    this.#expected = 'comma-or-end'
  }
}

const endsScalar = (byte: number): boolean =>
  byte === comma || byte === closeList || byte === closeObject || byte <= 0x20 || byte === colon || byte === quote

function parseText(inside: Buffer): string {
  try {
    return JSON.parse(`"${inside.toString('utf8')}"`) as string
  } catch (cause) {
    throw new NotJson('A text is badly written.', { cause })
  }
}
