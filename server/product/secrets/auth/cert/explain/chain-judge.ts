import { LRUCache } from 'lru-cache'
import { matchesCidrs } from '../../../../../access/cidr.ts'
import type { Deps } from '../../../../../kit/deps.ts'
import type { Mount } from '../../../../../kit/mount.ts'
import {
  type Certificate,
  type Explanation,
  explainPaths,
  nameText,
  type PathReport,
  type Refusal,
  serialText,
} from '../../../../../pki/index.ts'
import { configOf } from '../config/config-actions.ts'
import { crlsOf } from '../crls/crl-memory.ts'
import { judgeRole } from '../login/matching/constraint.ts'
import { leafFactsOf } from '../login/matching/leaf-facts.ts'
import { checkRevocationByOcsp, type OcspQuestion, ocspDeadline } from '../ocsp/ocsp-actions.ts'
import type { CertRole } from '../roles/role.ts'
import { type KnownTrust, prepareTrust } from '../roles/role.ts'
import { type ExplainedCheck, type Verdict, verdictOf } from './explained-check.ts'
import { TokenChecks } from './token-checks.ts'

/** A certificate and its intermediates. */
export type GivenChain = readonly [leaf: Certificate, ...intermediates: Certificate[]]

/** What a privileged caller wants explained. */
export type ExplainRequest = {
  readonly chain: GivenChain
  /** Where the login would come from; if empty, this check is not made. */
  readonly remoteAddress: string
  /** Whether to ask the OCSP responders; if not, this check is not made. */
  readonly askOcsp: boolean
}

/** The verdict of one role on a chain. */
export type ExplainedRole = {
  readonly role: string
  /** Whether it pins one certificate; such roles are tried before those that trust a CA. */
  readonly pinned: boolean
  readonly accepted: Verdict
  /** From the certificate to the one that the role trusts, or as far as the path leads. */
  readonly path: readonly string[]
  readonly checks: readonly ExplainedCheck[]
}

/** A role as it is shown, and whether a login would choose it: if it then gets no token, no other role is tried. */
export type JudgedRole = { readonly shown: ExplainedRole; readonly matches: Verdict }

/** What was found about the paths of the chain to the certificates of a role. */
type ExplainedTrust = { readonly trust: KnownTrust; readonly explanation: Explanation }

/** Judges one chain by one role after another; what does not depend on the role is determined once. */
export class ChainJudge {
  readonly #deps: Deps
  readonly #mount: Mount
  readonly #asked: ExplainRequest
  readonly #tokens: TokenChecks
  /** By the PEM of roles: many roles trust the same CAs. */
  readonly #trusts = new LRUCache<string, ExplainedTrust>({ max: 100 })

  constructor(deps: Deps, mount: Mount, asked: ExplainRequest) {
    this.#deps = deps
    this.#mount = mount
    this.#asked = asked
    this.#tokens = new TokenChecks(deps, mount, asked.chain[0])
  }

  async judge(role: CertRole): Promise<JudgedRole> {
    const [leaf] = this.#asked.chain
    const { trust, explanation } = await this.#explained(role.certificate)
    const { outcome, paths } = explanation
    const shown = paths[0]
    const matching: ExplainedCheck[] = [
      ...pathChecks(shown, outcome.ok ? undefined : outcome.reason),
      ...judgeRole(role, leafFactsOf(leaf)).checks.map(({ name, ...rest }) => ({ check: name, ...rest })),
      ...addressCheck(role, this.#asked.remoteAddress),
      ...(outcome.ok ? await this.#ocspCheck(role, { path: outcome.path, trusted: trust.certificates }) : []),
    ]
    const checks = [...matching, ...(await this.#tokens.of(role))]
    const path = (shown?.certificates ?? [leaf]).map((each) => nameText(each.subject))
    return {
      shown: { role: role.name, pinned: trust.kind === 'leaf', accepted: verdictOf(checks), path, checks },
      matches: verdictOf(matching),
    }
  }

  async #explained(pem: string): Promise<ExplainedTrust> {
    const known = this.#trusts.get(pem)
    if (known !== undefined) return known
    const deps = this.#deps
    const [leaf, ...intermediates] = this.#asked.chain
    const { crlMatch } = await configOf(deps, this.#mount.id)
    const lists = await crlsOf(deps, this.#mount.id)
    const trust = prepareTrust(pem)
    const { anchors, kind, certificates } = trust
    const accept = (path: readonly Certificate[]) => lists.objection(kind === 'leaf' ? certificates : path, crlMatch)
    const explanation = await explainPaths({ leaf, intermediates, anchors, at: deps.clock.now(), accept })
    this.#trusts.set(pem, { trust, explanation })
    return { trust, explanation }
  }

  async #ocspCheck(role: CertRole, found: Pick<OcspQuestion, 'path' | 'trusted'>): Promise<ExplainedCheck[]> {
    if (!role.ocspEnabled) return []
    if (!this.#asked.askOcsp) return [unaskedOcsp]
    const { ocspCacheSize } = await configOf(this.#deps, this.#mount.id)
    const verdict = await checkRevocationByOcsp(this.#deps, {
      ...found,
      terms: role,
      mountId: this.#mount.id,
      cacheSize: ocspCacheSize,
      ends: ocspDeadline(this.#deps),
    })
    const fix = verdict.isRevoked
      ? 'Issue a new certificate.'
      : 'Look at the responder and its answer, or change the OCSP settings of the role.'
    return [{ check: 'ocsp', ok: verdict.pass, detail: verdict.text, fix: verdict.pass ? '' : fix }]
  }
}

const unaskedOcsp: ExplainedCheck = {
  check: 'ocsp',
  ok: null,
  detail: 'Not asked: a login asks the OCSP responders, and is refused if they say so.',
  fix: "Set 'ask_ocsp' to ask them.",
}

/** For an accepted path, how many checks it passed; else the failed ones of the most promising path. */
function pathChecks(path: PathReport | undefined, reason: Refusal | undefined): ExplainedCheck[] {
  const checks = path?.checks ?? []
  if (reason === undefined) {
    const detail = `The certificate chains to what the role trusts; ${checks.length} checks passed.`
    return [{ check: 'path', ok: true, detail, fix: '' }]
  }
  const failed = checks.filter((check) => !check.ok)
  if (failed.length === 0) return [{ check: reason.code, ok: false, detail: reason.text, fix: reason.fix }]
  return failed.map(({ code, certificate, text, fix }) => ({
    check: code,
    ok: false,
    detail: `${nameText(certificate.subject) || serialText(certificate)}: ${text}`,
    fix,
  }))
}

function addressCheck(role: CertRole, address: string): ExplainedCheck[] {
  if (role.tokenBoundCidrs.length === 0) return []
  const check = 'token_bound_cidrs'
  const bounds = role.tokenBoundCidrs.join(', ')
  if (address === '') {
    const detail = `Not asked: a login is refused unless it comes from ${bounds}.`
    return [{ check, ok: null, detail, fix: "Set 'remote_address' to where the login comes from." }]
  }
  const ok = matchesCidrs(role.tokenBoundCidrs, address)
  const fix = ok ? '' : "Log in from an address inside, or widen 'token_bound_cidrs'."
  return [{ check, ok, detail: `${address} is ${ok ? 'inside' : 'outside'} ${bounds}.`, fix }]
}
