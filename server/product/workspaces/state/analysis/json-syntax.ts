/** Thrown for text that is not JSON. */
export class NotJson extends Error {
  override readonly name = 'NotJson'
}

/** Brackets that may be open at once; no state comes near it. */
export const deepest = 512

/**
 * The states of the scanner, named after what may come next, and the marks that change the depth. Their numbers matter:
 * `broken` is 0, the default of the table, and from `value` up to the first mark a state needs no further look.
 */
const [broken, commaOrEnd, value, valueOrEnd, key, keyOrEnd, colon] = [0, 1, 2, 3, 4, 5, 6]
const [text, keyText] = [7, 8]
const [openList, openObject, closeList, closeObject, comma] = [0x80, 0x81, 0x82, 0x83, 0x84]
const firstMark = openList
let states = 9

/** For each state and byte, the next state. RFC 8259 as a table: one look-up for each byte. */
const table = new Uint8Array(64 * 256)

/** True for bytes that stand for themselves in a text. */
const plain = new Uint8Array(256)

const space = ' \n\r\t'
const digits = '0123456789'
const hexDigits = `${digits}abcdefABCDEF`

function on(from: number, bytes: string, to: number): void {
  for (const byte of Buffer.from(bytes, 'latin1')) table[(from << 8) | byte] = to
}

function inText(from: number, after: number): void {
  const [escaped, hex1, hex2, hex3, hex4] = [states++, states++, states++, states++, states++] as const
  for (let byte = 0x20; byte < 256; byte++) {
    table[(from << 8) | byte] = from
    plain[byte] = 1
  }
  on(from, '"', after)
  on(from, '\\', escaped)
  on(escaped, '"\\/bfnrt', from)
  on(escaped, 'u', hex1)
  on(hex1, hexDigits, hex2)
  on(hex2, hexDigits, hex3)
  on(hex3, hexDigits, hex4)
  on(hex4, hexDigits, from)
}

function word(letters: string): void {
  const [first = '', ...rest] = letters
  let at = states++
  for (const from of [value, valueOrEnd]) on(from, first, at)
  for (const [index, letter] of rest.entries()) {
    const next = index === rest.length - 1 ? commaOrEnd : states++
    on(at, letter, next)
    at = next
  }
}

function numbers(): void {
  const [minus, zero, whole, point, fraction] = [states++, states++, states++, states++, states++] as const
  const [exponent, sign, power] = [states++, states++, states++] as const
  for (const from of [value, valueOrEnd, minus]) {
    on(from, '0', zero)
    on(from, '123456789', whole)
  }
  for (const from of [value, valueOrEnd]) on(from, '-', minus)
  // A number is followed by whatever may follow a value.
  for (const last of [zero, whole, fraction, power]) {
    table.copyWithin(last << 8, commaOrEnd << 8, (commaOrEnd + 1) << 8)
  }
  for (const from of [zero, whole]) on(from, '.', point)
  for (const from of [zero, whole, fraction]) on(from, 'eE', exponent)
  on(whole, digits, whole)
  for (const from of [point, fraction]) on(from, digits, fraction)
  on(exponent, '+-', sign)
  for (const from of [exponent, sign, power]) on(from, digits, power)
}

for (const from of [value, valueOrEnd, key, keyOrEnd, colon, commaOrEnd]) on(from, space, from)
for (const from of [value, valueOrEnd]) {
  on(from, '[', openList)
  on(from, '{', openObject)
  on(from, '"', text)
}
for (const from of [key, keyOrEnd]) on(from, '"', keyText)
on(valueOrEnd, ']', closeList)
on(keyOrEnd, '}', closeObject)
on(colon, ':', value)
on(commaOrEnd, ',', comma)
on(commaOrEnd, ']', closeList)
on(commaOrEnd, '}', closeObject)
inText(text, commaOrEnd)
inText(keyText, colon)
for (const letters of ['true', 'false', 'null']) word(letters)
numbers()
for (const byte of Buffer.from('"\\')) plain[byte] = 0

const [aList, anObject] = [1, 2]
const [newline, blank] = [0x0a, 0x20]

/**
 * Where a run of bytes that stand for themselves ends. Most of a state consists of them, so they have a loop of their
 * own.
 */
export function endOfPlain(piece: Uint8Array, start: number): number {
  let at = start
  for (const last = piece.length - 3; at < last; at += 4) {
    const two = (plain[piece[at] as number] as number) & (plain[piece[at + 1] as number] as number)
    if ((two & (plain[piece[at + 2] as number] as number) & (plain[piece[at + 3] as number] as number)) === 0) break
  }
  while (at < piece.length && plain[piece[at] as number] === 1) at++
  return at
}

/** True for a byte between tokens. */
export const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Where the bytes between tokens that begin here end. */
export function endOfSpace(piece: Uint8Array, start: number): number {
  let at = start + 1
  while (isSpace(piece[at])) at++
  return at
}

/** Skips one text, list or object, in pieces, and checks that it is JSON. It keeps nothing of it. */
export class JsonSkipper {
  readonly #kinds = new Uint8Array(deepest + 1)
  #state = value
  #depth = 0

  /** Starts with a new value that has so many open brackets around it. */
  begin(around: number): void {
    this.#state = value
    this.#depth = around
    this.#kinds[around] = 0
  }

  /** Continues at `start`; returns where the value ended, or -1 if it continues in the next piece. */
  skip(piece: Uint8Array, start: number): number {
    const kinds = this.#kinds
    let state = this.#state
    let depth = this.#depth
    for (let at = start; at < piece.length; ) {
      if (state === text || state === keyText) {
        at = endOfPlain(piece, at)
        if (at === piece.length) break
      }
      const byte = piece[at++] as number
      const next = table[(state << 8) | byte] as number
      if (byte === newline) while (piece[at] === blank) at++
      if (next === state) continue
      state = next
      if (next >= value && next < firstMark) continue
      if (next === broken) throw new NotJson('A part of it is badly written.')
      if (next >= firstMark) {
        depth = this.#mark(next, depth)
        state = this.#afterMark(next, depth)
      }
      if (state === commaOrEnd && kinds[depth] === 0) return at
    }
    this.#state = state
    this.#depth = depth
    return -1
  }

  #afterMark(mark: number, depth: number): number {
    if (mark === comma) return this.#kinds[depth] === aList ? value : key
    if (mark === openList) return valueOrEnd
    return mark === openObject ? keyOrEnd : commaOrEnd
  }

  /** The depth after a mark, which must match the open brackets. */
  #mark(mark: number, depth: number): number {
    const kinds = this.#kinds
    if (mark === comma) return depth
    if (mark === openList || mark === openObject) {
      if (depth >= deepest) throw new NotJson('It is nested too deeply.')
      kinds[depth + 1] = mark === openList ? aList : anObject
      return depth + 1
    }
    if (kinds[depth] !== (mark === closeList ? aList : anObject)) throw new NotJson('A bracket is misplaced.')
    return depth - 1
  }
}

/**
 * Parses a document that is in memory as a whole; undefined if it is invalid or too deep. A scanner can then tell why.
 */
export function parseWhole(bytes: Buffer, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    const document = parse(bytes.toString('utf8'))
    return isDeeper(document, deepest) ? undefined : document
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** True if lists and objects are nested deeper than this; hand-written loops, because it visits every one. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof inner === 'object' && isDeeper(inner, levels - 1)) return true
  }
  return false
}
