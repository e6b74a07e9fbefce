import { type KeyObject, randomBytes } from 'node:crypto'
import * as der from '../../server/pki/der-writer.ts'
import { writePem } from '../../server/pki/pem.ts'
import {
  type AlternativeNames,
  alternativeNames,
  encodeName,
  type KeyKind,
  keyIdOf,
  type NameAttribute,
  newKey,
  type SignWith,
  type Subtrees,
  signerFor,
  spkiOf,
  subtrees,
} from './certificate-parts.ts'

/** An extension as raw DER. */
export type RawExtension = { oid: string; critical?: boolean; value: Uint8Array }

/** Everything a certificate can be given; `null` leaves out an extension that would be there by default. */
export type CertificateOptions = AlternativeNames & {
  commonName?: string
  organization?: string
  organizationalUnits?: readonly string[]
  /** The whole subject, instead of the three above. */
  subject?: readonly NameAttribute[]
  /** The issuer name written into the certificate, if it is to be a false one. */
  issuerName?: Buffer
  sanCritical?: boolean
  /** Bits from `usage`. */
  keyUsage?: readonly number[] | null
  /** Names from `purpose`, or OIDs. */
  extendedKeyUsage?: readonly string[] | null
  ca?: boolean | null
  pathLength?: number
  permitted?: Subtrees
  excluded?: Subtrees
  ocspUrls?: readonly string[]
  crlUrls?: readonly string[]
  subjectKeyId?: Buffer | null
  authorityKeyId?: Buffer | null
  extensions?: readonly RawExtension[]
  serial?: bigint
  notBefore?: Date
  notAfter?: Date
  key?: KeyObject
  keyKind?: KeyKind
  signWith?: SignWith
  /** 1 leaves every extension out. */
  version?: 1 | 3
}

/** A certificate with the private key that belongs to it. */
export type Minted = {
  der: Buffer
  pem: string
  key: KeyObject
  keyPem: string
  /** The encoded subject name. */
  name: Buffer
  serial: bigint
  subjectKeyId: Buffer
  /** What a client sends: this certificate and the intermediates above it, without the root. */
  chainPem: string
}

/** Purposes of the extended key usage extension. */
export const purpose = {
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
  codeSigning: '1.3.6.1.5.5.7.3.3',
  emailProtection: '1.3.6.1.5.5.7.3.4',
  ocspSigning: '1.3.6.1.5.5.7.3.9',
  any: '2.5.29.37.0',
} as const

/** Bits of the keyUsage extension. */
export const usage = { digitalSignature: 0, keyEncipherment: 2, keyCertSign: 5, crlSign: 6 } as const

const day = 86_400_000
const inDays = (days: number): Date => new Date(Date.now() + days * day)

const caDefaults = { ca: true, keyUsage: [usage.keyCertSign, usage.crlSign] } as const
const leafDefaults = {
  ca: false,
  keyUsage: [usage.digitalSignature],
  extendedKeyUsage: ['clientAuth'],
  commonName: 'client.example.com',
} as const

/** A self-signed root that may sign certificates and CRLs. */
export const mintCa = (options: CertificateOptions = {}): Minted =>
  build(undefined, { ...caDefaults, notAfter: inDays(3650), commonName: 'Test Root', ...options })

/** A CA certificate signed by another CA. */
export const mintIntermediate = (issuer: Minted, options: CertificateOptions = {}): Minted =>
  build(issuer, { ...caDefaults, notAfter: inDays(1825), commonName: 'Test Intermediate', ...options })

/** A client certificate: digitalSignature and clientAuth unless told otherwise. */
export const mintLeaf = (issuer: Minted, options: CertificateOptions = {}): Minted =>
  build(issuer, { ...leafDefaults, ...options })

/** A client certificate signed by its own key, as somebody pins it in a role. */
export const mintSelfSigned = (options: CertificateOptions = {}): Minted =>
  build(undefined, { ...leafDefaults, ...options })

