import type { Instant } from '../../../../../kernel/clock.ts'
import { backOff } from '../../../../../kernel/pause.ts'
import type { Certificate } from '../../../../../pki/certificates/certificate.ts'
import { readPemCertificates } from '../../../../../pki/certificates/pem-certificates.ts'

/** What one server, or all of them together, said about a certificate. */
export type OcspAnswer =
  | {
      readonly kind: 'good' | 'revoked' | 'unknown'
      readonly thisUpdate: Instant
      readonly nextUpdate: Instant | undefined
    }
  /**
   * Nothing usable was received: no server, no connection, no time left, an error status. With `isCall`, the text tells
   * how a call ended, which says something about the network of the server.
   */
  | { readonly kind: 'unfetched'; readonly text: string; readonly isCall?: boolean }
  /** The server was not asked, because its address must not be called: that is no failure of the server. */
  | { readonly kind: 'denied'; readonly text: string }
  /** An answer that was right once. */
  | { readonly kind: 'stale'; readonly text: string }
  /** An answer that is not signed by somebody entitled to, or is about another certificate. */
  | { readonly kind: 'forged'; readonly text: string }

/** True if the answer is final, so that the next server is not asked. */
export const isFinal = (answer: OcspAnswer): boolean =>
  answer.kind === 'good' || answer.kind === 'revoked' || answer.kind === 'unknown' || answer.kind === 'forged'

/** Answers from the worst to the best: of several, the worst counts. A forged answer is never outweighed. */
const severity: readonly OcspAnswer['kind'][] = ['forged', 'revoked', 'stale', 'denied', 'unfetched', 'unknown', 'good']

/**
 * Combines several answers. Asked in turn, a good answer counts although an earlier server failed; asked all together,
 * a certificate is good only if all say so.
 */
export function combineAnswers(answers: readonly OcspAnswer[], asked: 'in-turn' | 'together'): OcspAnswer {
  const last = answers.at(-1)
  if (last === undefined)
    return { kind: 'unfetched', text: 'The certificate names no OCSP server, and the role none either.' }
  // Fail-open accepts `unknown`, which must not hide that another server was not asked.
  const isDecided = isFinal(last) && !(last.kind === 'unknown' && answers.some(({ kind }) => kind === 'denied'))
  if (asked === 'in-turn' && isDecided) return last
  return answers.reduce((worst, each) => (severity.indexOf(each.kind) < severity.indexOf(worst.kind) ? each : worst))
}

/** Whether a login may go on, and why. `overlooked` says that only the fail-open setting let it pass. */
export type OcspVerdict = {
  readonly pass: boolean
  readonly overlooked: boolean
  readonly isRevoked?: boolean
  readonly text: string
  /** In place of the text, for those who must not learn how calls of the server end. */
  readonly guardedText?: string
}

/**
 * Fail-open covers an answer that could not be fetched and the status `unknown`; other bad answers refuse the login, and
 * so does a server that must not be called.
 */
export function judgeAnswer(answer: OcspAnswer, failOpen: boolean, serial: string): OcspVerdict {
  const about = `certificate with serial number ${serial}`
  switch (answer.kind) {
    case 'good':
      return { pass: true, overlooked: false, text: `The ${about} is good.` }
    case 'revoked':
      return { pass: false, overlooked: false, isRevoked: true, text: `The ${about} is revoked.` }
    case 'unknown':
      return { pass: failOpen, overlooked: failOpen, text: `The OCSP responder does not know the ${about}.` }
    case 'unfetched':
    case 'denied': {
      const overlooked = failOpen && answer.kind === 'unfetched'
      const start = `The OCSP status of the ${about} could not be fetched`
      const isGuarded = answer.kind === 'denied' || answer.isCall === true
      return {
        pass: overlooked,
        overlooked,
        text: `${start}: ${answer.text}`,
        ...(isGuarded && { guardedText: `${start}; the log of the server has the reason.` }),
      }
    }
    default:
      return { pass: false, overlooked: false, text: `The OCSP answer about the ${about} was refused: ${answer.text}` }
  }
}

const maxRemembered = 24 * 3_600_000
const margin = 15_000

/** Until when an answer may be remembered; undefined when it may not. `maxAge` is that of the role that asks, in ms. */
export function rememberedUntil(answer: OcspAnswer, storedAt: Instant, maxAge: number): number | undefined {
  if (!('thisUpdate' in answer) || answer.nextUpdate === undefined) return undefined
  const ends = [storedAt + maxRemembered, answer.nextUpdate - margin]
  if (maxAge > 0) ends.push(answer.thisUpdate + maxAge)
  return Math.min(...ends)
}

/**
 * True in the last tenth of the time that an answer is remembered, at most a minute: then the next one is fetched
 * ahead.
 */
export const isNearExpiry = (times: { readonly storedAt: number; readonly until: number }, now: number): boolean =>
  times.until - now < Math.min(60_000, (times.until - times.storedAt) / 10)

/** Wait before a further try, in milliseconds: 100, 200, 400, 800, then a second each. */
export const retryWait = (attempt: number): number => backOff({ first: 100, longest: 1_000 }, attempt + 1)

/**
 * Milliseconds that a server asks to be left alone, by a Retry-After header with seconds or a time. 0 for any other
 * value.
 */
export function retryAfterWait(retryAfter: string | undefined, now: Instant): number {
  if (retryAfter === undefined) return 0
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1_000
  const until = retryAfter.endsWith(' GMT') ? Date.parse(retryAfter) : Number.NaN
  return until > now ? until - now : 0
}

/** The PEM of responder certificates, which roles hold as PEM, as base64 of PEM, or as base64 of one in DER. */
export function responderPem(text: string): string {
  if (text.includes('-----BEGIN')) return text
  const bytes = Buffer.from(text, 'base64')
  const isDer = bytes[0] === 0x30
  return isDer
    ? `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----\n`
    : bytes.toString('latin1')
}

const certificateCache = new Map<string, readonly Certificate[]>()

/** Few different texts are in use, so this is normally enough for all of them. */
const maxCached = 100

/** Responder certificates of a role; none if the text holds none in any of these forms. */
export function responderCertificates(text: string): readonly Certificate[] {
  if (text === '') return []
  const before = certificateCache.get(text)
  if (before) return before
  const { certificates } = readPemCertificates(responderPem(text))
  if (certificateCache.size >= maxCached) certificateCache.clear()
  certificateCache.set(text, certificates)
  return certificates
}
