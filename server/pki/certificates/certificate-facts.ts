import { type Instant, instant } from '../../kernel/clock.ts'
import { decimalOf } from '../der.ts'
import type { Certificate } from './certificate.ts'
import { attribute, nameText, valuesOf } from './distinguished-names.ts'
import { addressText } from './general-names.ts'

/** Common names of the subject, in order; the last one is the one that counts. */
export const commonNames = (certificate: Certificate): string[] => valuesOf(certificate.subject, attribute.commonName)

/** The common name that counts: the last one, or empty text if there is none. */
export const commonName = (certificate: Certificate): string => commonNames(certificate).at(-1) ?? ''

/** Organizational units of the subject. */
export const organizationalUnits = (certificate: Certificate): string[] =>
  valuesOf(certificate.subject, attribute.organizationalUnit)

/** Organizations of the subject. */
export const organizations = (certificate: Certificate): string[] =>
  valuesOf(certificate.subject, attribute.organization)

/** The subjectAltName by kind, as text. */
type AlternativeNames = {
  dns: string[]
  emails: string[]
  uris: string[]
  ips: string[]
  directoryNames: string[]
  /** Types of the otherNames. */
  others: string[]
}

/** Sorts the names of a subjectAltName by kind. */
export function alternativeNames(certificate: Certificate): AlternativeNames {
  const names: AlternativeNames = { dns: [], emails: [], uris: [], ips: [], directoryNames: [], others: [] }
  for (const name of certificate.alternativeNames) {
    if (name.kind === 'dns') names.dns.push(name.text)
    else if (name.kind === 'email') names.emails.push(name.text)
    else if (name.kind === 'uri') names.uris.push(name.text)
    else if (name.kind === 'ip') names.ips.push(addressText(name.bytes))
    else if (name.kind === 'directory') names.directoryNames.push(nameText(name.name))
    else if (name.kind === 'other') names.others.push(name.type)
  }
  return names
}

/** Octets as lower-case hex pairs with colons, as key identifiers are printed; empty text for none. */
export const colonHex = (bytes: Uint8Array | undefined): string =>
  bytes === undefined ? '' : Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(':')

/** The serial number as exact decimal text. */
export const serialText = (certificate: Certificate): string => decimalOf(certificate.serial)

/** True if the certificate says it is a CA; one of version 1 cannot say so. */
export const isCa = (certificate: Certificate): boolean => certificate.basicConstraints?.ca === true

/** The bits of keyUsage that this server checks (RFC 5280 §4.2.1.3). */
const usageBits = { digitalSignature: 0, keyCertSign: 5, crlSign: 6 } as const

/** True if the key of a certificate may be used in this way; without keyUsage it may be used for everything. */
export const mayUse = ({ keyUsage }: Certificate, usage: keyof typeof usageBits): boolean =>
  keyUsage === undefined || (keyUsage & (1 << usageBits[usage])) !== 0

/**
 * Rounds down to whole seconds: times in certificates and lists have no fractions, and both ends of a validity are part
 * of it.
 */
export const wholeSecond = (at: Instant): Instant => instant(Math.floor(at / 1000) * 1000)

const longestDescription = 200

/** How messages name a certificate. */
export function describe(certificate: Certificate): string {
  const subject = nameText(certificate.subject)
  return subject === '' ? `serial ${serialText(certificate)}` : shorten(subject)
}

/** Shortens text that may come from a stranger before it goes into a message. */
export const shorten = (text: string): string =>
  text.length <= longestDescription ? text : `${text.slice(0, longestDescription - 1)}…`
