import type { Deps } from '../../../../../kit/deps.ts'
import type { ClientCertificate } from '../../../../../kit/endpoint.ts'
import type { Presentation } from '../../../../../kit/mount-kind.ts'
import { Budget, type Certificate, type PresentedChain, type Refusal, refusalText } from '../../../../../pki/index.ts'
import { configOf } from '../config/config-actions.ts'
import { crlsUnlessLost, type MountCrls } from '../crls/crl-memory.ts'
import type { KnownTrust } from '../login/directory/known-role.ts'
import { directoryOf } from '../login/directory/role-directory.ts'
import { presentedChain } from '../login/login-actions.ts'
import { verifierOf } from '../login/match.ts'

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