/** A certificate for a TLS server on loopback. */
export const mintServer = (issuer: Minted, options: CertificateOptions = {}): Minted =>
  mintLeaf(issuer, {
    commonName: 'localhost',
    dns: ['localhost'],
    ips: ['127.0.0.1', '::1'],
    extendedKeyUsage: ['serverAuth'],
    ...options,
  })

function build(issuer: Minted | undefined, options: CertificateOptions): Minted {
  const key = options.key ?? newKey(options.keyKind ?? 'p256')
  const spki = spkiOf(key)
  const subjectKeyId = options.subjectKeyId ?? keyIdOf(spki)
  const name = subjectOf(options)
  const serial = options.serial ?? newSerial()
  const signer = signerFor(issuer?.key ?? key, options.signWith)
  const extensions = extensionsOf(options, subjectKeyId, options.authorityKeyId ?? issuer?.subjectKeyId)
  const hasExtensions = options.version !== 1
  const tbs = der.sequence(
    ...(hasExtensions ? [der.explicitTag(0, der.integer(2))] : []),
    der.integer(serial),
    signer.identifier,
    options.issuerName ?? issuer?.name ?? name,
    der.sequence(der.time(options.notBefore ?? inDays(-1)), der.time(options.notAfter ?? inDays(90))),
    name,
    spki,
    ...(hasExtensions ? [der.explicitTag(3, der.sequence(...extensions.map(encodeExtension)))] : []),
  )
  const bytes = der.sequence(tbs, signer.identifier, der.bitString(signer.sign(tbs)))
  const pem = writePem('CERTIFICATE', bytes)
  const keyPem = key.export({ type: 'pkcs8', format: 'pem' }).toString()
  const above = issuer === undefined || rootPems.has(issuer.pem) ? '' : issuer.chainPem
  if (issuer === undefined) rootPems.add(pem)
  return { der: bytes, pem, key, keyPem, name, serial, subjectKeyId, chainPem: pem + above }
}

// Remembered so that a chain leaves its root out.
const rootPems = new Set<string>()

const newSerial = (): bigint => (BigInt(`0x${randomBytes(16).toString('hex')}`) >> 1n) | 1n

function subjectOf(options: CertificateOptions): Buffer {
  if (options.subject !== undefined) return encodeName(options.subject)
  const attributes: NameAttribute[] = (options.organizationalUnits ?? []).map((unit) => ['OU', unit])
  if (options.organization !== undefined) attributes.unshift(['O', options.organization])
  if (options.commonName !== undefined) attributes.push(['CN', options.commonName])
  return encodeName(attributes)
}

function extensionsOf(options: CertificateOptions, subjectKeyId: Buffer, authorityKeyId?: Buffer): RawExtension[] {
  const list: RawExtension[] = []
  const add = (oid: string, value: Uint8Array, critical = false): void => void list.push({ oid, critical, value })
  if (options.ca != null) add('2.5.29.19', basicConstraints(options), true)
  if (options.keyUsage != null) add('2.5.29.15', der.namedBits(options.keyUsage), true)
  if (options.extendedKeyUsage != null) add('2.5.29.37', purposes(options.extendedKeyUsage))
  const names = alternativeNames(options)
  if (names.length > 0) add('2.5.29.17', der.sequence(...names), options.sanCritical)
  if (options.subjectKeyId !== null) add('2.5.29.14', der.octetString(subjectKeyId))
  if (options.authorityKeyId !== null && authorityKeyId !== undefined)
    add('2.5.29.35', der.sequence(der.implicitTag(0, authorityKeyId)))
  if (options.permitted ?? options.excluded) add('2.5.29.30', nameConstraints(options), true)
  if (options.ocspUrls) add('1.3.6.1.5.5.7.1.1', der.sequence(...options.ocspUrls.map(ocspAccess)))
  if (options.crlUrls) add('2.5.29.31', der.sequence(...options.crlUrls.map(distributionPoint)))
  return [...list, ...(options.extensions ?? [])]
}

function basicConstraints(options: CertificateOptions): Buffer {
  const pathLength = options.pathLength === undefined ? [] : [der.integer(options.pathLength)]
  return der.sequence(...(options.ca === true ? [der.boolean(true)] : []), ...pathLength)
}

