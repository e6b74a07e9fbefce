import type { Awaitable } from '../../kernel/awaitable.ts'
import type { Instant } from '../../kernel/clock.ts'
import type { Certificate } from '../certificates/certificate.ts'
import { shorten } from '../certificates/certificate-facts.ts'
import { nameKey, nameText } from '../certificates/distinguished-names.ts'
import { isSignedBy } from '../certificates/signature.ts'
import { hasAcceptablePolicies } from '../constraints/policies.ts'
import type { AnchorSet } from './anchors.ts'
import { Budget } from './budget.ts'
import { orderByKeyId } from './find-issuer.ts'
import { mostTelling, type Refusal, refusal } from './path-refusal.ts'
import { type Place, type Position, rules } from './path-rules.ts'

/** Remembers which certificate was found to be signed by which. */
export type LinkMemory = {
  get(child: Certificate, issuer: Certificate): boolean | undefined
  set(child: Certificate, issuer: Certificate, isSigned: boolean): void
}

/** What to find a path for, and from which certificates. */
export type PathQuery = {
  readonly leaf: Certificate
  /** Untrusted, in any order; duplicates and unrelated ones do no harm. */
  readonly intermediates: readonly Certificate[]
  readonly anchors: AnchorSet
  readonly at: Instant
  readonly maxIntermediates?: number | undefined
  /** Asked about every complete path, for example about revocation; if it refuses one, the search goes on. */
  readonly accept?: ((path: readonly Certificate[]) => Awaitable<Refusal | undefined>) | undefined
  readonly links?: LinkMemory | undefined
  readonly budget?: Budget | undefined
}

/** A path from the leaf to an anchor, or why there is none; the first reason is the most telling one. */
export type PathOutcome =
  | { readonly ok: true; readonly path: readonly Certificate[] }
  | { readonly ok: false; readonly reason: Refusal; readonly refusals: readonly Refusal[] }

/** No honest chain is longer; the leaf and the anchor count. */
const longestPath = 32

/** Reasons kept for the report; a hostile bag of certificates could make thousands. */
const mostRefusals = 100

/**
 * Searches a path from the leaf to an anchor (RFC 5280 §6, RFC 4158): depth first, over every candidate issuer, so that
 * a variant of a CA that fails does not hide another one that works. Each rule is asked as soon as a CA is put on top
 * of the path, and the signature last, because it costs the most.
 */
export const findPath = (query: PathQuery): Promise<PathOutcome> => new Search(query).run()

class Search {
  readonly #query: PathQuery
  readonly #budget: Budget
  readonly #issuers: ReadonlyMap<string, readonly Certificate[]>
  readonly #links: LinkMemory
  readonly #refusals: Refusal[] = []

  constructor(query: PathQuery) {
    this.#query = query
    this.#budget = query.budget ?? new Budget()
    this.#budget.resume()
    this.#links = query.links ?? linkMemory()
    this.#issuers = usefulIssuers(query)
  }

  async run(): Promise<PathOutcome> {
    const { leaf, anchors } = this.#query
    const path = (anchors.has(leaf) ? await this.#tryPinned(leaf) : undefined) ?? (await this.#fromLeaf(leaf))
    return path === undefined ? this.#refused() : { ok: true, path }
  }

  /** A trusted certificate that is the leaf itself is a path of its own. */
  async #tryPinned(leaf: Certificate): Promise<readonly Certificate[] | undefined> {
    return this.#passes(leaf, 'pinned-leaf', []) && (await this.#isAccepted([leaf])) ? [leaf] : undefined
  }

