import { hash } from 'node:crypto'
import type { Instant } from '../../kernel/clock.ts'
import {
  type Cursor,
  type Element,
  encoded,
  openSequence,
  readInteger,
  readOctetBits,
  readSmallInteger,
  readWhole,
  unreadable,
} from '../der.ts'
import { readTime } from '../der-text.ts'
import { tag } from '../der-writer.ts'
import { readSignatureAlgorithm, type SignatureAlgorithm } from './algorithms.ts'
import { isSameName, type Name, readName } from './distinguished-names.ts'
import {
  type BasicConstraints,
  type Extension,
  extensionOid,
  type NameConstraints,
  readAuthorityKeyId,
  readBasicConstraints,
  readCrlUrls,
  readExtendedKeyUsage,
  readExtensions,
  readKeyUsage,
  readNameConstraints,
  readOcspUrls,
  readSubjectAltName,
  readSubjectKeyId,
} from './extensions.ts'
import type { GeneralName } from './general-names.ts'
import {
  type PolicyConstraints,
  type PolicyMapping,
  readCertificatePolicies,
  readInhibitAnyPolicy,
  readPolicyConstraints,
  readPolicyMappings,
} from './policy-extensions.ts'
import { type PublicKeyInfo, readPublicKeyInfo } from './public-key.ts'

/** A certificate, read once and completely; nothing in it has been verified. */
export type Certificate = {
  readonly der: Buffer
  /** SHA-256 of the whole encoding, lower-case hex. */
  readonly fingerprint: string
  readonly version: 1 | 2 | 3
  /** The contents of the serial number; `decimalOf` prints it. */
  readonly serial: Buffer
  readonly issuer: Name
  readonly subject: Name
  readonly notBefore: Instant
  readonly notAfter: Instant
  readonly publicKey: PublicKeyInfo
  readonly extensions: ReadonlyMap<string, Extension>
  /** What the signature covers. */
  readonly signed: Buffer
  /** The algorithm named inside the signed part; it must equal the outer one. */
  readonly innerAlgorithm: SignatureAlgorithm
  readonly algorithm: SignatureAlgorithm
  readonly signature: Buffer
  /** Issuer and subject are the same name (RFC 5280 §3.2), whoever signed. */
  readonly isSelfIssued: boolean
} & KnownExtensions

/** The extensions this engine understands, decoded; undefined when absent. */
type KnownExtensions = {
  readonly basicConstraints: BasicConstraints | undefined
  readonly keyUsage: number | undefined
  readonly extendedKeyUsage: readonly string[] | undefined
  readonly alternativeNames: readonly GeneralName[]
  readonly nameConstraints: NameConstraints | undefined
  readonly subjectKeyId: Buffer | undefined
  readonly authorityKeyId: Buffer | undefined
  readonly ocspUrls: readonly string[]
  readonly crlUrls: readonly string[]
  readonly policies: readonly string[] | undefined
  readonly policyMappings: readonly PolicyMapping[]
  readonly policyConstraints: PolicyConstraints | undefined
  readonly inhibitAnyPolicy: number | undefined
}

/** Larger than any certificate in use; keeps one hostile certificate from costing much. */
const mostBytes = 256 * 1024

/**
 * RFC 5280 §4.1.2.2. A leading zero octet, which only makes the number positive, may come on top: issuers forget to
 * count it.
 */
const mostSerialBytes = 20

/** Reads one certificate; throws a failure of kind `malformed` on anything that is not exactly that. */
export function readCertificate(der: Buffer): Certificate {
  if (der.length > mostBytes) throw unreadable('too-large', 'The certificate is too large.')
  const parts = openSequence(readWhole(der, tag.sequence, 'The certificate'), 'The certificate')
  const signed = parts.take(tag.sequence)
  const algorithm = readSignatureAlgorithm(parts.take(tag.sequence))
  const signature = readOctetBits(parts.take(tag.bitString), 'The signature')
  parts.finish()
  return {
    der,
    fingerprint: hash('sha256', der, 'hex'),
    ...readSigned(signed),
    signed: encoded(signed),
    algorithm,
    signature,
  }
}

