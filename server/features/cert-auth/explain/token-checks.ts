import { normalizePolicyNames, rootPolicyName } from '../../../access/policies/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { Mount } from '../../../kit/mount.ts'
import type { Certificate } from '../../../pki/index.ts'
import { knownLogin } from '../../identity/index.ts'
import { aliasNameOf } from '../login/alias-name.ts'
import type { CertRole } from '../roles/role.ts'
import type { ExplainedCheck } from './explained-check.ts'

/** Why no token would be issued although the role accepts the certificate; empty when one would be. */
export async function tokenChecks(
  deps: Deps,
  mount: Mount,
  role: CertRole,
  leaf: Certificate,
): Promise<ExplainedCheck[]> {
  const alias = aliasNameOf(leaf, role.aliasSource)
  return [
    ...(normalizePolicyNames(role.tokenPolicies).includes(rootPolicyName) ? [grantsRoot] : []),
    ...(alias === undefined ? [namesNobody(role)] : await identityCheck(deps, mount, alias)),
  ]
}

const grantsRoot: ExplainedCheck = {
  check: 'token_policies',
  ok: false,
  detail: 'The role grants the policy root, which no login can have.',
  fix: "Take root out of 'token_policies'.",
}

const namesNobody = ({ aliasSource }: CertRole): ExplainedCheck => ({
  check: 'alias_source',
  ok: false,
  detail: `The certificate has no value for '${aliasSource}', which names its holder.`,
  fix: "Issue the certificate with such a value, or choose another 'alias_source'.",
})

async function identityCheck(deps: Deps, mount: Mount, name: string): Promise<ExplainedCheck[]> {
  const entity = await knownLogin(deps, { mountAccessor: mount.accessor, name, metadata: undefined })
  if (entity?.disabled !== true) return []
  const detail = `The entity '${entity.name}' behind '${name}' is disabled.`
  return [{ check: 'identity', ok: false, detail, fix: 'Enable the entity.' }]
}
