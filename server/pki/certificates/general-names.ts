import { isAscii } from 'node:buffer'
import { contents, type Element, encoded, open, openAll, readOid, unreadable } from '../der.ts'
import { tag } from '../der-writer.ts'
import { type Name, readName } from './distinguished-names.ts'

/** A GeneralName (RFC 5280 §4.2.1.6). Of the kinds that this engine does not read, only the tag number is kept. */
export type GeneralName =
  | { readonly kind: 'email' | 'dns' | 'uri'; readonly text: string }
  | { readonly kind: 'ip'; readonly bytes: Buffer }
  | { readonly kind: 'directory'; readonly name: Name }
  | { readonly kind: 'other'; readonly type: string; readonly value: Buffer }
  | { readonly kind: 'x400' | 'edi' | 'registered-id' }

/** Reads the names of a GeneralNames, of which there must be at least one. */
export function readGeneralNames(element: Element, what: string): GeneralName[] {
  const names = openAll(element, what).map((each) => readGeneralName(each, what))
  if (names.length === 0) throw unreadable('general-names', `${what} holds no name.`)
  return names
}

/** Reads one GeneralName. */
export function readGeneralName(element: Element, what: string): GeneralName {
  switch (element.tag) {
    case 0xa0:
      return readOther(element, what)
    case 0x81:
      return { kind: 'email', text: readIa5(element, what) }
    case 0x82:
      return { kind: 'dns', text: readIa5(element, what) }
    case 0xa3:
      openAll(element, what)
      return { kind: 'x400' }
    case 0xa4:
      return { kind: 'directory', name: readDirectory(element, what) }
    case 0xa5:
      openAll(element, what)
      return { kind: 'edi' }
    case 0x86:
      return { kind: 'uri', text: readIa5(element, what) }
    case 0x87:
      return { kind: 'ip', bytes: contents(element) }
    case 0x88:
      readOid(element, what)
      return { kind: 'registered-id' }
    default:
      throw unreadable('general-names', `${what} holds a name of unknown kind.`)
  }
}

/** IA5String without NUL, at which other software would cut the name short. */
function readIa5(element: Element, what: string): string {
  const bytes = contents(element)
  if (!isAscii(bytes) || bytes.includes(0)) throw unreadable('general-names', `${what} holds a name that is not ASCII.`)
  return bytes.toString('latin1')
}

function readDirectory(element: Element, what: string): Name {
  const inner = open(element, what)
  const name = readName(inner.take(tag.sequence), what)
  inner.finish()
  return name
}

function readOther(element: Element, what: string): GeneralName {
  const inner = open(element, what)
  const type = readOid(inner.take(tag.oid), what)
  const wrapper = open(inner.take(0xa0), what)
  const value = encoded(wrapper.takeAny())
  wrapper.finish()
  inner.finish()
  return { kind: 'other', type, value }
}

/** True for the octets of an IP address of either version. */
export const isAddress = (bytes: Uint8Array): boolean => bytes.length === 4 || bytes.length === 16

/** An IP address as text: dotted for four octets, RFC 5952 for sixteen, hex for anything else. */
export function addressText(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.')
  if (bytes.length !== 16) return Buffer.from(bytes).toString('hex')
  const groups = Array.from({ length: 8 }, (_, index) => ((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0))
  const zeros = longestZeros(groups)
  const hex = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':')
  if (zeros.length < 2) return hex(groups)
  return `${hex(groups.slice(0, zeros.at))}::${hex(groups.slice(zeros.at + zeros.length))}`
}

function longestZeros(groups: readonly number[]): { at: number; length: number } {
  let best = { at: 0, length: 0 }
  for (let at = 0; at < groups.length; at++) {
    let length = 0
    while (groups[at + length] === 0) length++
    if (length > best.length) best = { at, length }
  }
  return best
}
