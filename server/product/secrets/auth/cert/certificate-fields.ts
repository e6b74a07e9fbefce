import { toIso } from '../../../../kernel/clock.ts'
import { model, Type } from '../../../../kit/endpoint.ts'
import type { Certificate } from '../../../../pki/certificates/certificate.ts'
import { alternativeNames, isCa, serialText } from '../../../../pki/certificates/certificate-facts.ts'
import { nameText } from '../../../../pki/certificates/distinguished-names.ts'
import { addressText, type GeneralName } from '../../../../pki/certificates/general-names.ts'

const texts = (description: string) => Type.Array(Type.String(), { description })

/** A certificate as people read it. */
export const CertificateView = model('ExplainedCertificate', {
  subject: Type.String({ description: 'Subject.' }),
  issuer: Type.String({ description: 'Issuer.' }),
  serial: Type.String({ description: 'Serial number, decimal.' }),
  not_before: Type.String({ description: 'Start of its validity.' }),
  not_after: Type.String({ description: 'When it expires.' }),
  is_ca: Type.Boolean({ description: 'Whether it is marked as a CA.' }),
  self_issued: Type.Boolean({ description: 'Whether subject and issuer are the same name.' }),
  path_length: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'How many CAs may follow below this one; null for any number.',
  }),
  key: Type.String({ description: 'Kind and size of its key.' }),
  signature: Type.String({ description: 'How it is signed.' }),
  key_usage: texts('What its key may be used for; empty if that is not said.'),
  extended_key_usage: texts('The purposes it is limited to; empty if there is no limit.'),
  permitted_names: texts('Names below which a CA may issue; empty if that is not limited.'),
  excluded_names: texts('Names for which a CA must not issue.'),
  ocsp_urls: texts('OCSP responders that it names.'),
  crl_urls: texts('Where its revocation list is published.'),
  fingerprint: Type.String({ description: 'SHA-256 of the certificate.' }),
  names: Type.Object(
    {
      dns: texts('DNS names.'),
      emails: texts('E-mail addresses.'),
      uris: texts('URIs.'),
      ips: texts('IP addresses.'),
      directory_names: texts('Directory names as text.'),
      others: texts('Types of other names.'),
    },
    { description: 'Alternative names by kind.' },
  ),
})

/** Certificates as people read them. */
export const viewCertificates = (certificates: readonly Certificate[]): Record<string, unknown>[] =>
  certificates.map((certificate) => ({
    subject: nameText(certificate.subject),
    issuer: nameText(certificate.issuer),
    serial: serialText(certificate),
    not_before: toIso(certificate.notBefore),
    not_after: toIso(certificate.notAfter),
    is_ca: isCa(certificate),
    self_issued: certificate.isSelfIssued,
    path_length: certificate.basicConstraints?.pathLength ?? null,
    key: keyText(certificate),
    signature: signatureText(certificate),
    key_usage: usagesOf(certificate),
    extended_key_usage: (certificate.extendedKeyUsage ?? []).map((oid) => purposes.get(oid) ?? oid),
    permitted_names: (certificate.nameConstraints?.permitted ?? []).map(constraintText),
    excluded_names: (certificate.nameConstraints?.excluded ?? []).map(constraintText),
    ocsp_urls: certificate.ocspUrls,
    crl_urls: certificate.crlUrls,
    fingerprint: certificate.fingerprint,
    names: alternativesOf(certificate),
  }))

function keyText({ publicKey: { key } }: Certificate): string {
  if (key.kind === 'unsupported') return key.problem
  if (key.kind === 'ec') return `ECDSA ${key.curve}`
  return key.kind === 'ed25519' ? 'Ed25519' : `RSA ${key.bits} bits`
}

const schemes = { rsa: 'RSA', 'rsa-pss': 'RSA-PSS', ecdsa: 'ECDSA' } as const

function signatureText({ algorithm: { scheme, problem } }: Certificate): string {
  if (!scheme) return problem
  return scheme.kind === 'ed25519' ? 'Ed25519' : `${schemes[scheme.kind]} with ${scheme.hash.replace('sha', 'SHA-')}`
}

/** The bits of keyUsage in their order (RFC 5280 §4.2.1.3). */
const usages = [
  'digital signature',
  'content commitment',
  'key encipherment',
  'data encipherment',
  'key agreement',
  'sign certificates',
  'sign CRLs',
  'encipher only',
  'decipher only',
]

const usagesOf = ({ keyUsage = 0 }: Certificate): string[] => usages.filter((_, bit) => (keyUsage & (1 << bit)) !== 0)

/** Purposes by the names that people know (RFC 5280 §4.2.1.12). */
const purposes: ReadonlyMap<string, string> = new Map([
  ['2.5.29.37.0', 'any'],
  ['1.3.6.1.5.5.7.3.1', 'serverAuth'],
  ['1.3.6.1.5.5.7.3.2', 'clientAuth'],
  ['1.3.6.1.5.5.7.3.3', 'codeSigning'],
  ['1.3.6.1.5.5.7.3.4', 'emailProtection'],
  ['1.3.6.1.5.5.7.3.8', 'timeStamping'],
  ['1.3.6.1.5.5.7.3.9', 'OCSPSigning'],
])

function constraintText(name: GeneralName): string {
  if (name.kind === 'email' || name.kind === 'dns' || name.kind === 'uri') return `${name.kind} ${name.text}`
  if (name.kind === 'directory') return `directory ${nameText(name.name)}`
  if (name.kind !== 'ip') return name.kind
  const half = name.bytes.length / 2
  return `ip ${addressText(name.bytes.subarray(0, half))} mask ${addressText(name.bytes.subarray(half))}`
}

function alternativesOf(certificate: Certificate): Record<string, readonly string[]> {
  const { directoryNames, ...names } = alternativeNames(certificate)
  return { ...names, directory_names: directoryNames }
}
