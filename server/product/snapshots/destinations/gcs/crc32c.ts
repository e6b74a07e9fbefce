/**
 * For each byte, the remainder after eight steps of the division by the Castagnoli polynomial, with its bits reversed.
 */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? 0x82f6_3b78 : 0)
  return rest
})

/** The checksum CRC-32C (RFC 3720, appendix B.4) of bytes that come in pieces. */
export class Crc32c {
  #rest = -1

  /** Takes the next bytes. */
  update(bytes: Uint8Array): void {
    let rest = this.#rest
    for (let at = 0; at < bytes.length; at++) {
      rest = (rest >>> 8) ^ (table[(rest ^ (bytes[at] as number)) & 0xff] as number)
    }
    this.#rest = rest
  }

  /** The checksum of all bytes so far, in the form that stores use: four bytes, big-endian, in base64. */
  base64(): string {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(~this.#rest >>> 0)
    return bytes.toString('base64')
  }
}
