import { hash } from 'node:crypto'
import { getCACertificates } from 'node:tls'
import { LRUCache } from 'lru-cache'
import type { Instant } from '../../../../../kernel/clock.ts'
import { textOf } from '../../../../../kernel/failure.ts'
import { type Deps, perApp } from '../../../../../kit/deps.ts'
import { type Certificate, certIdKey, findIssuer, serialText } from '../../../../../pki/index.ts'
import { responderUrl } from '../roles/role-check.ts'
import {
  combineAnswers,
  isFinal,
  isNearExpiry,
  judgeAnswer,
  type OcspAnswer,
  type OcspVerdict,
  rememberedUntil,
  responderCertificates,
  responderPem,
} from './ocsp.ts'
import { askServer, type OcspQuery } from './ocsp-adapter.ts'

type Entry = { readonly answer: OcspAnswer; readonly storedAt: Instant }

/** Answers of one mount, shared by its roles, and the queries that are under way. */
export class OcspCache {
  #entries: LRUCache<string, Entry>
  readonly #asking = new Map<string, Promise<OcspAnswer>>()

  constructor(size: number) {
    this.#entries = new LRUCache({ max: size })
  }

  /** Starts again with an empty cache if the size was changed. */
  resize(size: number): void {
    if (this.#entries.max !== size) this.#entries = new LRUCache({ max: size })
  }

  /** A remembered answer that is still good for a role with this maximum age, and whether it is about to expire. */
  find(key: string, now: Instant, maxAge: number): { answer: OcspAnswer; isEnding: boolean } | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    const until = rememberedUntil(entry.answer, entry.storedAt, maxAge)
    if (until !== undefined && now < until)
      return { answer: entry.answer, isEnding: isNearExpiry({ storedAt: entry.storedAt, until }, now) }
    this.#entries.delete(key)
    return undefined
  }

  /**
   * Asks once for all callers that share a query at the same time, and remembers under `key` what may be remembered.
   * Callers share it if their `sharedBy` is the same.
   */
  async ask(
    { key, sharedBy }: { key: string; sharedBy: string },
    now: Instant,
    query: () => Promise<OcspAnswer>,
  ): Promise<OcspAnswer> {
    const running = this.#asking.get(sharedBy)
    if (running) return running
    const asking = query()
    this.#asking.set(sharedBy, asking)
    try {
      const answer = await asking
      if (rememberedUntil(answer, now, 0) !== undefined) this.#entries.set(key, { answer, storedAt: now })
      // The responder has given a new answer that cannot be remembered: the one from before no longer counts.
      else if ('thisUpdate' in answer) this.#entries.delete(key)
      return answer
    } finally {
      this.#asking.delete(sharedBy)
    }
  }
}

/** An attempt that fails after this many milliseconds has kept a login waiting; one that fails sooner has not. */
const slowThreshold = 2_000

/** After this many slow failures in a row, a responder is left alone for a while. */
const maxSlowFailures = 3

/** How long, in milliseconds. The next login after that finds out whether it works again. */
const restPeriod = 10_000

type Health = { readonly failures: number; readonly restsUntil: number }

/**
 * Remembers which responders keep logins waiting. Otherwise every login with a certificate whose responder hangs would
 * take all the time that a login has for OCSP. Times are monotonic.
 */
export class ResponderHealth {
  // Bounded, because certificates name responders and so strangers choose the keys.
  readonly #servers = new LRUCache<string, Health>({ max: 1_000 })

