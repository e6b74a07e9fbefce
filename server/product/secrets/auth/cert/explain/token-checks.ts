import { ungrantablePolicies } from '../../../../../access/token-policies.ts'
import type { Deps } from '../../../../../kit/deps.ts'
import type { Mount } from '../../../../../kit/mount.ts'
import type { Certificate } from '../../../../../pki/index.ts'
import { fitsAlias, recallLogin } from '../../../identity/index.ts'
import { aliasNameOf } from '../login/alias-name.ts'
import { lostTeamText, type TeamLink, teamLinkOf } from '../roles/link-actions.ts'
import type { CertRole } from '../roles/role.ts'
import type { ExplainedCheck } from './explained-check.ts'

/** Why roles would not issue a token to the holder of a certificate that they accept. */
export class TokenChecks {
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
      ...teamChecks[await teamLinkOf(this.#deps, role)].map((check) => check(role)),
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
