import { hash } from 'node:crypto'
import { type Instant, instant, later, toIso } from '../../../../../kernel/clock.ts'
import type { Certificate } from '../../../../../pki/certificates/certificate.ts'
import { mayUse } from '../../../../../pki/certificates/certificate-facts.ts'
import { isSameName, nameKey, nameText } from '../../../../../pki/certificates/distinguished-names.ts'
import { type Crl, countSerials, type LoadedCrl, revokes, serialSets } from '../../../../../pki/crls/crl.ts'
import { type Refusal, refusal } from '../../../../../pki/paths/path-refusal.ts'

/** A list is named by its mount and, without case, by its name. */
export type CrlPlace = { readonly mountId: string; readonly name: string }

/** What is known about a stored revocation list without reading it. */
export type StoredCrl = {
  /** As first written; compared without case. */
  readonly name: string
  /** Where it is fetched from; empty for one that was uploaded. */
  readonly url: string
  /** The name of its bytes. */
  readonly blobId: string
  readonly size: number
  readonly entries: number
  readonly issuer: string
  /** SHA-256 of the key that signed it, when a role trusts that key; empty for unverified, or `forgedSigner`. */
  readonly signerKey: string
  readonly number: string | undefined
  readonly thisUpdate: Instant
  readonly nextUpdate: Instant | undefined
  readonly updatedAt: Instant
  /** When it is fetched again; 0 for one that was uploaded. */
  readonly refreshAt: Instant
  readonly lastError: string
  readonly lastErrorAt: Instant
}

/** A list that was read, and what is stored about it. */
export type KnownCrl = { readonly stored: StoredCrl; readonly crl: Crl }

/** In place of a key: the list was stored before its issuer was known, and now it is known that the issuer did not sign it. */
export const forgedSigner = 'forged'

/** Who signed a list, as far as the CAs that roles trust can tell. */
export type Signer =
  | { readonly kind: 'known'; readonly key: string }
  /** No role trusts a CA of this name; the list counts by its issuer's name. */
  | { readonly kind: 'unknown' }
  /** The issuer is known, but its signature cannot be checked. */
  | { readonly kind: 'unverifiable'; readonly text: string }
  /** The issuer is known, and the signature is not its own. */
  | { readonly kind: 'forged'; readonly text: string }

/** The key of a signer as it is stored. */
export function signerKeyOf(signer: Signer): string {
  if (signer.kind === 'known') return signer.key
  return signer.kind === 'forged' ? forgedSigner : ''
}

/** A list as it came: by upload, with an empty URL, or from a URL. */
export type ArrivedCrl = {
  readonly der: Buffer
  readonly url: string
  /** The headers that ask its server for a later list only (RFC 9110 §13.1). */
  readonly ifChanged: Readonly<Record<string, string>>
}

/** A list that came and was read, and who signed it. */
export type NewCrl = ArrivedCrl & { readonly crl: Crl; readonly signer: Signer }

/** What a new list says about itself. */
export type NewList = Pick<StoredCrl, 'issuer' | 'number' | 'thisUpdate' | 'signerKey'>

/** The same of a list that came. */
export const describeNew = ({ crl, signer }: NewCrl): NewList => ({
  issuer: nameText(crl.issuer),
  number: crl.number,
  thisUpdate: crl.thisUpdate,
  signerKey: signerKeyOf(signer),
})

/** What is stored about a list that came. */
export const storedFrom = (list: NewCrl, name: string, bytes: { blobId: string; at: Instant }): StoredCrl => ({
  name,
  url: list.url,
  blobId: bytes.blobId,
  size: list.der.length,
  entries: countSerials(list.crl),
  ...describeNew(list),
  nextUpdate: list.crl.nextUpdate,
  updatedAt: bytes.at,
  refreshAt: list.url === '' ? instant(0) : refreshTime(list.crl.nextUpdate, bytes.at),
  lastError: '',
  lastErrorAt: instant(0),
})

/**
 * True for the list that is stored already. One may have a hundred megabytes, and many issuers renew theirs seldom: only
 * one that differs is stored and read again.
 */
export const isUnchanged = ({ crl, stored }: KnownCrl, next: NewCrl): boolean =>
  crl.fingerprint === next.crl.fingerprint && stored.signerKey === signerKeyOf(next.signer)

