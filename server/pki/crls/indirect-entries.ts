import { type Name, nameKey } from '../certificates/distinguished-names.ts'
import { extensionOid, readExtensions } from '../certificates/extensions.ts'
import { readGeneralNames } from '../certificates/general-names.ts'
import { type Element, openSequence, readInteger, readWhole, unreadable } from '../der.ts'
import { readTime } from '../der-text.ts'
import { tag } from '../der-writer.ts'
import { bytesPerTurn, readEntryElement } from './crl-entries.ts'
import { longestSerial, SerialSet } from './serial-set.ts'

const serialsPerTurn = 2_000
const issuersPerTurn = 200

/** An indirect list covers a handful of issuers; each costs memory wherever lists are kept. */
const mostIssuers = 10_000

/** Serial numbers by the `nameKey` of whoever issued the certificates. */
export type SerialsByIssuer = ReadonlyMap<string, SerialSet>

/**
 * Collects the serial numbers of an indirect list by issuer. An entry belongs to the issuer it names, and without one
 * to that of the entry before it; the first ones belong to the issuer of the list (RFC 5280 §5.3.3).
 */
export function* collectByIssuer(
  list: Element | undefined,
  listIssuer: Name,
  seed: number,
): Generator<void, SerialsByIssuer> {
  const places = new Map<string, number[]>()
  let issuer = nameKey(listIssuer)
  let turn = list?.from ?? 0
  for (let at = list?.from ?? 0; list !== undefined && at < list.end; ) {
    const entry = readEntryElement(list, at)
    const { serial, named } = readEntry(entry)
    issuer = named ?? issuer
    const known = places.get(issuer)
    if (known) known.push(serial.from, serial.end)
    else places.set(issuer, [serial.from, serial.end])
    at = entry.end
    if (places.size > mostIssuers) throw unreadable('indirect-crl', 'The list covers too many issuers.')
    if (at - turn < bytesPerTurn) continue
    turn = at
    yield
  }
  const sets = new Map<string, SerialSet>()
  for (const [key, offsets] of places) {
    sets.set(key, yield* packSerials(list?.bytes ?? Buffer.alloc(0), offsets, seed))
    if (sets.size % issuersPerTurn === 0) yield
  }
  return sets
}

function readEntry(element: Element): { serial: Element; named: string | undefined } {
  const what = 'An entry of the list'
  const parts = openSequence(element, what)
  const serial = parts.take(tag.integer)
  readInteger(serial, 'A serial number')
  if (serial.end - serial.from > longestSerial) throw unreadable('serial', 'A serial number on the list is too long.')
  readTime(parts.takeAny(), 'A revocation date')
  const extensions = parts.takeIf(tag.sequence)
  parts.finish()
  return { serial, named: extensions && issuerIn(extensions) }
}

function issuerIn(element: Element): string | undefined {
  let issuer: string | undefined
  for (const { oid, critical, value } of readExtensions(element, 'An entry of the list').values()) {
    if (oid === extensionOid.certificateIssuer) issuer = directoryIn(value)
    else if (critical && oid !== extensionOid.reasonCode)
      throw unreadable('critical-extension', `An entry of the list has the unknown critical extension ${oid}.`)
  }
  return issuer
}

function directoryIn(value: Buffer): string {
  const what = 'certificateIssuer'
  const names = readGeneralNames(readWhole(value, tag.sequence, what), what)
  const directory = names.find((name) => name.kind === 'directory')
  if (directory === undefined) throw unreadable('indirect-crl', 'An entry of the list names no issuer by its subject.')
  return nameKey(directory.name)
}

function* packSerials(bytes: Buffer, offsets: readonly number[], seed: number): Generator<void, SerialSet> {
  let octets = 0
  for (let at = 0; at < offsets.length; at += 2) octets += (offsets[at + 1] ?? 0) - (offsets[at] ?? 0)
  const serials = new SerialSet(offsets.length / 2, octets, seed)
  for (let at = 0; at < offsets.length; at += 2) {
    serials.add(bytes, offsets[at] ?? 0, offsets[at + 1] ?? 0)
    if (at > 0 && at % (2 * serialsPerTurn) === 0) yield
  }
  return serials
}
