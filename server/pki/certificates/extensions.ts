import {
  type Cursor,
  contents,
  type Element,
  open,
  openAll,
  openSequence,
  readBitString,
  readElement,
  readInteger,
  readOid,
  readSmallInteger,
  readWhole,
  takeDefaultFalse,
  unreadable,
} from '../der.ts'
import { readText } from '../der-text.ts'
import { tag } from '../der-writer.ts'
import { readRelativeName } from './distinguished-names.ts'
import { type GeneralName, isAddress, readGeneralName, readGeneralNames } from './general-names.ts'

/** An extension as encoded: its identifier, whether it must be understood, and the DER inside. */
export type Extension = { readonly oid: string; readonly critical: boolean; readonly value: Buffer }

/** Identifiers of the extensions this engine understands. */
export const extensionOid = {
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  crlNumber: '2.5.29.20',
  reasonCode: '2.5.29.21',
  deltaCrlIndicator: '2.5.29.27',
  issuingDistributionPoint: '2.5.29.28',
  certificateIssuer: '2.5.29.29',
  nameConstraints: '2.5.29.30',
  crlDistributionPoints: '2.5.29.31',
  certificatePolicies: '2.5.29.32',
  policyMappings: '2.5.29.33',
  authorityKeyId: '2.5.29.35',
  policyConstraints: '2.5.29.36',
  extendedKeyUsage: '2.5.29.37',
  inhibitAnyPolicy: '2.5.29.54',
  authorityInfoAccess: '1.3.6.1.5.5.7.1.1',
} as const

/** Reads an Extensions sequence; the same identifier twice is refused (RFC 5280 §4.2). */
export function readExtensions(element: Element, what: string): Map<string, Extension> {
  const all = new Map<string, Extension>()
  for (const each of openAll(element, what)) {
    const parts = openSequence(each, what)
    const oid = readOid(parts.take(tag.oid), what)
    const critical = takeDefaultFalse(parts, what)
    const value = contents(parts.take(tag.octetString))
    parts.finish()
    if (all.has(oid)) throw unreadable('duplicate-extension', `${what} holds extension ${oid} twice.`)
    all.set(oid, { oid, critical, value })
  }
  if (all.size === 0) throw unreadable('extension', `${what} is empty.`)
  return all
}

/**
 * The text of an extension whose value is one ASN.1 string; undefined when it is anything else. VisibleString and
 * UniversalString count as "anything else", and bytes behind the string are ignored: clients of this family rely on
 * both.
 */
export function extensionText(extension: Extension): string | undefined {
  try {
    const element = readElement(extension.value, 0, extension.value.length)
    return element.tag === tag.visibleString || element.tag === tag.universalString ? undefined : readText(element)
  } catch {
    // Private extensions may hold any bytes, so it is normal that some are not DER.
    return undefined
  }
}

const wholeSequence = (extension: Extension, what: string): Element => readWhole(extension.value, tag.sequence, what)

/** The values of an extension that is a SEQUENCE OF, of which there must be at least one. */
export function sequenceEntries(extension: Extension, what: string): Element[] {
  const list = openAll(wholeSequence(extension, what), what)
  if (list.length === 0) throw unreadable('extension', `${what} is empty.`)
  return list
}

/** basicConstraints (RFC 5280 §4.2.1.9). */
export type BasicConstraints = { readonly ca: boolean; readonly pathLength: number | undefined }

/** Reads basicConstraints. */
export function readBasicConstraints(extension: Extension): BasicConstraints {
  const parts = open(wholeSequence(extension, 'basicConstraints'), 'basicConstraints')
  const ca = takeDefaultFalse(parts, 'basicConstraints')
  const length = parts.takeIf(tag.integer)
  parts.finish()
  return { ca, pathLength: length && readSmallInteger(length, 'pathLenConstraint') }
}

