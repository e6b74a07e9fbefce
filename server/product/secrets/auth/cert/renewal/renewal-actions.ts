import { defaultPolicyName, normalizePolicyNames } from '../../../../../access/policies/index.ts'
import { failure } from '../../../../../kernel/failure.ts'
import type { Deps } from '../../../../../kit/deps.ts'
import type { Mount } from '../../../../../kit/mount.ts'
import type { Presentation, RenewalTerms, RenewingToken } from '../../../../../kit/mount-kind.ts'
import type { PresentedChain } from '../../../../../pki/index.ts'
import type { CertConfig } from '../config/config.ts'
import { configOf } from '../config/config-actions.ts'
import { findAcceptingRole, presentedChain } from '../login/login-actions.ts'
import { withCertificateFacts } from '../login/login-refusal.ts'
import type { CertRole } from '../roles/role.ts'
import { findRole } from '../roles/role-store.ts'
import { type Binding, bindingOf, isSameHolder } from './binding.ts'

/** Checks that this request may renew a token, and returns the present terms of its role. */
export async function renewalTermsOf(deps: Deps, token: RenewingToken, by: Presentation): Promise<RenewalTerms> {
  const config = await configOf(deps, by.mount.id)
  if (config.disableBinding) return await currentTermsOf(deps, token, by.mount)
  const chain = presentedChain(deps, by.request)
  return await withCertificateFacts(chain.leaf, config, async () => {
    await requireHolder(deps, loginRecordOf(token), { ...by, chain, config })
    return await currentTermsOf(deps, token, by.mount)
  })
}

type LoginRecord = Partial<Binding> & { readonly role?: string }

/** What the login noted about itself. */
const loginRecordOf = ({ authData }: RenewingToken): LoginRecord => authData as LoginRecord

/** The certificate must pass everything a login would ask of it, and belong to the holder that logged in. */
async function requireHolder(
  deps: Deps,
  noted: LoginRecord,
  { chain, config, ...by }: Presentation & { chain: PresentedChain; config: CertConfig },
): Promise<void> {
  await findAcceptingRole(deps, by, { chain, config, name: noted.role ?? '', isRenewal: true })
  const { publicKey = '', issuer = '', authorityKeyId = '', subject = '' } = noted
  if (isSameHolder(bindingOf(chain.leaf), { publicKey, issuer, authorityKeyId, subject })) return
  throw failure(
    'invalid',
    'cert-renewal.other-certificate',
    'The client certificate is not of the holder that logged in; renew with the same key, or log in again.',
  )
}

/** The terms of the role as it is now; refuses if the role is gone or its policies have changed. */
async function currentTermsOf(deps: Deps, token: RenewingToken, mount: Mount): Promise<RenewalTerms> {
  const role = await findRole(deps.db, mount.id, loginRecordOf(token).role ?? '')
  if (!role) throw failure('invalid', 'cert-renewal.no-role', 'The role of the token no longer exists.')
  if (!hasSamePolicies(role, token.policies))
    throw failure('invalid', 'cert-renewal.policies', 'The policies of the role have changed; log in again.')
  return { ttl: role.tokenTtl, maxTtl: role.tokenMaxTtl, period: role.tokenPeriod }
}

/** Order, case and the policy `default` do not matter. */
function hasSamePolicies(role: CertRole, policies: readonly string[]): boolean {
  const own = (names: readonly string[]): string =>
    normalizePolicyNames(names)
      .filter((name) => name !== defaultPolicyName)
      .join()
  return own(role.tokenPolicies) === own(policies)
}