  /** False while the responder is left alone. */
  mayAsk(server: string, now: number): boolean {
    return now >= (this.#servers.get(server)?.restsUntil ?? Number.NEGATIVE_INFINITY)
  }

  /** Notes how a query ended that began at this time. */
  note(server: string, isAnswered: boolean, times: { readonly began: number; readonly now: number }): void {
    if (isAnswered || times.now - times.began < slowThreshold) {
      this.#servers.delete(server)
      return
    }
    const failures = (this.#servers.get(server)?.failures ?? 0) + 1
    const restsUntil = failures >= maxSlowFailures ? times.now + restPeriod : Number.NEGATIVE_INFINITY
    this.#servers.set(server, { failures, restsUntil })
  }
}

const ocspMetrics = perApp(({ metrics }: Pick<Deps, 'metrics'>) => ({
  answers: metrics.counter('holdfast_ocsp_answers_total', 'OCSP responses by result.', ['answer']),
  seconds: metrics
    .histogram(
      'holdfast_ocsp_seconds',
      'Time to get an OCSP response, including retries, in seconds.',
      [],
      secondsBuckets,
    )
    .series(),
}))

/** In seconds; a login waits 15 at most. */
const secondsBuckets: readonly number[] = [0.01, 0.05, 0.1, 0.5, 1, 5, 15]

/** Counts what a responder answered, or that there was no usable answer. */
function countAnswer(deps: Deps, { kind }: OcspAnswer, milliseconds: number): void {
  const { answers, seconds } = ocspMetrics(deps)
  answers.inc({ answer: kind })
  seconds.observe(milliseconds / 1_000)
}

/** What a role says about OCSP. */
export type OcspTerms = {
  readonly ocspEnabled: boolean
  readonly ocspCaCertificates: string
  readonly ocspServersOverride: readonly string[]
  readonly ocspFailOpen: boolean
  /** Seconds; 0 for any age. */
  readonly ocspThisUpdateMaxAge: number
  readonly ocspMaxRetries: number
  readonly ocspQueryAllServers: boolean
}

/** One check: the role's terms about the leaf of a path, at a mount whose cache has this size. */
export type RevocationCheck = {
  readonly terms: OcspTerms
  /** Leaf first, its issuer second; the leaf alone if it is trusted itself. */
  readonly path: readonly Certificate[]
  /** The certificates of the role, among which the issuer of such a leaf may be. */
  readonly trusted: readonly Certificate[]
  readonly mountId: string
  readonly cacheSize: number
  /** When the time that the login has for OCSP is over; monotonic. */
  readonly ends: number
}

/** The time for all tries with all servers, for all roles of one login together. */
const loginBudget = 15_000

/** A role that is judged late in a login still has this much time: it must not let anybody in without asking. */
const minTimePerRole = 3_000

/** When the time for OCSP is over in a login that begins now; monotonic. */
export const ocspDeadline = ({ clock }: Pick<Deps, 'clock'>): number => clock.monotonic() + loginBudget

const caches = perApp(() => new Map<string, OcspCache>())

/** Asks whether the leaf of a path was revoked. A role without OCSP accepts it without asking. */
export async function checkRevocationByOcsp(deps: Deps, check: RevocationCheck): Promise<OcspVerdict> {
  const { terms, path, trusted } = check
  if (!terms.ocspEnabled) return { pass: true, overlooked: false, text: 'The role does not use OCSP.' }
  const [leaf] = path
  if (!leaf) throw new Error('A path has at least one certificate.')
  const issuer = path[1] ?? findIssuer(trusted, leaf)
  const serial = serialText(leaf)
  const answer = issuer ? await findAnswer(deps, check, leaf, issuer) : unknownIssuer
  const verdict = judgeAnswer(answer, terms.ocspFailOpen, serial)
  if (verdict.overlooked) deps.log.warn({ serial, reason: verdict.text }, 'login goes on without an OCSP status')
  return verdict
}

const unknownIssuer: OcspAnswer = { kind: 'unfetched', text: 'The issuer of the certificate is not known here.' }

async function findAnswer(
  deps: Deps,
  check: RevocationCheck,
  leaf: Certificate,
  issuer: Certificate,
): Promise<OcspAnswer> {
  const { terms } = check
  const cache = cacheOf(deps, check)
  const key = cacheKey(terms, leaf, issuer)
  const now = deps.clock.now()
  const maxAge = terms.ocspThisUpdateMaxAge * 1000
  const known = cache.find(key, now, maxAge)
  if (known && !known.isEnding) return known.answer
  const time = timeLeft(deps, check.ends)
  const query: OcspQuery = {
    leaf,
    issuer,
    responders: responderCertificates(terms.ocspCaCertificates),
    tlsCaPem: tlsCaPem(terms),
    maxAge,
    maxRetries: terms.ocspMaxRetries,
    at: now,
    ends: deps.clock.monotonic() + time,
    signal: AbortSignal.timeout(time),
  }
  // The result is judged by the maximum age of the role that asked, so only roles with the same terms share a running
  // request.
  const sharedBy = `${key}|${maxAge}|${terms.ocspMaxRetries}`
  const asking = cache.ask({ key, sharedBy }, now, () => askServers(deps, check, query))
  if (!known) return asking
  // Nobody waits for an answer that is fetched ahead; if that fails, the known one is used until it expires.
  asking.catch((error) => deps.log.warn({ error: textOf(error) }, 'could not prefetch OCSP response'))
  return known.answer
}

const timeLeft = ({ clock }: Pick<Deps, 'clock'>, ends: number): number =>
  Math.max(minTimePerRole, Math.floor(ends - clock.monotonic()))

/**
 * A certificate names one or two servers; each further one costs a request, or several, to an address its issuer chose.
 */
const maxNamedServers = 10

const tooManyServers: OcspAnswer = { kind: 'unfetched', text: 'The certificate names more servers than are asked.' }

async function askServers(deps: Deps, { terms, ends }: RevocationCheck, query: OcspQuery): Promise<OcspAnswer> {
  const { ocspServersOverride: configured } = terms
  const named = query.leaf.ocspUrls
  const servers =
    configured.length > 0 ? configured.map((each) => responderUrl(each) ?? each) : named.slice(0, maxNamedServers)
  if (terms.ocspQueryAllServers) {
    const answers = await Promise.all(servers.map((server) => askUnlessResting(deps, server, query)))
    const isComplete = configured.length > 0 || named.length <= maxNamedServers
    return combineAnswers(isComplete ? answers : [...answers, tooManyServers], 'together')
  }
  const answers: OcspAnswer[] = []
  for (const [index, server] of servers.entries()) {
    // A server that hangs leaves the servers after it their share of the time.
    const share = Math.floor(timeLeft(deps, ends) / (servers.length - index))
    const signal = AbortSignal.any([query.signal, AbortSignal.timeout(share)])
    const answer = await askUnlessResting(deps, server, { ...query, ends: deps.clock.monotonic() + share, signal })
    answers.push(answer)
    if (isFinal(answer)) break
  }
  return combineAnswers(answers, 'in-turn')
}

const responderHealthOf = perApp(() => new ResponderHealth())

/** A responder that kept recent logins waiting counts as unreachable for a while. */
async function askUnlessResting(deps: Deps, server: string, query: OcspQuery): Promise<OcspAnswer> {
  const health = responderHealthOf(deps)
  const began = deps.clock.monotonic()
  if (!health.mayAsk(server, began)) return restingAnswer(server)
  const answer = await askServer(deps, server, query)
  const now = deps.clock.monotonic()
  health.note(server, answer.kind !== 'unfetched', { began, now })
  countAnswer(deps, answer, now - began)
  return answer
}

/** Names the server by its origin: the rest of an address may hold credentials. */
const restingAnswer = (server: string): OcspAnswer => ({
  kind: 'unfetched',
  text: `${URL.parse(server)?.origin ?? 'The server'} did not answer in time lately and is asked again in some seconds.`,
  isCall: true,
})

function cacheOf(deps: Deps, { mountId, cacheSize }: RevocationCheck): OcspCache {
  const byMount = caches(deps)
  const cache = byMount.get(mountId) ?? new OcspCache(cacheSize)
  cache.resize(cacheSize)
  byMount.set(mountId, cache)
  return cache
}

/** Forgets the answers kept for a mount that is gone. */
export const forgetOcspAnswers = (deps: Pick<Deps, 'store'>, mountId: string): void => void caches(deps).delete(mountId)

/**
 * Roles share an answer only if they would have got the same one: from the same servers, from all of them or the first,
 * and accepting the same signers.
 */
function cacheKey(terms: OcspTerms, leaf: Certificate, issuer: Certificate): string {
  const { ocspServersOverride: servers, ocspQueryAllServers: all, ocspCaCertificates: signers } = terms
  const key = certIdKey(leaf, issuer)
  if (servers.length === 0 && !all && signers === '') return key
  return `${key}|${hash('sha256', JSON.stringify([servers, all, signers]), 'base64url')}`
}

/**
 * The CAs that responders with https addresses are trusted by: those of the system, and the certificates of the role.
 */
const tlsCaPem = ({ ocspCaCertificates }: OcspTerms): string =>
  ocspCaCertificates === '' ? '' : [...getCACertificates('default'), responderPem(ocspCaCertificates)].join('\n')