type SignedPart = Omit<Certificate, 'der' | 'fingerprint' | 'signed' | 'algorithm' | 'signature'>

function readSigned(element: Element): SignedPart {
  const parts = openSequence(element, 'The certificate')
  const version = readVersion(parts)
  const serial = readSerial(parts.take(tag.integer))
  const innerAlgorithm = readSignatureAlgorithm(parts.take(tag.sequence))
  const issuer = readName(parts.take(tag.sequence), 'The issuer')
  const validity = openSequence(parts.take(tag.sequence), 'The validity')
  const notBefore = readTime(validity.takeAny(), 'notBefore')
  const notAfter = readTime(validity.takeAny(), 'notAfter')
  validity.finish()
  const subject = readName(parts.take(tag.sequence), 'The subject')
  const publicKey = readPublicKeyInfo(parts.take(tag.sequence))
  const extensions = readOptionalTail(parts, version)
  return {
    version,
    serial,
    innerAlgorithm,
    issuer,
    subject,
    notBefore,
    notAfter,
    publicKey,
    extensions,
    isSelfIssued: isSameName(issuer, subject),
    ...readKnownExtensions(extensions),
  }
}

function readVersion(parts: Cursor): 1 | 2 | 3 {
  const element = parts.takeExplicit(0, tag.integer)
  const number = element === undefined ? 0 : readSmallInteger(element, 'The version')
  if (number > 2) throw unreadable('version', `There is no certificate version ${number + 1}.`)
  return number === 0 ? 1 : number === 1 ? 2 : 3
}

function readSerial(element: Element): Buffer {
  const serial = readInteger(element, 'The serial number')
  if (serial.length - (serial[0] === 0 ? 1 : 0) > mostSerialBytes)
    throw unreadable('serial', 'The serial number is longer than 20 octets.')
  return serial
}

const noExtensions: ReadonlyMap<string, Extension> = new Map()

/** The unique identifiers of version 2, which nobody uses, and the extensions of version 3. */
function readOptionalTail(parts: Cursor, version: number): ReadonlyMap<string, Extension> {
  const hasUniqueIds = [parts.takeIf(0x81), parts.takeIf(0x82)].some((element) => element !== undefined)
  if (hasUniqueIds && version === 1) throw unreadable('version', 'A version 1 certificate has unique identifiers.')
  const element = parts.takeExplicit(3, tag.sequence)
  parts.finish()
  if (element === undefined) return noExtensions
  if (version !== 3) throw unreadable('version', 'Only version 3 certificates have extensions.')
  return readExtensions(element, 'The list of extensions')
}

function readKnownExtensions(extensions: ReadonlyMap<string, Extension>): KnownExtensions {
  const read = <T>(oid: string, decode: (extension: Extension) => T): T | undefined => {
    const extension = extensions.get(oid)
    return extension && decode(extension)
  }
  return {
    basicConstraints: read(extensionOid.basicConstraints, readBasicConstraints),
    keyUsage: read(extensionOid.keyUsage, readKeyUsage),
    extendedKeyUsage: read(extensionOid.extendedKeyUsage, readExtendedKeyUsage),
    alternativeNames: read(extensionOid.subjectAltName, readSubjectAltName) ?? [],
    nameConstraints: read(extensionOid.nameConstraints, readNameConstraints),
    subjectKeyId: read(extensionOid.subjectKeyId, readSubjectKeyId),
    authorityKeyId: read(extensionOid.authorityKeyId, readAuthorityKeyId),
    ocspUrls: read(extensionOid.authorityInfoAccess, readOcspUrls) ?? [],
    crlUrls: read(extensionOid.crlDistributionPoints, readCrlUrls) ?? [],
    policies: read(extensionOid.certificatePolicies, readCertificatePolicies),
    policyMappings: read(extensionOid.policyMappings, readPolicyMappings) ?? [],
    policyConstraints: read(extensionOid.policyConstraints, readPolicyConstraints),
    inhibitAnyPolicy: read(extensionOid.inhibitAnyPolicy, readInhibitAnyPolicy),
  }
}
