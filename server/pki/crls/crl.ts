import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Instant } from '../../kernel/clock.ts'
import { readSignatureAlgorithm, type SignatureAlgorithm } from '../certificates/algorithms.ts'
import type { Certificate } from '../certificates/certificate.ts'
import { mayUse } from '../certificates/certificate-facts.ts'
import { isSameName, type Name, nameKey, readName } from '../certificates/distinguished-names.ts'
import {
  type Extension,
  extensionOid,
  readAuthorityKeyId,
  readExtensions,
  readPointUrls,
} from '../certificates/extensions.ts'
import { isLargeSignedBy, type Signed } from '../certificates/signature.ts'
import {
  type Cursor,
  decimalOf,
  type Element,
  encoded,
  openSequence,
  readInteger,
  readOctetBits,
  readSmallInteger,
  readWhole,
  takeDefaultFalse,
  unreadable,
} from '../der.ts'
import { readTime } from '../der-text.ts'
import { tag } from '../der-writer.ts'
import { collectSerials } from './crl-entries.ts'
import { collectByIssuer, type SerialsByIssuer } from './indirect-entries.ts'
import { SerialSet } from './serial-set.ts'

/** A revocation list, without the bytes it was read from. */
export type Crl = {
  readonly issuer: Name
  readonly thisUpdate: Instant
  readonly nextUpdate: Instant | undefined
  /** The CRL number as decimal text. */
  readonly number: string | undefined
  /** Set on a delta list: the number of the complete list it builds on. */
  readonly deltaBase: string | undefined
  readonly authorityKeyId: Buffer | undefined
  /**
   * The certificates for which the list covers every reason, so that those missing from it are not revoked. What it
   * lists is revoked in any case.
   */
  readonly completeFor: 'all' | 'users' | 'cas' | 'nobody'
  /**
   * Addresses of the distribution point whose certificates the list is limited to; undefined if it is not limited to
   * one.
   */
  readonly pointUrls: readonly string[] | undefined
  /** True if the list may revoke certificates of other issuers as well. */
  readonly isIndirect: boolean
  /** SHA-256 of the encoding, lower-case hex. */
  readonly fingerprint: string
  /** Revoked certificates that the issuer of the list issued itself. */
  readonly revoked: SerialSet
  /** Revoked certificates of other issuers, by the `nameKey` of their names. */
  readonly revokedOfOthers: SerialsByIssuer
}

/** A list just read, with what is needed to verify it once; the proof holds on to all bytes, so let go of it soon. */
export type LoadedCrl = { readonly crl: Crl; readonly proof: Signed & { readonly innerAlgorithm: SignatureAlgorithm } }

/** True if the list revokes the serial number, given as the contents of its INTEGER. */
export const isRevoked = (crl: Crl, serial: Buffer): boolean => crl.revoked.has(serial)

/** True if the list revokes this certificate, whether the issuer of the list or another one issued it. */
export const revokes = (crl: Crl, { issuer, serial }: Pick<Certificate, 'issuer' | 'serial'>): boolean =>
  (isSameName(crl.issuer, issuer) ? crl.revoked : crl.revokedOfOthers.get(nameKey(issuer)))?.has(serial) ?? false

/** All sets of serial numbers of a list, its own issuer's first. */
export const serialSets = (crl: Crl): readonly SerialSet[] => [crl.revoked, ...crl.revokedOfOthers.values()]

/** How many serial numbers a list has in all. */
export const countSerials = (crl: Crl): number => serialSets(crl).reduce((sum, { size }) => sum + size, 0)

/** Reads a list at once; for small ones. Throws a failure of kind `malformed`. */
export function readCrl(der: Buffer): LoadedCrl {
  const steps = read(der)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Reads a list of any size and lets others work meanwhile. */
export async function loadCrl(der: Buffer): Promise<LoadedCrl> {
  const steps = read(der)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await nextTurn()
  }
}

const hashSlice = 4 * 1024 * 1024

function* read(der: Buffer): Generator<void, LoadedCrl> {
  const digest = createHash('sha256')
  for (let at = 0; at < der.length; at += hashSlice) {
    digest.update(der.subarray(at, at + hashSlice))
    if (at > 0) yield
  }
  const fingerprint = digest.digest()
  const parts = openSequence(readWhole(der, tag.sequence, 'The CRL'), 'The CRL')
  const signed = parts.take(tag.sequence)
  const algorithm = readSignatureAlgorithm(parts.take(tag.sequence))
  const signature = readOctetBits(parts.take(tag.bitString), 'The signature')
  parts.finish()
  const { list, innerAlgorithm, ...head } = readHead(signed)
  // The seed comes from a digest that covers the serial numbers, so they cannot be chosen to collide under it.
  const revoked = yield* collectRevoked(head, list, fingerprint.readUInt32LE(0))
  const crl: Crl = { ...head, fingerprint: fingerprint.toString('hex'), ...revoked }
  return { crl, proof: { signed: encoded(signed), innerAlgorithm, algorithm, signature } }
}

type Revoked = Pick<Crl, 'revoked' | 'revokedOfOthers'>

function* collectRevoked(
  { issuer, isIndirect }: Pick<Crl, 'issuer' | 'isIndirect'>,
  list: Element | undefined,
  seed: number,
): Generator<void, Revoked> {
  if (!isIndirect) return { revoked: yield* collectSerials(list, seed), revokedOfOthers: new Map() }
  const sets = new Map(yield* collectByIssuer(list, issuer, seed))
  const own = sets.get(nameKey(issuer)) ?? new SerialSet(0, 0, seed)
  sets.delete(nameKey(issuer))
  return { revoked: own, revokedOfOthers: sets }
}

