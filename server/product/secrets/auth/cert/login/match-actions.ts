import { setImmediate as nextTurn } from 'node:timers/promises'
import { matchesCidrs } from '../../../../../access/cidr.ts'
import type { Instant } from '../../../../../kernel/clock.ts'
import { type Deps, perApp } from '../../../../../kit/deps.ts'
import {
  Budget,
  type Certificate,
  ChainVerifier,
  type PathOutcome,
  type PresentedChain,
  type Refusal,
  refusalText,
  shorten,
} from '../../../../../pki/index.ts'
import type { OcspVerdict } from '../ocsp/ocsp.ts'
import { nameKeyOf } from '../roles/role.ts'
import type { KnownRole } from '../roles/role-trust.ts'
import { judgeRole, satisfiesRole } from './matching/constraint.ts'
import { type LeafFacts, leafFactsOf } from './matching/leaf-facts.ts'
import type { RoleSelector } from './matching/role-selector.ts'
import type { RoleDirectory } from './role-directory-actions.ts'

/** Why one role did not accept a certificate; for logs, audit and privileged callers, never for strangers. */
export type RoleRefusal = { readonly role: string; readonly step: string; readonly text: string }

/** The role that accepted a chain. */
export type AcceptedMatch = {
  readonly ok: true
  readonly known: KnownRole
  /** The SHA-256 of the certificate of the role that the chain led to. */
  readonly anchor: string
  /** Why there was no OCSP status for the certificate, if the role let that pass. */
  readonly overlooked: string | undefined
}

/** The role that accepted a chain, or why none did. */
export type MatchOutcome =
  | AcceptedMatch
  | {
      readonly ok: false
      /** True if a role would have accepted the certificate from another address. */
      readonly outsideBounds: boolean
      readonly refusals: readonly RoleRefusal[]
    }

/** What a chain is matched by. */
export type MatchInput = {
  readonly chain: PresentedChain
  readonly at: Instant
  /** Where a login comes from. Undefined for a renewal: the token itself works only within its bounds. */
  readonly remoteAddress: string | undefined
  /** Refuses a path with a revoked certificate; asked at every login, never remembered. */
  readonly revoked: (path: readonly Certificate[]) => Refusal | undefined
  /** Asks OCSP responders about a path, if the role wants that. */
  readonly ocsp: (known: KnownRole, path: readonly Certificate[]) => Promise<OcspVerdict>
  /** Which roles are considered; all if absent. */
  readonly among?: ((role: KnownRole['role']) => boolean) | undefined
}

const verifiers = perApp(() => new ChainVerifier())

/** Remembers good paths, for all mounts of a server. */
export const verifierOf = (deps: Pick<Deps, 'store'>): ChainVerifier => verifiers(deps)

/** Reasons kept for the log; thousands of roles may refuse one certificate. */
const maxRefusals = 20

/** Roles judged before others get a turn. */
const rolesPerTurn = 500

/** Comparing more names than this with one role costs as much as a signature check. */
const fewNames = 200

/** One search over roles, which share a work limit and what was found about paths. */
export class Match {
  readonly #verifier: ChainVerifier
  readonly #input: MatchInput
  readonly #facts: LeafFacts
  readonly #budget = new Budget()
  readonly #paths = new Map<string, PathOutcome>()
  readonly #refusals: RoleRefusal[] = []
  readonly #groups: RoleSelector<KnownRole>[] = []
  #outsideBounds = false
  #judged = 0

  constructor(verifier: ChainVerifier, input: MatchInput) {
    this.#verifier = verifier
    this.#input = input
    this.#facts = leafFactsOf(input.chain.leaf)
  }