/** Warnings about a list that is stored all the same. */
export const newCrlWarnings = ({ crl, signer }: NewCrl): string[] => [
  ...(signer.kind === 'unverifiable' ? [`The signature of the list was not verified: ${signer.text}`] : []),
  ...deltaWarnings(crl),
]

/**
 * RFC 5280 §5.2.4. What a delta list names is revoked in addition to what other lists name; it does not replace its
 * base.
 */
const deltaWarnings = ({ deltaBase }: Crl): string[] =>
  deltaBase === undefined
    ? []
    : [
        `The list is a delta: it holds only what changed since list number ${deltaBase}. ` +
          'Store the complete list under another name as well.',
      ]

/** Identifies a public key. */
export const keyHashOf = (certificate: Certificate): string => hash('sha256', certificate.publicKey.der, 'hex')

/** Whose list it is, as far as that is known. */
export type ListOwner = Pick<Crl, 'issuer' | 'authorityKeyId'> & { readonly signerKey: string }

/**
 * True if a list covers a certificate: both name the same issuer. If that issuer is a root with another key than the
 * list's, it is another CA of the same name and its list does not count (RFC 5280 §6.3.3 f wants one trust anchor for
 * both), unless the path itself shows both keys: then the root has changed its key, and one certifies the other. Below
 * a root, one name with two keys is always a CA that has changed its key, and its newest list covers all it issued.
 */
export function coversCertificate(list: ListOwner, certificate: Certificate, issuers: readonly Certificate[]): boolean {
  if (!isSameName(list.issuer, certificate.issuer)) return false
  return issuers[0]?.isSelfIssued !== true || issuers.some((issuer) => !hasOtherKey(list, certificate, issuer))
}

function hasOtherKey(list: ListOwner, certificate: Certificate, issuer: Certificate): boolean {
  if (list.signerKey !== '') return list.signerKey !== keyHashOf(issuer)
  const [own, wanted] = [list.authorityKeyId, issuer.subjectKeyId ?? certificate.authorityKeyId]
  return own !== undefined && wanted !== undefined && !own.equals(wanted)
}

/**
 * The issuer of the certificate at this place of a path, if the path contains it. A root that has changed its key
 * appears several times, once with each key.
 */
export function issuersIn(path: readonly Certificate[], index: number): readonly Certificate[] {
  const certificate = path[index]
  if (certificate === undefined) return []
  const above = path.slice(index + 1).filter((each) => isSameName(each.subject, certificate.issuer))
  return above.length === 0 && certificate.isSelfIssued ? [certificate] : above
}

/** A list without a nextUpdate is fetched again after so many milliseconds. */
const defaultRefreshInterval = 5 * 60_000

/** How long after a failed fetch, or one that returned an outdated list, the next is tried. */
export const retryAfter = 60_000

/**
 * A list is fetched again after so many milliseconds at the latest: if a key is lost, its issuer publishes the next list
 * long before the nextUpdate of this one.
 */
export const longestRefreshInterval = 60 * 60_000

/** When a fetched list is to be fetched again: at its nextUpdate at the latest, or soon if that has passed already. */
export function refreshTime(nextUpdate: Instant | undefined, now: Instant): Instant {
  if (nextUpdate === undefined) return later(now, defaultRefreshInterval)
  if (nextUpdate <= now) return later(now, retryAfter)
  return instant(Math.min(nextUpdate, later(now, longestRefreshInterval)))
}

/** Whether somebody wrote a list, or it was fetched again. */
export type CrlSource = 'written' | 'fetched-again'

/**
 * Why a list must not replace another; undefined when it may. Whoever writes a list by hand may change its issuer; one
 * that is fetched again must have the same issuer, and must not be older or less verified than the one before.
 */
export function replacementProblem(
  current: StoredCrl | undefined,
  next: NewList,
  source: CrlSource,
): string | undefined {
  const isFetched = source === 'fetched-again'
  if (current === undefined) return undefined
  if (current.issuer !== next.issuer) {
    return isFetched ? `It was issued by ${next.issuer}, not by ${current.issuer}.` : undefined
  }
  const rise = numberRise(current.number, next.number)
  if (rise < 0n) return `Its number ${next.number} is lower than ${current.number}, the number of the list in force.`
  // Somebody on the network can send an older list, from before a certificate was revoked, and not every list has a
  // number.
  if (isFetched && rise === 0n && next.thisUpdate < current.thisUpdate)
    return `It is of ${toIso(next.thisUpdate)}, before ${toIso(current.thisUpdate)}, the date of the list in force.`
  const isVerified = current.signerKey !== '' && current.signerKey !== forgedSigner
  if (isFetched && isVerified && next.signerKey === '')
    return 'The list in force has a verified signature, this one has not.'
  return undefined
}