const purposes = (names: readonly string[]): Buffer =>
  der.sequence(...names.map((name) => der.oid(Object.entries(purpose).find(([known]) => known === name)?.[1] ?? name)))

const nameConstraints = (options: CertificateOptions): Buffer =>
  der.sequence(
    ...(options.permitted ? [der.explicitTag(0, ...subtrees(options.permitted))] : []),
    ...(options.excluded ? [der.explicitTag(1, ...subtrees(options.excluded))] : []),
  )

const ocspAccess = (url: string): Buffer =>
  der.sequence(der.oid('1.3.6.1.5.5.7.48.1'), der.implicitTag(6, Buffer.from(url, 'latin1')))

const distributionPoint = (url: string): Buffer =>
  der.sequence(der.explicitTag(0, der.explicitTag(0, der.implicitTag(6, Buffer.from(url, 'latin1')))))

/** One Extension of a certificate, CRL or OCSP message. */
export const encodeExtension = (extension: RawExtension): Buffer =>
  der.sequence(
    der.oid(extension.oid),
    ...(extension.critical === true ? [der.boolean(true)] : []),
    der.octetString(extension.value),
  )

/** A revoked certificate on a list. */
export type RevokedEntry = { serial: bigint; at?: Date; extensions?: readonly RawExtension[] }

/** Everything a CRL can be given. */
export type CrlOptions = {
  revoked?: readonly (bigint | RevokedEntry)[]
  /** Ready-made entries, for lists too long to build one by one. */
  revokedDer?: Uint8Array
  number?: bigint | null
  thisUpdate?: Date
  /** `null` leaves it out. */
  nextUpdate?: Date | null
  extensions?: readonly RawExtension[]
  authorityKeyId?: Buffer | null
  issuerName?: Buffer
  /** The signer, when it is not the issuer. */
  key?: KeyObject
  signWith?: SignWith
  version?: 1 | 2
}

/** A signed revocation list of a CA. */
export function mintCrl(issuer: Minted, options: CrlOptions = {}): { der: Buffer; pem: string } {
  const signer = signerFor(options.key ?? issuer.key, options.signWith)
  const thisUpdate = options.thisUpdate ?? new Date(Date.now() - 3_600_000)
  const entries =
    options.revokedDer ?? Buffer.concat((options.revoked ?? []).map((entry) => revokedEntry(entry, thisUpdate)))
  const isV2 = options.version !== 1
  const tbs = der.sequence(
    ...(isV2 ? [der.integer(1)] : []),
    signer.identifier,
    options.issuerName ?? issuer.name,
    der.time(thisUpdate),
    ...(options.nextUpdate === null ? [] : [der.time(options.nextUpdate ?? inDays(7))]),
    ...(entries.length > 0 ? [der.sequence(entries)] : []),
    ...(isV2 ? [der.explicitTag(0, der.sequence(...crlExtensions(issuer, options).map(encodeExtension)))] : []),
  )
  const bytes = der.sequence(tbs, signer.identifier, der.bitString(signer.sign(tbs)))
  return { der: bytes, pem: writePem('X509 CRL', bytes) }
}

function crlExtensions(issuer: Minted, options: CrlOptions): RawExtension[] {
  const keyId = options.authorityKeyId === undefined ? issuer.subjectKeyId : options.authorityKeyId
  return [
    ...(keyId === null ? [] : [{ oid: '2.5.29.35', value: der.sequence(der.implicitTag(0, keyId)) }]),
    ...(options.number === null ? [] : [{ oid: '2.5.29.20', value: der.integer(options.number ?? 1n) }]),
    ...(options.extensions ?? []),
  ]
}

function revokedEntry(entry: bigint | RevokedEntry, thisUpdate: Date): Buffer {
  const { serial, at, extensions = [] } = typeof entry === 'bigint' ? ({ serial: entry } as RevokedEntry) : entry
  return der.sequence(
    der.integer(serial),
    der.time(at ?? thisUpdate),
    ...(extensions.length > 0 ? [der.sequence(...extensions.map(encodeExtension))] : []),
  )
}
