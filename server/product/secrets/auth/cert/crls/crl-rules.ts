import { hash } from 'node:crypto'
import { type Instant, instant, later, toIso } from '../../../../../kernel/clock.ts'
import { type Certificate, type Crl, isSameName } from '../../../../../pki/index.ts'
import { forgedSigner, type StoredCrl } from './crl.ts'

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

/** What a new list says about itself. */
export type NewList = {
  readonly issuer: string
  readonly number: string | undefined
  readonly thisUpdate: Instant
  readonly signerKey: string
}

/**
 * Why a list must not replace another; undefined when it may. Whoever writes a list by hand may change its issuer; one
 * that is fetched again must have the same issuer, and must not be older or less verified than the one before.
 */
export function replacementProblem(
  current: StoredCrl | undefined,
  next: NewList,
  source: 'written' | 'fetched-again',
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
