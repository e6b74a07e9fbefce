import { X509Certificate } from 'node:crypto'
import type { ClientCertificate } from '../kit/request.ts'

/** A certificate is read once per connection, not once per request. */
const known = new WeakMap<Buffer, string>()

/** The serial number of a client's certificate in decimal; `unreadable` if the certificate is none. */
export function serialOf({ leaf }: ClientCertificate): string {
  const serial = known.get(leaf) ?? readSerial(leaf)
  known.set(leaf, serial)
  return serial
}

function readSerial(leaf: Buffer): string {
  try {
    return BigInt(`0x${new X509Certificate(leaf).serialNumber}`).toString()
  } catch (thrown) {
    // Whoever sends a broken certificate is refused elsewhere; that refusal must still be recorded.
    return thrown instanceof Error ? 'unreadable' : String(thrown)
  }
}