/** Reads keyUsage as a set of bits: bit n of the number is bit n of the extension. */
export function readKeyUsage(extension: Extension): number {
  const { bytes } = readBitString(readWhole(extension.value, tag.bitString, 'keyUsage'), 'keyUsage')
  if (bytes.length > 2) throw unreadable('extension', 'keyUsage has more bits than there are usages.')
  let bits = 0
  for (let bit = 0; bit < 8 * bytes.length; bit++) if ((bytes[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) bits |= 1 << bit
  return bits
}

/** Purposes of extKeyUsage this engine asks for (RFC 5280 §4.2.1.12). */
export const purposeOid = {
  any: '2.5.29.37.0',
  clientAuth: '1.3.6.1.5.5.7.3.2',
  ocspSigning: '1.3.6.1.5.5.7.3.9',
} as const

/** Reads extKeyUsage; an empty list is malformed. */
export const readExtendedKeyUsage = (extension: Extension): string[] =>
  sequenceEntries(extension, 'extKeyUsage').map((each) => {
    if (each.tag !== tag.oid) throw unreadable('extension', 'extKeyUsage contains something that is not a purpose.')
    return readOid(each, 'extKeyUsage')
  })

/** Reads subjectAltName. */
export function readSubjectAltName(extension: Extension): GeneralName[] {
  const names = readGeneralNames(wholeSequence(extension, 'subjectAltName'), 'subjectAltName')
  if (names.some((name) => name.kind === 'ip' && !isAddress(name.bytes)))
    throw unreadable('general-names', 'subjectAltName holds an address of neither 4 nor 16 octets.')
  return names
}

/** Reads subjectKeyIdentifier. */
export const readSubjectKeyId = (extension: Extension): Buffer =>
  contents(readWhole(extension.value, tag.octetString, 'subjectKeyIdentifier'))

/** Reads the key identifier of an authorityKeyIdentifier, which may lack it. */
export function readAuthorityKeyId(extension: Extension): Buffer | undefined {
  const what = 'authorityKeyIdentifier'
  const parts = open(wholeSequence(extension, what), what)
  const keyId = parts.takeIf(0x80)
  const issuer = parts.takeIf(0xa1)
  if (issuer !== undefined) readGeneralNames(issuer, what)
  const serial = parts.takeIf(0x82)
  if (serial !== undefined) readInteger(serial, what)
  parts.finish()
  return keyId && contents(keyId)
}

/** Permitted and excluded subtrees (RFC 5280 §4.2.1.10). */
export type NameConstraints = { readonly permitted: readonly GeneralName[]; readonly excluded: readonly GeneralName[] }

/** Reads nameConstraints; an empty extension constrains nothing and is forbidden by the RFC. */
export function readNameConstraints(extension: Extension): NameConstraints {
  const what = 'nameConstraints'
  const parts = open(wholeSequence(extension, what), what)
  const permitted = parts.takeIf(0xa0)
  const excluded = parts.takeIf(0xa1)
  parts.finish()
  if (!permitted && !excluded) throw unreadable('extension', 'nameConstraints is empty.')
  return { permitted: readSubtrees(permitted), excluded: readSubtrees(excluded) }
}

function readSubtrees(element: Element | undefined): GeneralName[] {
  if (element === undefined) return []
  const trees = openAll(element, 'nameConstraints').map((tree) => {
    const parts = openSequence(tree, 'nameConstraints')
    const base = readGeneralName(parts.takeAny(), 'nameConstraints')
    takeZeroMinimum(parts)
    // A maximum is never used in this profile; ignoring one would widen the tree.
    parts.finish()
    return base
  })
  if (trees.length === 0) throw unreadable('extension', 'nameConstraints has an empty list of subtrees.')
  return trees
}

function takeZeroMinimum(parts: Cursor): void {
  const minimum = parts.takeIf(0x80)
  if (minimum !== undefined && readSmallInteger(minimum, 'nameConstraints') !== 0)
    throw unreadable('extension', 'nameConstraints uses a minimum distance, which this profile does not know.')
}

const ocspAccess = '1.3.6.1.5.5.7.48.1'

/** The OCSP addresses of authorityInfoAccess, in order. */
export function readOcspUrls(extension: Extension): string[] {
  const what = 'authorityInfoAccess'
  return sequenceEntries(extension, what).flatMap((each) => {
    const parts = openSequence(each, what)
    const method = readOid(parts.take(tag.oid), what)
    const location = readGeneralName(parts.takeAny(), what)
    parts.finish()
    return method === ocspAccess && location.kind === 'uri' ? [location.text] : []
  })
}

/** The addresses named by cRLDistributionPoints, in order. */
export function readCrlUrls(extension: Extension): string[] {
  const what = 'cRLDistributionPoints'
  return sequenceEntries(extension, what).flatMap((each) => {
    const parts = openSequence(each, what)
    const point = parts.takeIf(0xa0)
    const reasons = parts.takeIf(0x81)
    if (reasons !== undefined) readBitString(reasons, what)
    const issuer = parts.takeIf(0xa2)
    if (issuer !== undefined) readGeneralNames(issuer, what)
    parts.finish()
    return point === undefined ? [] : readPointUrls(point, what)
  })
}

/** The addresses of one distribution point. */
export function readPointUrls(point: Element, what: string): string[] {
  const choice = open(point, what)
  const element = choice.takeAny()
  choice.finish()
  if (element.tag === 0xa1) {
    readRelativeName(element, what)
    return []
  }
  if (element.tag !== 0xa0) throw unreadable('extension', `${what} holds a name of unknown kind.`)
  return readGeneralNames(element, what).flatMap((name) => (name.kind === 'uri' ? [name.text] : []))
}