  async #fromLeaf(leaf: Certificate): Promise<readonly Certificate[] | undefined> {
    return this.#passes(leaf, 'leaf', []) ? this.#climb([leaf]) : undefined
  }

  /** Puts every possible issuer on top of a path, one after another, until an anchor ends it. */
  async #climb(path: readonly Certificate[]): Promise<readonly Certificate[] | undefined> {
    const child = path[path.length - 1]
    if (child === undefined) return undefined
    const candidates = this.#candidates(child)
    if (candidates.length === 0) this.#refuse(noIssuer(child))
    for (const { certificate, position } of candidates) {
      await this.#budget.step()
      if (this.#budget.isSpent) return undefined
      if (path.some((each) => isSameEntity(each, certificate))) continue
      if (!this.#passes(certificate, position, path) || !this.#isSigned(child, certificate)) continue
      const longer = [...path, certificate]
      if (position === 'anchor' && (await this.#isAccepted(longer))) return longer
      const found = position === 'anchor' || longer.length >= longestPath ? undefined : await this.#climb(longer)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Anchors before intermediates, and within each those whose key identifier fits; it is a hint, no rule. */
  #candidates(child: Certificate): { certificate: Certificate; position: Position }[] {
    const key = nameKey(child.issuer)
    const anchors = orderByKeyId(child, this.#query.anchors.withSubject(key))
    const sent = orderByKeyId(child, this.#issuers.get(key) ?? [])
    return [
      ...anchors.map((certificate) => ({ certificate, position: 'anchor' as const })),
      ...sent.map((certificate) => ({ certificate, position: 'intermediate' as const })),
    ]
  }

  #passes(certificate: Certificate, position: Position, below: readonly Certificate[]): boolean {
    const { at, maxIntermediates } = this.#query
    const place: Place = { certificate, position, below, at, maxIntermediates, budget: this.#budget }
    for (const rule of rules) {
      const fault = rule.positions.includes(position) ? rule.judge(place) : undefined
      if (fault === undefined) continue
      this.#refuse(refusal(rule.code, certificate, fault.text, fault.fix))
      return false
    }
    return true
  }

  #isSigned(child: Certificate, issuer: Certificate): boolean {
    const isSigned = this.#links.get(child, issuer) ?? this.#verify(child, issuer)
    if (!isSigned) this.#refuse(notSigned(child, issuer))
    return isSigned
  }

  #verify(child: Certificate, issuer: Certificate): boolean {
    if (!this.#budget.spendSignature()) return false
    const isSigned = isSignedBy(child, issuer.publicKey)
    this.#links.set(child, issuer, isSigned)
    return isSigned
  }

  async #isAccepted(path: readonly Certificate[]): Promise<boolean> {
    if (!hasAcceptablePolicies(path)) this.#refuse(noPolicy(path[0]))
    else {
      const refusal = await this.#query.accept?.(path)
      this.#budget.resume()
      if (refusal === undefined) return true
      this.#refuse(refusal)
    }
    return false
  }

  #refuse(reason: Refusal): void {
    if (this.#refusals.length < mostRefusals) this.#refusals.push(reason)
  }

  #refused(): PathOutcome {
    if (this.#budget.isSpent) this.#refusals.push(tooMuchWork(this.#query.leaf))
    const reason = mostTelling(this.#refusals) ?? noIssuer(this.#query.leaf)
    return { ok: false, reason, refusals: this.#refusals }
  }
}

/**
 * Two certificates of one CA: the same name and the same key. Passing a CA twice only makes a path longer (RFC 4158
 * §2.4.2).
 */
export const isSameEntity = (a: Certificate, b: Certificate): boolean =>
  a.publicKey.der.equals(b.publicKey.der) && nameKey(a.subject) === nameKey(b.subject)

/**
 * The sent certificates that could lie on a path, by subject: those from which some chain of names leads to an anchor.
 * What is left out could only cost time, and hostile chains are built to cost time.
 */
function usefulIssuers({ leaf, intermediates, anchors }: PathQuery): ReadonlyMap<string, readonly Certificate[]> {
  const unique = new Map<string, Certificate>()
  for (const each of intermediates)
    if (each.fingerprint !== leaf.fingerprint && !anchors.has(each)) unique.set(each.fingerprint, each)
  const byIssuer = Map.groupBy(unique.values(), (each) => nameKey(each.issuer))
  const useful = new Set<Certificate>()
  const reached = [...byIssuer.keys()].filter((key) => anchors.withSubject(key).length > 0)
  for (let key = reached.pop(); key !== undefined; key = reached.pop())
    for (const each of byIssuer.get(key) ?? []) {
      if (useful.has(each)) continue
      useful.add(each)
      reached.push(nameKey(each.subject))
    }
  return Map.groupBy(useful, (each) => nameKey(each.subject))
}

/** The key of a link: a certificate, and the one that may have signed it. */
export const linkKey = (child: Certificate, issuer: Certificate): string => child.fingerprint + issuer.fingerprint

/** A memory that lasts for one search. */
export function linkMemory(): LinkMemory {
  const known = new Map<string, boolean>()
  return {
    get: (child, issuer) => known.get(linkKey(child, issuer)),
    set: (child, issuer, isSigned) => void known.set(linkKey(child, issuer), isSigned),
  }
}

/** No possible issuer of the certificate is trusted, or was sent and leads to a trusted one. */
export const noIssuer = (child: Certificate): Refusal =>
  refusal(
    'no-issuer',
    child,
    `No trusted CA was found for its issuer ${shorten(nameText(child.issuer)) || '(empty name)'}.`,
    'Send the missing intermediate with the certificate, or trust its CA.',
  )

/** The issuer has the right name, but another key made the signature. */
export const notSigned = (child: Certificate, issuer: Certificate): Refusal =>
  refusal(
    'signature',
    child,
    `It was not signed by the key of ${shorten(nameText(issuer.subject))} that is known here.`,
    'Trust the CA certificate whose key signed it; one with the same name but another key is not enough.',
  )

/** Some CA requires a policy that is missing. */
export const noPolicy = (leaf: Certificate | undefined): Refusal =>
  refusal(
    'policies',
    leaf,
    'A CA requires an explicit certificate policy, and none holds for the whole path.',
    'Issue the certificates of the path with the policy the CA requires.',
  )

const tooMuchWork = (leaf: Certificate): Refusal =>
  refusal(
    'limit',
    leaf,
    'Judging the chain takes more work than one login may cost.',
    'Send only the intermediates that belong to the certificate.',
  )
