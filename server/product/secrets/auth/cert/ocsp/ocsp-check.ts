import { hash } from 'node:crypto'
import { getCACertificates } from 'node:tls'
import { textOf } from '../../../../../kernel/failure.ts'
import { type Deps, perApp } from '../../../../../kit/deps.ts'
import { type Certificate, certIdKey, findIssuer, serialText } from '../../../../../pki/index.ts'
import { OcspCache } from './ocsp-cache.ts'
import { countAnswer } from './ocsp-metrics.ts'
import { askServer, type OcspQuery } from './ocsp-query.ts'
import { combineAnswers, isFinal, judgeAnswer, type OcspAnswer, type OcspVerdict } from './ocsp-rules.ts'
import { responderCertificates, responderPem } from './responder-certificates.ts'
import { ResponderHealth } from './responder-health.ts'

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

/** One question: the role's terms about the leaf of a path, at a mount whose cache has this size. */
export type OcspQuestion = {
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
export async function checkRevocationByOcsp(deps: Deps, question: OcspQuestion): Promise<OcspVerdict> {
  const { terms, path, trusted } = question
  if (!terms.ocspEnabled) return { pass: true, overlooked: false, text: 'The role does not use OCSP.' }
  const [leaf] = path
  if (!leaf) throw new Error('A path has at least one certificate.')
  const issuer = path[1] ?? findIssuer(trusted, leaf)
  const serial = serialText(leaf)
  const answer = issuer ? await findAnswer(deps, question, leaf, issuer) : unknownIssuer
  const verdict = judgeAnswer(answer, terms.ocspFailOpen, serial)
  if (verdict.overlooked) deps.log.warn({ serial, reason: verdict.text }, 'login goes on without an OCSP status')
  return verdict
}

const unknownIssuer: OcspAnswer = { kind: 'unfetched', text: 'The issuer of the certificate is not known here.' }

async function findAnswer(
  deps: Deps,
  question: OcspQuestion,
  leaf: Certificate,
  issuer: Certificate,
): Promise<OcspAnswer> {
  const { terms } = question
  const cache = cacheOf(deps, question)
  const key = cacheKey(terms, leaf, issuer)
  const now = deps.clock.now()
  const maxAge = terms.ocspThisUpdateMaxAge * 1000
  const known = cache.find(key, now, maxAge)
  if (known && !known.isEnding) return known.answer
  const time = timeLeft(deps, question.ends)
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
  const asking = cache.ask({ key, sharedBy }, now, () => askServers(deps, question, query))
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

async function askServers(deps: Deps, { terms, ends }: OcspQuestion, query: OcspQuery): Promise<OcspAnswer> {
  const { ocspServersOverride: configured } = terms
  const named = query.leaf.ocspUrls
  const servers = configured.length > 0 ? configured : named.slice(0, maxNamedServers)
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
})

function cacheOf(deps: Deps, { mountId, cacheSize }: OcspQuestion): OcspCache {
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
