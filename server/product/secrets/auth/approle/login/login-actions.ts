import type { Instant } from '../../../../../kernel/clock.ts'
import { failure } from '../../../../../kernel/failure.ts'
import { permissionDenied } from '../../../../../kit/access.ts'
import type { Deps } from '../../../../../kit/deps.ts'
import type { Presentation } from '../../../../../kit/mount-kind.ts'
import { inTransaction } from '../../../../../storage/transaction.ts'
import { issueRoleToken, type KnownRole, roleForLogin, underLockout } from '../../../login-roles/index.ts'
import type { IssuedLogin } from '../../../tokens/index.ts'
import type { AppRole } from '../roles/role.ts'
import { appRoles } from '../roles/role-actions.ts'
import { addressProblem, isLive, type SecretId } from '../secret-ids/secret-id.ts'
import { hashOf } from '../secret-ids/secret-id-actions.ts'
import { findSecretId, hasCustomIds, takeUse } from '../secret-ids/secret-id-store.ts'

/** What a login sends. */
export type Credentials = { readonly roleId: string; readonly secretId: string }

/** One text for all that may be wrong, so that neither id can be probed. */
const refused = () => failure('invalid', 'approle-login.refused', 'invalid role or secret ID')

const missing = (name: string) => failure('invalid', 'approle-login.missing', `missing ${name}`)

/** Logs in with the ids of an application role. */
export async function loginWithIds(deps: Deps, by: Presentation, sent: Credentials): Promise<IssuedLogin> {
  const roleId = sent.roleId.trim()
  if (roleId === '') throw missing('role_id')
  const known = await roleForLogin(deps, appRoles, by.mount.id, { lookup: roleId })
  if (!known) throw refused()
  if (!known.role.bindSecretId) return await logIn(deps, by, known, undefined)
  const secretId = sent.secretId.trim()
  if (secretId === '') throw missing('secret_id')
  const withId = async () => await logIn(deps, by, known, await requireSecretId(deps, by, known, secretId))
  // Role ids are no secret, so that a wait after wrong ones would keep the owner out. Only texts that people chose can be
  // guessed; all others have 122 random bits.
  return (await hasCustomIds(deps.db, known.id))
    ? await underLockout(deps, by, known.role.roleId, withId)
    : await withId()
}

/** A secret id that may be used, and its hash. */
type UsableId = SecretId & { readonly hash: string }

async function requireSecretId(
  deps: Deps,
  { mount }: Presentation,
  { id: roleId }: KnownRole<AppRole>,
  text: string,
): Promise<UsableId> {
  const hash = hashOf(deps, { mountId: mount.id, roleId }, text)
  const found = await findSecretId(deps.db, hash)
  if (!found || !isLive(found, deps.clock.now())) throw refused()
  return { ...found, hash }
}

async function logIn(
  deps: Deps,
  by: Presentation,
  { role }: KnownRole<AppRole>,
  secretId: UsableId | undefined,
): Promise<IssuedLogin> {
  const now = deps.clock.now()
  const problem = addressProblem(role, secretId, by.request.remoteAddress)
  if (problem !== undefined) {
    await useUp(deps, secretId, now)
    const text = `The address ${by.request.remoteAddress} is outside of ${problem}.`
    throw permissionDenied({ cause: new Error(text) })
  }
  try {
    return await issueRoleToken(deps, by, {
      role,
      aliasName: role.roleId,
      displayName: '',
      metadata: { ...secretId?.metadata, role_name: role.name },
      ...(secretId && secretId.tokenCidrs.length > 0 ? { boundCidrs: secretId.tokenCidrs } : {}),
      ...(secretId && secretId.numUses > 0 ? { alongside: (tx) => takeOne(tx, secretId, now) } : {}),
    })
  } catch (thrown) {
    await useUp(deps, secretId, now)
    throw thrown
  }
}

async function takeOne(tx: Parameters<typeof takeUse>[0], { hash }: UsableId, now: Instant): Promise<void> {
  if (!(await takeUse(tx, hash, now))) throw refused()
}

/** A login that is refused in the end has used its secret id all the same. */
async function useUp(deps: Pick<Deps, 'db'>, secretId: UsableId | undefined, now: Instant): Promise<void> {
  if (secretId && secretId.numUses > 0) await inTransaction(deps.db, (tx) => takeUse(tx, secretId.hash, now))
}
