import { createHmac, hash } from 'node:crypto'

const blockBytes = 64
const digestBytes = 32
const scratchBytes = 4096

/**
 * HMAC-SHA256 in hex with the key's pads prepared once (RFC 2104 §4). For the short texts of audit records this takes
 * less than half the time of `createHmac`, which sets up two hash objects per call. Keys have at most 64 bytes.
 */
export function prepareHmac(key: Uint8Array): (text: string) => string {
  if (key.length > blockBytes) throw new RangeError('The key of a prepared HMAC has at most 64 bytes')
  const inner = Buffer.alloc(blockBytes + scratchBytes)
  const outer = Buffer.alloc(blockBytes + digestBytes)
  for (let at = 0; at < blockBytes; at++) {
    inner[at] = (key[at] ?? 0) ^ 0x36
    outer[at] = (key[at] ?? 0) ^ 0x5c
  }
  return (text) => {
    // A character of a text takes at most three bytes in UTF-8.
    if (text.length * 3 > scratchBytes) return createHmac('sha256', key).update(text).digest('hex')
    const length = inner.write(text, blockBytes)
    outer.write(hash('sha256', inner.subarray(0, blockBytes + length), 'binary'), blockBytes, 'binary')
    return hash('sha256', outer, 'hex')
  }
}
