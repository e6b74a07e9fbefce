import type { Instant } from '../../../../../kernel/clock.ts'
import type { Ids } from '../../../../../kernel/ids.ts'
import type { Certificate } from '../../../../../pki/certificates/certificate.ts'
import { alternativeNames, commonName, serialText, shorten } from '../../../../../pki/certificates/certificate-facts.ts'
import { nameText } from '../../../../../pki/certificates/distinguished-names.ts'

/** What the record keeps in clear of a login: by this it is searched. */
export type LoginKey = {
  readonly mountId: string
  readonly accepted: boolean
  /** The role that accepted it; for a refusal the one that was asked for or came first. Empty for none. */
  readonly role: string
  /** SHA-256 of the certificate; empty if none was read. */
  readonly digest: string
  /** SHA-256 of the certificate of the role that the chain led to; empty for refusals. */
  readonly anchor: string
  /** What refused it, as `explain` names its checks; empty if nothing did. */
  readonly reason: string
}

/** What the record keeps sealed: who it was. */
export type LoginFacts = {
  readonly subject: string
  readonly commonName: string
  readonly serial: string
  /** Some of the alternative names. */
  readonly names: readonly string[]
  readonly remoteAddress: string
  /** The reason in words. */
  readonly text: string
}

/** Equal logins of one minute, as they are kept: the first of them, when the last came, and how many there were. */
export type RecordedLogin = LoginKey & {
  readonly id: string
  readonly at: Instant
  readonly lastAt: Instant
  readonly count: number
}

/** Bounds of the record: how long rows are kept, and how many. */
export type RecordBounds = { readonly days: number; readonly entries: number }

/** Refusals take at most this part of the record: strangers cause them. */
const refusedPart = 0.25

/** How many rows are kept of each verdict. */
export const mostKept = ({ entries }: RecordBounds, accepted: boolean): number =>
  Math.floor(entries * (accepted ? 1 - refusedPart : refusedPart))

/** Different refusals that one process writes down in a minute; further ones are counted by their reason alone. */
export const refusalsPerMinute = 60

/** Equal logins of one minute share a row. */
export const minuteOf = (at: Instant): number => Math.floor(at / 60_000)

/** The same for equal logins at the same time. */
export const keyText = ({ mountId, accepted, role, digest, anchor, reason }: LoginKey): string =>
  `${mountId}\n${accepted ? 1 : 0}\n${digest}\n${anchor}\n${reason}\n${role}`

/** What remains of a refusal when there are too many: its reason, so that they can be counted. */
export const withoutIdentity = (key: LoginKey): LoginKey => ({ ...key, role: '', digest: '', anchor: '' })

/** Times as text of one length, in whose order ids are sorted; good until the year 5188. */
const timeText = (at: number): string => Math.max(0, at).toString(36).padStart(9, '0')

/** Names a row: rows of one mount are in the order of their times. */
export const newLoginId = (ids: Pick<Ids, 'text'>, at: Instant): string => timeText(at) + ids.text(8)

/** All ids from this time on are greater. */
export const firstIdAt = timeText

const mostNames = 8
const longestText = 600

const cut = (text: string): string => (text.length <= longestText ? text : `${text.slice(0, longestText - 1)}…`)

/** Who logged in or was refused; strangers choose all of it, so it is shortened. */
export function factsOf(
  leaf: Certificate | undefined,
  { remoteAddress, text }: Pick<LoginFacts, 'remoteAddress' | 'text'>,
): LoginFacts {
  if (!leaf) return { subject: '', commonName: '', serial: '', names: [], remoteAddress, text: cut(text) }
  return {
    subject: cut(nameText(leaf.subject)),
    commonName: shorten(commonName(leaf)),
    serial: serialText(leaf),
    names: leaf.alternativeNames.length === 0 ? [] : namesOf(leaf),
    remoteAddress,
    text: cut(text),
  }
}

function namesOf(leaf: Certificate): string[] {
  const { dns, emails, uris, ips } = alternativeNames(leaf)
  return [...dns, ...emails, ...uris, ...ips].slice(0, mostNames).map(shorten)
}

/** Bytes of certificates that are kept of a refused login. */
const mostChainBytes = 8 * 1024

/** The certificates of a refused login as PEM, the client's own first: as many as there is room for. */
export function keptChain(certificates: readonly Buffer[]): string {
  let left = mostChainBytes
  const kept: string[] = []
  for (const der of certificates) {
    left -= der.length
    if (left < 0) break
    kept.push(pemOf(der))
  }
  return kept.join('')
}

const pemOf = (der: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${(der.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`