type Head = Omit<Crl, 'fingerprint' | 'revoked' | 'revokedOfOthers'> & {
  list: Element | undefined
  innerAlgorithm: SignatureAlgorithm
}

/**
 * Everything of the signed part but the entries (RFC 5280 §5.1.2). Names and numbers are copied: they outlive the
 * bytes.
 */
function readHead(element: Element): Head {
  const parts = openSequence(element, 'The CRL')
  const version = parts.takeIf(tag.integer)
  if (version !== undefined && readSmallInteger(version, 'The version') !== 1)
    throw unreadable('version', 'The CRL has an unknown version.')
  const innerAlgorithm = readSignatureAlgorithm(parts.take(tag.sequence))
  const name = Buffer.from(encoded(refuseLong(parts.take(tag.sequence), mostNameBytes, 'The issuer of the CRL')))
  const issuer = readName(readWhole(name, tag.sequence, 'The issuer'), 'The issuer')
  const thisUpdate = readTime(parts.takeAny(), 'thisUpdate')
  const hasNext = parts.tag === tag.utcTime || parts.tag === tag.generalizedTime
  const nextUpdate = hasNext ? readTime(parts.takeAny(), 'nextUpdate') : undefined
  const list = parts.takeIf(tag.sequence)
  const extensions = readListExtensions(parts, version !== undefined)
  return { innerAlgorithm, issuer, thisUpdate, nextUpdate, list, ...extensions }
}

/**
 * Enough for any honest name and for the extensions of any honest list: they are read in one go, which must not take
 * long.
 */
const mostNameBytes = 32 * 1024
const mostExtensionBytes = 64 * 1024

function refuseLong(element: Element, most: number, what: string): Element {
  if (element.end - element.start > most) throw unreadable('too-large', `${what} is too long.`)
  return element
}

type Scope = Pick<Crl, 'completeFor' | 'pointUrls' | 'isIndirect'>
type ListExtensions = Scope & Pick<Crl, 'number' | 'deltaBase' | 'authorityKeyId'>

const knownExtensions: ReadonlySet<string> = new Set([
  extensionOid.authorityKeyId,
  extensionOid.crlNumber,
  extensionOid.deltaCrlIndicator,
  extensionOid.issuingDistributionPoint,
])

/** RFC 5280 §5.2. */
function readListExtensions(parts: Cursor, isVersion2: boolean): ListExtensions {
  const element = parts.takeExplicit(0, tag.sequence)
  parts.finish()
  if (element !== undefined && !isVersion2) throw unreadable('version', 'Only version 2 CRLs have extensions.')
  const what = 'The list of CRL extensions'
  const extensions =
    element === undefined
      ? new Map<string, Extension>()
      : readExtensions(refuseLong(element, mostExtensionBytes, what), what)
  for (const { oid, critical } of extensions.values())
    if (critical && !knownExtensions.has(oid))
      throw unreadable('critical-extension', `The CRL has the unknown critical extension ${oid}.`)
  const keyId = extensions.get(extensionOid.authorityKeyId)
  const authorityKeyId = keyId && readAuthorityKeyId(keyId)
  return {
    number: readNumber(extensions.get(extensionOid.crlNumber)),
    deltaBase: readNumber(extensions.get(extensionOid.deltaCrlIndicator)),
    authorityKeyId: authorityKeyId && Buffer.from(authorityKeyId),
    ...scopeOf(extensions.get(extensionOid.issuingDistributionPoint)),
  }
}

/** RFC 5280 §5.2.3: at most 20 octets. */
function readNumber(extension: Extension | undefined): string | undefined {
  if (extension === undefined) return undefined
  const number = readInteger(readWhole(extension.value, tag.integer, 'The CRL number'), 'The CRL number')
  if (number.length > 21) throw unreadable('crl-number', 'The CRL number is too long.')
  return decimalOf(number)
}

/** issuingDistributionPoint (RFC 5280 §5.2.5): whether the list covers only some certificates or reasons, and whose. */
function scopeOf(extension: Extension | undefined): Scope {
  if (extension === undefined) return { completeFor: 'all', pointUrls: undefined, isIndirect: false }
  const what = 'issuingDistributionPoint'
  const parts = openSequence(readWhole(extension.value, tag.sequence, what), what)
  const point = parts.takeIf(0xa0)
  const pointUrls = point && readPointUrls(point, what)
  const onlyUsers = takeDefaultFalse(parts, what, 0x81)
  const onlyCas = takeDefaultFalse(parts, what, 0x82)
  const someReasons = parts.takeIf(0x83) !== undefined
  const isIndirect = takeDefaultFalse(parts, what, 0x84)
  const onlyAttributes = takeDefaultFalse(parts, what, 0x85)
  parts.finish()
  if (onlyAttributes) throw unreadable('attribute-crl', 'The list is about attribute certificates.')
  if (someReasons || (onlyUsers && onlyCas)) return { completeFor: 'nobody', pointUrls, isIndirect }
  return { completeFor: onlyUsers ? 'users' : onlyCas ? 'cas' : 'all', pointUrls, isIndirect }
}

/** Why a list was not issued by this CA, or undefined if it was. */
export async function crlProblem({ crl, proof }: LoadedCrl, issuer: Certificate): Promise<string | undefined> {
  if (!isSameName(crl.issuer, issuer.subject)) return 'It names another issuer.'
  if (!mayUse(issuer, 'crlSign')) return 'The keyUsage of the issuer lacks cRLSign.'
  if (!proof.algorithm.der.equals(proof.innerAlgorithm.der))
    return 'The two places that name its signature algorithm differ.'
  if (proof.algorithm.scheme === undefined) return `It is signed with ${proof.algorithm.problem}.`
  return (await isLargeSignedBy(proof, issuer.publicKey)) ? undefined : 'Its signature is not by the key of the issuer.'
}
