import { failure } from '../../kernel/failure.ts'

/** The packets of a key or message that are read or written here (RFC 9580 §5). */
export const tags = { session: 1, signature: 2, key: 6, literal: 11, user: 13, subkey: 14, sealed: 18 } as const

/** One packet of an OpenPGP key or message. */
export type Packet = { readonly tag: number; readonly body: Buffer }

/** Something that is not the OpenPGP it should be. */
export const notReadable = (what: string, cause?: unknown): Error =>
  failure('invalid', 'openpgp.unreadable', `The PGP key ${what}.`, { cause })

/** Takes bytes from the front, and refuses to take more than there are. */
export class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get left(): number {
    return this.#bytes.length - this.#at
  }

  take(length: number): Buffer {
    if (length > this.left) throw notReadable('ends too early')
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  number(bytes: 1 | 2 | 4): number {
    return this.take(bytes).readUIntBE(0, bytes)
  }

  /** A number of any size, with its length in bits before it (§3.2). */
  mpi(): Buffer {
    return this.take(Math.ceil(this.number(2) / 8))
  }
}

/** Reads packets in either form of header (§4.2). Lengths in parts are for streams; no key has them. */
export function readPackets(bytes: Buffer): Packet[] {
  const reader = new Reader(bytes)
  const packets: Packet[] = []
  while (reader.left > 0) {
    const first = reader.number(1)
    if ((first & 0x80) === 0) throw notReadable('is not made of packets')
    const isNew = (first & 0x40) !== 0
    const tag = isNew ? first & 0x3f : (first & 0x3c) >> 2
    packets.push({ tag, body: reader.take(isNew ? newLength(reader) : oldLength(reader, first & 3)) })
  }
  return packets
}

/** The length of a packet of the new form, or of a part of a signature (§4.2.1, §5.2.3.7). */
export function newLength(reader: Reader): number {
  const first = reader.number(1)
  if (first < 192) return first
  if (first < 224) return ((first - 192) << 8) + reader.number(1) + 192
  if (first === 255) return reader.number(4)
  throw notReadable('has a packet in parts')
}

function oldLength(reader: Reader, kind: number): number {
  if (kind === 3) throw notReadable('has a packet without length')
  return reader.number(([1, 2, 4] as const)[kind] ?? 4)
}

/** Writes a packet, with the header of the new form. */
export function writePacket(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  const head = Buffer.alloc(6)
  head.writeUInt8(0xc0 | tag, 0)
  head.writeUInt8(255, 1)
  head.writeUInt32BE(body.length, 2)
  return Buffer.concat([head, body])
}

/** Writes a number of any size: its length in bits, then its bytes without leading zeros. */
export function writeMpi(bytes: Buffer): Buffer {
  const start = bytes.findIndex((byte) => byte !== 0)
  const kept = start < 0 ? Buffer.alloc(0) : bytes.subarray(start)
  const bits = kept.length === 0 ? 0 : kept.length * 8 - Math.clz32(kept.readUInt8(0)) + 24
  const head = Buffer.alloc(2)
  head.writeUInt16BE(bits)
  return Buffer.concat([head, kept])
}
