import type { Certificate } from '../certificates/certificate.ts'
import { attribute, isReadableName, type Name } from '../certificates/distinguished-names.ts'
import { addressText, type GeneralName } from '../certificates/general-names.ts'

/** A DNS name in lower case; `*.` in front is cut off and remembered. */
export type DnsName = { readonly host: string; readonly isWildcard: boolean }

/** A mailbox, its domain in lower case. */
export type Mailbox = { readonly local: string; readonly host: string }

/** A name of a certificate, ready to be compared with constraints; undefined where it cannot be parsed. */
export type ConstrainedName =
  | { readonly kind: 'dns'; readonly text: string; readonly parsed: DnsName | undefined }
  | { readonly kind: 'email'; readonly text: string; readonly parsed: Mailbox | undefined }
  | { readonly kind: 'uri'; readonly text: string; readonly parsed: string | undefined }
  | { readonly kind: 'ip'; readonly text: string; readonly parsed: Buffer }
  | { readonly kind: 'directory'; readonly name: Name; readonly parsed: Name | undefined }
  | { readonly kind: 'other' | 'x400' | 'edi' | 'registered-id'; readonly text: string; readonly parsed: undefined }

const known = new WeakMap<Certificate, readonly ConstrainedName[]>()

/**
 * Every name of a certificate that the constraints of a CA above it can cover (RFC 5280 §4.2.1.10): the alternative
 * names, the subject, and its e-mail attributes if the alternative names have no e-mail. The common name does not
 * count as a host name.
 */
export function constrainedNames(certificate: Certificate): readonly ConstrainedName[] {
  const found = known.get(certificate)
  if (found !== undefined) return found
  const names = certificate.alternativeNames.map(constrained)
  if (certificate.subject.rdns.length > 0) names.push(directory(certificate.subject))
  if (!names.some((name) => name.kind === 'email')) names.push(...subjectMailboxes(certificate.subject))
  known.set(certificate, names)
  return names
}

/** E-mail attributes of a subject; one that is not text is kept, so that a constraint refuses it. */
function subjectMailboxes(subject: Name): ConstrainedName[] {
  const found = subject.rdns.flat().filter(({ oid }) => oid === attribute.emailAddress)
  return found.map(({ text = '' }) => ({ kind: 'email', text, parsed: parseMailbox(text) }))
}

const directory = (name: Name): ConstrainedName => ({
  kind: 'directory',
  name,
  parsed: isReadableName(name) ? name : undefined,
})

function constrained(name: GeneralName): ConstrainedName {
  switch (name.kind) {
    case 'dns':
      return { kind: 'dns', text: name.text, parsed: parseDnsName(name.text) }
    case 'email':
      return { kind: 'email', text: name.text, parsed: parseMailbox(name.text) }
    case 'uri':
      return { kind: 'uri', text: name.text, parsed: uriHost(name.text) }
    case 'ip':
      return { kind: 'ip', text: addressText(name.bytes), parsed: name.bytes }
    case 'directory':
      return directory(name.name)
    default:
      return { kind: name.kind, text: '', parsed: undefined }
  }
}

const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?'
const hostPattern = new RegExp(`^${label}(?:\\.${label})*$`)

/** A host name in lower case; undefined if the text is not a host name. */
export function parseHost(text: string): string | undefined {
  if (text.length > 253) return undefined
  const host = text.toLowerCase()
  return hostPattern.test(host) ? host : undefined
}

/** A DNS name, possibly with `*` as its whole first label. */
function parseDnsName(text: string): DnsName | undefined {
  const isWildcard = text.startsWith('*.')
  const host = parseHost(isWildcard ? text.slice(2) : text)
  return host === undefined ? undefined : { host, isWildcard }
}

// RFC 5321 §4.1.2: atoms with dots between them, or one quoted string.
const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const localPattern = new RegExp(`^${atom}(?:\\.${atom})*$`)
const quotedPattern = /^"(?:[ !#-[\]-~]|\\[ -~])*"$/

/** A mailbox; the text behind the last @ is its domain. */
export function parseMailbox(text: string): Mailbox | undefined {
  const at = text.lastIndexOf('@')
  if (at < 1 || at > 64) return undefined
  const local = parseLocalPart(text.slice(0, at))
  const host = parseHost(text.slice(at + 1))
  return local === undefined || host === undefined ? undefined : { local, host }
}

function parseLocalPart(text: string): string | undefined {
  if (localPattern.test(text)) return text
  return quotedPattern.test(text) ? text.slice(1, -1).replace(/\\(.)/g, '$1') : undefined
}

const uriPattern = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/([^/?#]*)(?:[/?#]|$)/
const authorityPattern = /^(?:[A-Za-z0-9._~!$&'()*+,;=:%-]*@)?([A-Za-z0-9._-]+)(?::[0-9]*)?$/

/** The host of a URI in lower case; undefined without an authority, with an IP address, or if it cannot be parsed. */
function uriHost(text: string): string | undefined {
  const authority = uriPattern.exec(text)?.[1]
  const host = authority === undefined ? undefined : authorityPattern.exec(authority)?.[1]
  if (host === undefined || /(?:^|\.)(?:[0-9]+|0[xX][0-9a-fA-F]*)$/.test(host)) return undefined
  return parseHost(host)
}
