import type { Certificate } from '../../../../../../pki/certificates/certificate.ts'
import {
  alternativeNames,
  colonHex,
  commonName,
  organizationalUnits,
  organizations,
  serialText,
} from '../../../../../../pki/certificates/certificate-facts.ts'
import type { Extension } from '../../../../../../pki/certificates/extensions.ts'

/** What roles ask about a client certificate, as text. */
export type LeafFacts = {
  /** The last common name of the subject; empty for none. */
  readonly commonName: string
  readonly dns: readonly string[]
  /** Host names are compared without case. */
  readonly dnsLowered: readonly string[]
  readonly emails: readonly string[]
  readonly uris: readonly string[]
  /** As they are written, and in their normal form. */
  readonly urisNormalized: readonly string[]
  readonly ips: readonly string[]
  readonly organizationalUnits: readonly string[]
  readonly organizations: readonly string[]
  readonly extensions: ReadonlyMap<string, Extension>
  /** How many names there are to compare in all. */
  readonly names: number
}

/**
 * RFC 3986 §6.2.2.1: schemes and the digits of escapes are compared without case. Nothing else is normalised: a path
 * with dot segments was certified as it is, and once resolved it would name something that its holder was never given.
 */
export const normalizedUri = (uri: string): string =>
  uri
    .replace(/^[a-z][a-z0-9+.-]*(?=:)/i, (scheme) => scheme.toLowerCase())
    .replace(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase())

const factsCache = new WeakMap<Certificate, LeafFacts>()

/** The facts of a certificate, gathered once. */
export function leafFactsOf(leaf: Certificate): LeafFacts {
  const before = factsCache.get(leaf)
  if (before !== undefined) return before
  const { dns, emails, uris, ips } = alternativeNames(leaf)
  const [units, owners] = [organizationalUnits(leaf), organizations(leaf)]
  const facts: LeafFacts = {
    commonName: commonName(leaf),
    dns,
    dnsLowered: dns.map((name) => name.toLowerCase()),
    emails,
    uris,
    urisNormalized: [...new Set([...uris, ...uris.map(normalizedUri)])],
    ips,
    organizationalUnits: units,
    organizations: owners,
    extensions: leaf.extensions,
    names: 1 + leaf.alternativeNames.length + units.length + owners.length,
  }
  factsCache.set(leaf, facts)
  return facts
}

/** The four facts of a certificate that tokens, failures and audit records carry. */
export type CertificateMetadata = Readonly<
  Record<'common_name' | 'serial_number' | 'subject_key_id' | 'authority_key_id', string>
>

const metadataCache = new WeakMap<Certificate, CertificateMetadata>()

/** The facts of a certificate, worked out once for as long as it is remembered. */
export function certificateMetadata(leaf: Certificate): CertificateMetadata {
  const before = metadataCache.get(leaf)
  if (before !== undefined) return before
  const metadata = {
    common_name: commonName(leaf),
    serial_number: serialText(leaf),
    subject_key_id: colonHex(leaf.subjectKeyId),
    authority_key_id: colonHex(leaf.authorityKeyId),
  }
  metadataCache.set(leaf, metadata)
  return metadata
}
