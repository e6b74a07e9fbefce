import type { Deps } from '../../../kit/deps.ts'
import type { Mount } from '../../../kit/mount.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { blankRole } from './role.ts'
import { mergeRole } from './role-merge.ts'
import { checkRole, roleWarnings } from './role-rules.ts'
import { deleteRole, findRole, saveRole } from './role-store.ts'
import type { RoleInput } from './role-wire.ts'

type RoleDeps = Pick<Deps, 'db' | 'clock' | 'settings'>

/** Creates a role or changes one, and returns what its writer should know. Nothing is stored unless all of it is good. */
export async function writeRole(deps: RoleDeps, mount: Mount, name: string, input: RoleInput): Promise<string[]> {
  const at = deps.clock.now()
  return await inTransaction(deps.db, async (tx) => {
    const role = mergeRole((await findRole(tx, mount.id, name)) ?? blankRole(name), input)
    const trust = checkRole(role)
    await saveRole(tx, mount.id, role, { trust, at })
    return roleWarnings(role, trust, lifetimesOf(deps, mount))
  })
}

const lifetimesOf = ({ settings }: RoleDeps, { config }: Mount) => ({
  defaultLeaseTtl: config.defaultLeaseTtl || settings.defaultLeaseTtl,
  maxLeaseTtl: config.maxLeaseTtl || settings.maxLeaseTtl,
})

/** Removes a role. Tokens issued through it stay, but cannot be renewed any more. */
export const removeRole = async (deps: Pick<Deps, 'db'>, mount: Mount, name: string): Promise<void> =>
  void (await inTransaction(deps.db, (tx) => deleteRole(tx, mount.id, name)))
