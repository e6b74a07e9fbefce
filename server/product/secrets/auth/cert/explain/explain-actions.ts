import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { ungrantablePolicies } from '../../../../../access/token-policies.ts'
import { failure } from '../../../../../kernel/failure.ts'
import type { Deps } from '../../../../../kit/deps.ts'
import type { Mount } from '../../../../../kit/mount.ts'
import { type Certificate, type Explanation, explainPaths, nameText } from '../../../../../pki/index.ts'
import { fitsAlias, recallLogin } from '../../../identity/index.ts'
import { lostTeamText, type TeamLink, teamLinkOf } from '../../../login-roles/index.ts'
import { configOf } from '../config/config-actions.ts'
import { crlsOf } from '../crls/crl-memory-actions.ts'
import { aliasNameOf } from '../login/alias-name.ts'
import { judgeRole } from '../login/matching/constraint.ts'
import { leafFactsOf } from '../login/matching/leaf-facts.ts'
import type { OcspVerdict } from '../ocsp/ocsp.ts'
import { checkRevocationByOcsp, ocspDeadline, type RevocationCheck } from '../ocsp/ocsp-actions.ts'
import type { CertRole } from '../roles/role.ts'
import { findRole, pageOfRoles } from '../roles/role-store.ts'
import { type KnownTrust, prepareTrust } from '../roles/role-trust.ts'
import {
  addressCheck,
  byNearness,
  type ExplainedCheck,
  type ExplainedLogin,
  type ExplainedRole,
  type ExplainRequest,
  type JudgedRole,
  outcomeOf,
  pathChecks,
  skippedOcsp,
  verdictOf,
} from './explain.ts'

/** Roles explained in one answer. */
const maxExplainedRoles = 50

/** Roles read in one go and judged before others get a turn. */
const batchSize = 20

/** Explains a chain by one role. */
export async function explainRole(
  deps: Deps,
  mount: Mount,
  name: string,
  requested: ExplainRequest,
): Promise<ExplainedRole> {
  const role = await findRole(deps.db, mount.id, name)
  if (!role) throw failure('missing', 'cert-role.missing', `There is no role '${name}'.`)
  return (await new ChainJudge(deps, mount, requested).judge(role)).shown
}

/** Explains a chain by the role of this name, or by every role if it is empty, as a login tries them. */
export async function explainLogin(
  deps: Deps,
  mount: Mount,
  name: string,
  requested: ExplainRequest,
): Promise<ExplainedLogin> {
  const judge = new ChainJudge(deps, mount, requested)
  if (name === '') return outcomeOf(await judgeAll(deps, mount, judge))
  const role = await findRole(deps.db, mount.id, name)
  return outcomeOf({ total: role ? 1 : 0, roles: role ? [await judge.judge(role)] : [] })
}

/** The search for roles that match goes on beyond those that are shown. */
async function judgeAll(
  deps: Deps,
  mount: Mount,
  judge: ChainJudge,
): Promise<{ total: number; roles: readonly JudgedRole[] }> {
  const judged: JudgedRole[] = []
  let total = 0
  for (let after = ''; ; await nextTurn()) {
    const roles = await pageOfRoles(deps.db, mount.id, { after, limit: batchSize })
    for (const role of roles) judged.push(await judge.judge(role))
    if (judged.length > 2 * maxExplainedRoles) judged.sort(byNearness).splice(maxExplainedRoles)
    total += roles.length
    const last = roles[batchSize - 1]
    if (!last) return { total, roles: judged.sort(byNearness).slice(0, maxExplainedRoles) }
    after = last.name
  }
}

/** What was found about the paths of the chain to the certificates of a role. */
type ExplainedTrust = { readonly trust: KnownTrust; readonly explanation: Explanation }

/** Judges one chain by one role after another; what does not depend on the role is determined once. */
class ChainJudge {
  readonly #deps: Deps
  readonly #mount: Mount
  readonly #requested: ExplainRequest
  readonly #tokens: TokenChecks
  /** By the PEM of roles: many roles trust the same CAs. */
  readonly #trusts = new LRUCache<string, ExplainedTrust>({ max: 100 })

  constructor(deps: Deps, mount: Mount, asked: ExplainRequest) {
    this.#deps = deps
    this.#mount = mount
    this.#requested = asked
    this.#tokens = new TokenChecks(deps, mount, asked.chain[0])
  }

