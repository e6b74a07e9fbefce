import { LRUCache } from 'lru-cache'
import { matchesCidrs } from '../../../access/cidr.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { Mount } from '../../../kit/mount.ts'
import {
  type Certificate,
  type Explanation,
  explainPaths,
  nameText,
  type PathReport,
  type Refusal,
  serialText,
} from '../../../pki/index.ts'
import { configOf } from '../config/config-actions.ts'
import { crlsOf } from '../crls/crl-memory.ts'
import { type KnownTrust, prepareTrust } from '../login/directory/known-role.ts'
import { judgeRole } from '../login/matching/judge-role.ts'
import { leafFactsOf } from '../login/matching/leaf-facts.ts'
import { checkRevocationByOcsp, type OcspQuestion, ocspDeadline } from '../ocsp/ocsp-check.ts'
import type { CertRole } from '../roles/role.ts'
import type { ExplainedCheck } from './explained-check.ts'
import { TokenChecks } from './token-checks.ts'

/** A certificate and its intermediates. */
export type GivenChain = readonly [leaf: Certificate, ...intermediates: Certificate[]]

/** What a privileged caller wants explained. */
export type ExplainRequest = {
  readonly chain: GivenChain
  /** Where the login would come from; if empty, this check is left out. */
  readonly remoteAddress: string
  /** Whether to ask the OCSP responders; if not, the check says that it was left out. */
  readonly askOcsp: boolean
}

/** The verdict of one role on a chain. */
export type ExplainedRole = {
  readonly role: string
  /** Whether it pins one certificate; such roles are tried before those that trust a CA. */
  readonly pinned: boolean
  readonly accepted: boolean
  /** From the certificate to the one that the role trusts, or as far as the path leads. */
  readonly path: readonly string[]
  readonly checks: readonly ExplainedCheck[]
}

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

  async judge(role: CertRole): Promise<ExplainedRole> {
    const [leaf] = this.#asked.chain
    const { trust, explanation } = await this.#explained(role.certificate)
    const { outcome, paths } = explanation
    const shown = paths[0]
    const checks = [
      ...pathChecks(shown, outcome.ok ? undefined : outcome.reason),
      ...judgeRole(role, leafFactsOf(leaf)).checks.map(({ name, ...rest }) => ({ check: name, ...rest })),
      ...addressCheck(role, this.#asked.remoteAddress),
      ...(await this.#tokens.of(role)),
      ...(outcome.ok ? await this.#ocspCheck(role, { path: outcome.path, trusted: trust.certificates }) : []),
    ]
    return {
      role: role.name,
      pinned: trust.kind === 'leaf',
      accepted: outcome.ok && checks.every((check) => check.ok),
      path: (shown?.certificates ?? [leaf]).map((each) => nameText(each.subject)),
      checks,
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
    if (!this.#asked.askOcsp)
      return [{ check: 'ocsp', ok: true, detail: "Not asked: set 'ask_ocsp' to ask the responders.", fix: '' }]
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
  if (role.tokenBoundCidrs.length === 0 || address === '') return []
  const ok = matchesCidrs(role.tokenBoundCidrs, address)
  const detail = `${address} is ${ok ? 'inside' : 'outside'} ${role.tokenBoundCidrs.join(', ')}.`
  return [
    {
      check: 'token_bound_cidrs',
      ok,
      detail,
      fix: ok ? '' : "Log in from an address inside, or widen 'token_bound_cidrs'.",
    },
  ]
}
