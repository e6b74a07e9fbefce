import { resolveTokenType } from '../../../../../access/token-type.ts'
import { ttlsOf } from '../../../../../access/ttl.ts'
import { failure } from '../../../../../kernel/failure.ts'
import type { Deps } from '../../../../../kit/deps.ts'
import type { Mount } from '../../../../../kit/mount.ts'
import { refuseLongName } from '../../../../../kit/name-length.ts'
import { untilWritten } from '../../../../../kit/until-written.ts'
import { inTransaction } from '../../../../../storage/transaction.ts'
import { requireMount } from '../../../mounts/index.ts'
import { recheckSigners } from '../crls/signer-actions.ts'
import { linkWarnings, withLinkIds } from './link-actions.ts'
import { blankRole, isLinked } from './role.ts'
import { keyWarnings, mergeRole } from './role-merge.ts'
import { checkRole, roleWarnings } from './role-rules.ts'
import { deleteRole, findRoleVersion, swapRole } from './role-store.ts'
import type { RoleInput } from './role-wire.ts'

type RoleDeps = Pick<Deps, 'db' | 'store' | 'log' | 'clock' | 'settings'>

/** A write of a role, and what refuses callers who may not write roles that give access to the other API. */
export type RoleRequest = { readonly name: string; readonly input: RoleInput; readonly checkLink: () => Promise<void> }

/** Creates a role or changes one, and returns warnings for the caller. Nothing is stored unless all of it is valid. */
export async function writeRole(deps: RoleDeps, mount: Mount, request: RoleRequest): Promise<string[]> {
  const { name } = request
  refuseLongName('The name of the role', name)
  const contended = () =>
    failure('conflict', 'cert-role.contended', `The role '${name}' is being changed by others; try again.`)
  const warnings = await untilWritten(() => tryWrite(deps, mount, request), contended)
  return [...warnings, ...(await recheckSigners(deps, mount.id))]
}

/** Reads, decides, and swaps; undefined when another write came first. */
async function tryWrite(deps: RoleDeps, mount: Mount, request: RoleRequest): Promise<string[] | undefined> {
  const { name, input, checkLink } = request
  const current = await findRoleVersion(deps.db, mount.id, name)
  const before = current?.role ?? blankRole(name)
  const merged = mergeRole(before, input)
  // Before, too: whoever swaps the CA of a linked role takes over its link.
  if (isLinked(before) || isLinked(merged)) await checkLink()
  const trust = checkRole(merged)
  const role = await withLinkIds(deps.db, merged, input)
  const write = { role, trust, version: current?.version, at: deps.clock.now() }
  const isSwapped = await inTransaction(deps.db, async (tx) => {
    await requireMount(tx, mount.id)
    return await swapRole(tx, mount.id, write)
  })
  if (!isSwapped) return undefined
  const tokenType = resolveTokenType(mount.config.tokenType, role.tokenType)
  const at = { ...ttlsOf(deps, mount), now: write.at, tokenType }
  return [...keyWarnings(input), ...roleWarnings(role, trust, at), ...(await linkWarnings(deps.db, role))]
}

/**
 * Removes a role. Tokens issued through it stay, but cannot be renewed any more. A list that one of its CAs had proved
 * to be forged may belong to another CA of the same name, and is in force again.
 */
export async function removeRole(deps: RoleDeps, mount: Mount, name: string): Promise<void> {
  const isRemoved = await inTransaction(deps.db, (tx) => deleteRole(tx, mount.id, name))
  if (isRemoved) await recheckSigners(deps, mount.id)
}
