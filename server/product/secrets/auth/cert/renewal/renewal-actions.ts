import { defaultPolicyName, normalizePolicyNames } from '../../../../../access/policies/index.ts'
import { failure } from '../../../../../kernel/failure.ts'
import type { Deps } from '../../../../../kit/deps.ts'
import type { ClientCertificate } from '../../../../../kit/endpoint.ts'
import type { Mount } from '../../../../../kit/mount.ts'
import type { Presentation, RenewalTerms, RenewingToken } from '../../../../../kit/mount-kind.ts'
import { Budget, type Certificate, type PresentedChain, type Refusal, refusalText } from '../../../../../pki/index.ts'
import { configOf } from '../config/config-actions.ts'
import type { CertConfig } from '../config/config-fields.ts'
import type { MountCrls } from '../crls/crl.ts'
import { crlsUnlessLost } from '../crls/crl-memory-actions.ts'
import { findAcceptingRole, presentedChain } from '../login/login-actions.ts'
import { withCertificateFacts } from '../login/login-refusal-actions.ts'
import { verifierOf } from '../login/match-actions.ts'
import { directoryOf } from '../login/role-directory-actions.ts'
import type { CertRole } from '../roles/role.ts'
import { findRole } from '../roles/role-store.ts'
import type { KnownTrust } from '../roles/role-trust.ts'
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

/** What was found about a certificate, and what it was judged by. */
type Verdict = {
  readonly edition: object
  readonly rolesVersion: number
  readonly role: string
  readonly reasonToRefuse: string | undefined
}

/** By the certificates of connections, which are judged once for as long as nothing changes. */
const verdicts = new WeakMap<ClientCertificate, Verdict>()

/**
 * Why tokens of a role that are bound to the certificate of this request cannot be used any more: a revocation list of
 * the mount says so. Nothing else that a login asks counts here; a change of the role applies at the next renewal. While
 * a stored list cannot be read at all, tokens work on, so that their holders can write it again; logins are refused.
 */
export async function reasonToRefuseUse(
  deps: Deps,
  role: string,
  presented: Presentation,
): Promise<string | undefined> {
  const { certificate } = presented.request
  if (!certificate) return undefined
  const inForce = await crlsUnlessLost(deps, presented.mount.id)
  if (!inForce || inForce.isEmpty) return undefined
  const { edition } = inForce
  const rolesVersion = deps.store.versions.of('roles')
  const known = verdicts.get(certificate)
  if (known && known.edition === edition && known.rolesVersion === rolesVersion && known.role === role)
    return known.reasonToRefuse
  const reasonToRefuse = await judge(deps, role, presented, inForce)
  verdicts.set(certificate, { edition, rolesVersion, role, reasonToRefuse })
  return reasonToRefuse
}

async function judge(deps: Deps, role: string, by: Presentation, lists: MountCrls): Promise<string | undefined> {
  const { crlMatch, roleCacheSize } = await configOf(deps, by.mount.id)
  const chain = presentedChain(deps, by.request)
  const known = await directoryOf(deps, by.mount.id, roleCacheSize).findByName(role)
  const refusal = await findRevoked(deps, chain, known?.trust, (path) => lists.refusalOf(path, crlMatch))
  return refusal && refusalText(refusal)
}

type Revoked = (path: readonly Certificate[]) => Refusal | undefined

/**
 * As at a login, one path of the role without a revoked certificate is enough. If there is none any more, since the
 * role is gone or trusts other CAs now, the client's own certificate alone is looked up.
 */
async function findRevoked(
  deps: Deps,
  chain: PresentedChain,
  trust: KnownTrust | undefined,
  revoked: Revoked,
): Promise<Refusal | undefined> {
  if (!trust) return revoked([chain.leaf])
  const accept: Revoked = trust.kind === 'leaf' ? () => revoked(trust.certificates) : revoked
  const pathWith = (terms: { accept?: Revoked }) =>
    verifierOf(deps).verify(chain, trust.anchors, { at: deps.clock.now(), budget: new Budget(), ...terms })
  if ((await pathWith({ accept })).ok) return undefined
  const anyPath = await pathWith({})
  return anyPath.ok ? accept(anyPath.path) : revoked([chain.leaf])
}