  async judge(role: CertRole): Promise<JudgedRole> {
    const [leaf] = this.#requested.chain
    const { trust, explanation } = await this.#explained(role.certificate)
    const { outcome, paths } = explanation
    const shown = paths[0]
    const matching: ExplainedCheck[] = [
      ...pathChecks(shown, outcome.ok ? undefined : outcome.reason),
      ...judgeRole(role, leafFactsOf(leaf)).checks.map(({ name, ...rest }) => ({ check: name, ...rest })),
      ...addressCheck(role, this.#requested.remoteAddress),
      ...(outcome.ok ? await this.#ocspCheck(role, { path: outcome.path, trusted: trust.certificates }) : []),
    ]
    const checks = [...matching, ...(await this.#tokens.of(role))]
    const certificates = shown?.certificates ?? [leaf]
    return {
      shown: {
        role: role.name,
        pinned: trust.kind === 'leaf',
        accepted: verdictOf(checks),
        path: certificates.map((each) => nameText(each.subject)),
        certificates,
        reachesTrust: shown?.reachesAnchor ?? false,
        checks,
      },
      matches: verdictOf(matching),
    }
  }

  async #explained(pem: string): Promise<ExplainedTrust> {
    const known = this.#trusts.get(pem)
    if (known !== undefined) return known
    const deps = this.#deps
    const [leaf, ...intermediates] = this.#requested.chain
    const { crlMatch } = await configOf(deps, this.#mount.id)
    const lists = await crlsOf(deps, this.#mount.id)
    const trust = prepareTrust(pem)
    const { anchors, kind, certificates } = trust
    const accept = (path: readonly Certificate[]) => lists.refusalOf(kind === 'leaf' ? certificates : path, crlMatch)
    const explanation = await explainPaths({ leaf, intermediates, anchors, at: deps.clock.now(), accept })
    this.#trusts.set(pem, { trust, explanation })
    return { trust, explanation }
  }

  async #ocspCheck(role: CertRole, found: Pick<RevocationCheck, 'path' | 'trusted'>): Promise<ExplainedCheck[]> {
    if (!role.ocspEnabled) return []
    if (!this.#requested.askOcsp) return [skippedOcsp]
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
    return [{ check: 'ocsp', ok: verdict.pass, detail: this.#detailOf(role, verdict), fix: verdict.pass ? '' : fix }]
  }

  #detailOf({ name }: CertRole, { text, guardedText, overlooked }: OcspVerdict): string {
    if (guardedText === undefined || this.#requested.maySeeCalls) return text
    if (!overlooked) this.#deps.log.warn({ role: name, reason: text }, 'no OCSP status for an explanation')
    return guardedText
  }
}

/** Why roles would not issue a token to the holder of a certificate that they accept. */
class TokenChecks {
  readonly #deps: Deps
  readonly #mount: Mount
  readonly #leaf: Certificate
  /** By alias; there are few names in a certificate that roles can take the alias from. */
  readonly #identities = new Map<string, ExplainedCheck[]>()

  constructor(deps: Deps, mount: Mount, leaf: Certificate) {
    this.#deps = deps
    this.#mount = mount
    this.#leaf = leaf
  }

  /** What is wrong with one role; no failed check when it would issue a token. */
  async of(role: CertRole): Promise<ExplainedCheck[]> {
    return [
      ...ungrantablePolicies(role.tokenPolicies).map(policyCheck),
      ...teamChecks[await teamLinkOf(this.#deps, role, 'cert')].map((check) => check(role)),
      ...(await this.#aliasChecks(role)),
    ]
  }

  async #aliasChecks(role: CertRole): Promise<ExplainedCheck[]> {
    const alias = aliasNameOf(this.#leaf, role)
    if (alias === undefined) return [noAliasCheck(role)]
    return fitsAlias(alias) ? await this.#identity(alias) : [longAliasCheck(role)]
  }

  async #identity(alias: string): Promise<ExplainedCheck[]> {
    const checks = this.#identities.get(alias) ?? (await identityCheck(this.#deps, this.#mount, alias))
    this.#identities.set(alias, checks)
    return checks
  }
}

const policyCheck = (name: string): ExplainedCheck => ({
  check: 'token_policies',
  ok: false,
  detail: `The role grants the policy ${name}, which no login can have.`,
  fix: `Take ${name} out of 'token_policies'.`,
})

const lostTeamCheck = (role: CertRole): ExplainedCheck => ({
  check: 'platform_team',
  ok: false,
  detail: lostTeamText(role),
  fix: "Write 'platform_team' again.",
})

/** The login itself works while the team does not agree. */
const closedTeamCheck = ({ platformTeam }: CertRole): ExplainedCheck => ({
  check: 'platform_team',
  ok: true,
  detail: `The token works under /v1 only: '${platformTeam}' does not have 'allow-certificate-login' switched on.`,
  fix: "Have an owner of the organization set 'allow-certificate-login' of the team.",
})

const teamChecks: Readonly<Record<TeamLink, readonly ((role: CertRole) => ExplainedCheck)[]>> = {
  none: [],
  open: [],
  lost: [lostTeamCheck],
  closed: [closedTeamCheck],
}

const noAliasCheck = ({ aliasSource }: CertRole): ExplainedCheck => ({
  check: 'alias_source',
  ok: false,
  detail: `The certificate has no value for '${aliasSource}', which names its holder.`,
  fix: "Issue the certificate with such a value, or choose another 'alias_source'.",
})

const longAliasCheck = ({ aliasSource }: CertRole): ExplainedCheck => ({
  check: 'alias_source',
  ok: false,
  detail: `The value of the certificate for '${aliasSource}', which names its holder, is too long.`,
  fix: "Issue the certificate with a shorter value, or choose another 'alias_source'.",
})

async function identityCheck(deps: Deps, mount: Mount, name: string): Promise<ExplainedCheck[]> {
  const entity = await recallLogin(deps, { mountAccessor: mount.accessor, name, metadata: undefined })
  if (entity?.disabled !== true) return []
  const detail = `The entity '${entity.name}' behind '${name}' is disabled.`
  return [{ check: 'identity', ok: false, detail, fix: 'Enable the entity.' }]
}