/** By how much a number is higher than another; zero if one of them is missing. */
const numberRise = (from: string | undefined, to: string | undefined): bigint =>
  from === undefined || to === undefined ? 0n : BigInt(to) - BigInt(from)

/**
 * A CA of the same name with another key identifier is another CA, or another key of the same one: it proves nothing
 * about this list.
 */
export function hasKeyOf({ crl }: Pick<LoadedCrl, 'crl'>, issuer: Certificate): boolean {
  if (crl.authorityKeyId === undefined || issuer.subjectKeyId === undefined) return true
  return crl.authorityKeyId.equals(issuer.subjectKeyId)
}

/** Why the signature of a list cannot be checked with a CA; undefined if it can. */
export function unverifiableReason({ proof }: LoadedCrl, issuer: Certificate): string | undefined {
  if (!mayUse(issuer, 'crlSign')) return 'the keyUsage of its issuer lacks cRLSign.'
  return proof.algorithm.scheme === undefined ? `it is signed with ${proof.algorithm.problem}.` : undefined
}

/** A list in force. */
type List = { readonly name: string; readonly crl: Crl; readonly signerKey: string }

/** The issuers whose certificates a list revokes, as `nameKey` gives them. */
const issuersOf = ({ crl }: List): string[] => [nameKey(crl.issuer), ...crl.revokedOfOthers.keys()]

/** The revocation lists of one mount, read and packed. */
export class MountCrls {
  readonly #lists = new Map<string, List>()
  readonly #byIssuer = new Map<string, List[]>()
  /** True if an older list is in force because the new one could not be read. */
  isOutdated = false
  /** Another object whenever other lists are in force. */
  edition: object = {}

  get isEmpty(): boolean {
    return this.#lists.size === 0
  }

  /** Puts a list in force, in place of the one of the same name. */
  put(list: List): void {
    const older = this.#lists.get(list.name)
    if (older) this.#remove(older)
    this.#lists.set(list.name, list)
    this.edition = {}
    for (const issuer of issuersOf(list)) {
      const lists = this.#byIssuer.get(issuer)
      if (lists) lists.push(list)
      else this.#byIssuer.set(issuer, [list])
    }
  }

  #remove(list: List): void {
    for (const issuer of issuersOf(list)) {
      const others = this.#byIssuer.get(issuer)?.filter((each) => each !== list) ?? []
      this.#byIssuer.set(issuer, others)
    }
  }

  get(name: string): List | undefined {
    return this.#lists.get(name)
  }

  /** Refuses a path if a certificate on it is revoked, the trusted one at its end included. */
  refusalOf(path: readonly Certificate[], match: 'issuer' | 'serial'): Refusal | undefined {
    if (this.isEmpty) return undefined
    for (const [index, certificate] of path.entries()) {
      const list = this.#revoking(certificate, () => issuersIn(path, index), match)
      if (list !== undefined)
        return refusal(
          'revoked',
          certificate,
          `It is on the revocation list '${list.name}'.`,
          'Issue a new certificate.',
        )
    }
    return undefined
  }

  #revoking(
    certificate: Certificate,
    issuers: () => readonly Certificate[],
    match: 'issuer' | 'serial',
  ): List | undefined {
    const lists = match === 'serial' ? this.#lists.values() : (this.#byIssuer.get(nameKey(certificate.issuer)) ?? [])
    for (const list of lists) {
      const isRevoked = match === 'serial' ? hasSerial(list, certificate) : revokesByIssuer(list, certificate, issuers)
      if (isRevoked) return list
    }
    return undefined
  }
}

const hasSerial = ({ crl }: List, { serial }: Certificate): boolean =>
  serialSets(crl).some((serials) => serials.has(serial))

function revokesByIssuer(
  { crl, signerKey }: List,
  certificate: Certificate,
  issuers: () => readonly Certificate[],
): boolean {
  if (!revokes(crl, certificate)) return false
  // Entries of an indirect list about certificates of another issuer count whatever that issuer's key.
  if (!isSameName(crl.issuer, certificate.issuer)) return true
  return coversCertificate({ ...crl, signerKey }, certificate, issuers())
}