  /** Judges the role of this name; if there is none, the outcome looks like any other refusal. */
  async byName(directory: RoleDirectory, name: string): Promise<MatchOutcome> {
    const known = await directory.findByName(name)
    if (known === undefined) this.#refuse(shorten(name), 'role', 'There is no such role.')
    return (known && (await this.#firstAccepting([known]))) ?? this.#refused()
  }

  /** Tries pinned certificates first, then CAs, each in the order of role names; the first role that accepts wins. */
  async byChain(directory: RoleDirectory): Promise<MatchOutcome> {
    const { chain } = this.#input
    const pinning = (await directory.findPinning(chain)).items
    const pinned = pinning.filter(({ trust }) => trust.kind === 'leaf')
    const alsoTrusted = pinning.filter(({ trust }) => trust.kind === 'ca')
    return (
      (await this.#firstAccepting(pinned)) ??
      (await this.#firstAccepting(await this.#issuing(directory, 'fitting', alsoTrusted))) ??
      (await this.#firstAccepting(await this.#issuing(directory, 'other'))) ??
      this.#refused()
    )
  }

  /** The roles that trust an issuer of the chain, and these further ones, each once and in the order of their names. */
  async #issuing(
    directory: RoleDirectory,
    keyIds: 'fitting' | 'other',
    further: readonly KnownRole[] = [],
  ): Promise<readonly KnownRole[]> {
    const groups = await directory.findIssuing(this.#input.chain, keyIds)
    this.#groups.push(...groups)
    const lists = [further, ...groups.map((group) => group.select(this.#facts))].filter((list) => list.length > 0)
    if (lists.length < 2) return lists[0] ?? []
    const unique = new Map(lists.flat().map((known) => [known.role.name, known]))
    return [...unique.values()].sort((a, b) => (nameKeyOf(a.role.name) < nameKeyOf(b.role.name) ? -1 : 1))
  }

  async #firstAccepting(candidates: readonly KnownRole[]): Promise<AcceptedMatch | undefined> {
    for (const known of candidates) {
      await this.#yieldToEventLoop()
      if (this.#input.among?.(known.role) === false) continue
      const accepted = await this.#judge(known)
      if (accepted !== undefined) return accepted
    }
    return undefined
  }

  /** Lets other requests run now and then: the more names there are to compare, the sooner. */
  async #yieldToEventLoop(): Promise<void> {
    this.#judged += Math.max(1, this.#facts.names / fewNames)
    if (this.#judged < rolesPerTurn) return
    this.#judged = 0
    await nextTurn()
  }

  /**
   * Cheap checks first; responders are asked last, and only about certificates that pass everything else. Anybody can
   * make a certificate with thousands of names, and there may be thousands of roles to compare them with: then the path,
   * which roles share, comes before the names.
   */
  async #judge(known: KnownRole): Promise<AcceptedMatch | undefined> {
    const { role } = known
    const early = this.#facts.names > fewNames ? await this.#pathFor(known) : undefined
    if (early?.ok !== false && !satisfiesRole(role, this.#facts)) return this.#refuseByConstraint(known)
    const outcome = early ?? (await this.#pathFor(known))
    if (!outcome.ok) return this.#refuseByPath(known, outcome.reason)
    const { remoteAddress } = this.#input
    if (remoteAddress !== undefined && !matchesCidrs(role.tokenBoundCidrs, remoteAddress)) {
      this.#outsideBounds = true
      return this.#refuse(role.name, 'token_bound_cidrs', `${remoteAddress} is outside the bounds of the role.`)
    }
    const { pass, overlooked, text } = await this.#input.ocsp(known, outcome.path)
    if (!pass) return this.#refuse(role.name, 'ocsp', text)
    const anchor = outcome.path.at(-1)?.fingerprint ?? ''
    return { ok: true, known, anchor, overlooked: overlooked ? text : undefined }
  }

  /**
   * Roles with the same anchors have the same verdict. For a pinned certificate, revocation is checked on the whole PEM
   * of its role.
   */
  async #pathFor({ trust }: KnownRole): Promise<PathOutcome> {
    const key = trust.kind === 'leaf' ? '' : trust.anchors.id
    const before = key === '' ? undefined : this.#paths.get(key)
    if (before !== undefined) return before
    const { chain, at, revoked } = this.#input
    const accept = trust.kind === 'leaf' ? () => revoked(trust.certificates) : revoked
    const outcome = await this.#verifier.verify(chain, trust.anchors, { at, accept, budget: this.#budget })
    if (key !== '') this.#paths.set(key, outcome)
    return outcome
  }

  #refuseByConstraint({ role }: KnownRole): undefined {
    if (this.#refusals.length >= maxRefusals) return
    const failed = judgeRole(role, this.#facts).checks.find((check) => !check.ok)
    if (failed !== undefined) this.#refuse(role.name, failed.name, failed.detail)
  }

  /**
   * Only reasons that are kept are put into words: writing out a long name for every role would take longer than
   * judging it.
   */
  #refuseByPath({ role }: KnownRole, reason: Refusal): undefined {
    if (this.#refusals.length < maxRefusals) this.#refuse(role.name, reason.code, refusalText(reason))
  }

  #refuse(role: string, step: string, text: string): undefined {
    if (this.#refusals.length < maxRefusals) this.#refusals.push({ role, step, text })
  }

  /** Gives a reason for roles that were not even judged because they demand other values. */
  #refusePassedOver(): void {
    const explained = new Set(this.#refusals.map(({ role }) => role))
    for (const known of this.#groups.flatMap(({ items }) => items.slice(0, 2 * maxRefusals))) {
      if (!explained.has(known.role.name)) this.#refuseByConstraint(known)
      explained.add(known.role.name)
    }
  }

  #refused(): MatchOutcome {
    this.#refusePassedOver()
    const none = { role: '', step: 'role', text: 'No role trusts an issuer of the certificate.' }
    return {
      ok: false,
      outsideBounds: this.#outsideBounds,
      refusals: this.#refusals.length > 0 ? this.#refusals : [none],
    }
  }
}
