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
    const { serialNumber } = new X509Certificate(leaf)
    // None should be below zero, some are (RFC 5280 §4.1.2.2).
    const [sign, digits] = serialNumber.startsWith('-') ? ['-', serialNumber.slice(1)] : ['', serialNumber]
    return `${sign}${BigInt(`0x${digits}`)}`
  } catch {
    // Whoever sends a broken certificate is refused elsewhere; that refusal must still be recorded.
    return 'unreadable'
  }
}
