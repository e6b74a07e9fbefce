/** Universal tags this engine reads and writes (X.680 §8.6). */
export const tag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  nullValue: 0x05,
  oid: 0x06,
  enumerated: 0x0a,
  utf8String: 0x0c,
  numericString: 0x12,
  printableString: 0x13,
  t61String: 0x14,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  visibleString: 0x1a,
  generalString: 0x1b,
  universalString: 0x1c,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const

/** One DER value: tag, shortest length, contents. */
export function tlv(tagByte: number, ...parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([header(tagByte, length), ...parts])
}

function header(tagByte: number, length: number): Buffer {
  if (length < 0x80) return Buffer.from([tagByte, length])
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest & 0xff)
  return Buffer.from([tagByte, 0x80 | bytes.length, ...bytes])
}

/** SEQUENCE of the parts. */
export const sequence = (...parts: readonly Uint8Array[]): Buffer => tlv(tag.sequence, ...parts)

/** SET OF: DER wants the encodings in ascending order (X.690 §11.6). */
export const setOf = (...parts: readonly Uint8Array[]): Buffer =>
  tlv(tag.set, ...[...parts].sort((a, b) => Buffer.compare(a, b)))

/** OCTET STRING. */
export const octetString = (bytes: Uint8Array): Buffer => tlv(tag.octetString, bytes)

/** BIT STRING with a number of unused bits at the end. */
export const bitString = (bytes: Uint8Array, unused = 0): Buffer => tlv(tag.bitString, Buffer.from([unused]), bytes)

/** A named bit list: the highest set bit decides the length (X.690 §11.2.2). */
export function namedBits(bits: readonly number[]): Buffer {
  if (bits.length === 0) return bitString(Buffer.alloc(0))
  const highest = Math.max(...bits)
  const bytes = Buffer.alloc((highest >> 3) + 1)
  for (const bit of bits) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7))
  return bitString(bytes, 7 - (highest & 7))
}

/** BOOLEAN. */
export const boolean = (value: boolean): Buffer => tlv(tag.boolean, Buffer.from([value ? 0xff : 0]))

/** NULL. */
export const nullValue = (): Buffer => tlv(tag.nullValue)

/** INTEGER in the fewest octets of two's complement. */
export const integer = (value: bigint | number): Buffer => tlv(tag.integer, twosComplement(BigInt(value)))

function twosComplement(value: bigint): Buffer {
  const bytes: number[] = []
  let rest = value
  do {
    bytes.unshift(Number(BigInt.asUintN(8, rest)))
    rest >>= 8n
  } while (!(rest === 0n && (bytes[0] ?? 0) < 0x80) && !(rest === -1n && (bytes[0] ?? 0) >= 0x80))
  return Buffer.from(bytes)
}

/** OBJECT IDENTIFIER from dotted text. */
export function oid(dotted: string): Buffer {
  const [first = 0n, second = 0n, ...rest] = dotted.split('.').map(BigInt)
  return tlv(tag.oid, Buffer.from([first * 40n + second, ...rest].flatMap(base128)))
}

function base128(arc: bigint): number[] {
  const bytes = [Number(arc & 0x7fn)]
  for (let rest = arc >> 7n; rest > 0n; rest >>= 7n) bytes.unshift(Number(rest & 0x7fn) | 0x80)
  return bytes
}

/** UTF8String. */
export const utf8String = (text: string): Buffer => tlv(tag.utf8String, Buffer.from(text, 'utf8'))

/** A date: UTCTime through 2049, GeneralizedTime from 2050 on (RFC 5280 §4.1.2.5). */
export function time(at: Date): Buffer {
  const year = at.getUTCFullYear()
  if (year < 1950 || year > 2049) return generalizedTime(at)
  return tlv(tag.utcTime, Buffer.from(digits(at).slice(2), 'latin1'))
}

/** GeneralizedTime in whole seconds. */
export const generalizedTime = (at: Date): Buffer => tlv(tag.generalizedTime, Buffer.from(digits(at), 'latin1'))

const digits = (at: Date): string => `${at.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`

/** `[n] EXPLICIT`: the value inside a constructed context tag. */
export const explicitTag = (number: number, ...parts: readonly Uint8Array[]): Buffer => tlv(0xa0 | number, ...parts)

/** `[n] IMPLICIT` over a primitive type: its contents under a context tag. */
export const implicitTag = (number: number, contents: Uint8Array): Buffer => tlv(0x80 | number, contents)
