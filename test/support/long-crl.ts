import * as der from '../../server/pki/der-writer.ts'

/** The first serial number of a long list. */
export const firstLongSerial = 2n ** 126n

/** The entries of a list with this many serial numbers of 16 octets, made by copying: one by one takes minutes. */
export function longCrlEntries(count: number): Buffer {
  const entry = der.sequence(der.integer(firstLongSerial), der.time(new Date('2026-01-01T00:00:00Z')))
  const entries = Buffer.alloc(count * entry.length)
  const lowOctets = 4 + 12
  for (let index = 0; index < count; index++) {
    entry.copy(entries, index * entry.length)
    entries.writeUInt32BE(index, index * entry.length + lowOctets)
  }
  return entries
}
