import type { HolderSource } from '../../../../access/policy-holder.ts'
import { allowsPolicy } from '../../../../access/token-policies.ts'
import { failure } from '../../../../kernel/failure.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { refuseLongName } from '../../../../kit/name-length.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { lockArea } from '../../../../storage/versions.ts'
import { changeRole, newRole, type RoleChanges } from './token-role.ts'
import { findRole, pageOfRoles, saveRole } from './token-role-store.ts'

/** Makes or changes a token role; fields that were not sent stay as they are. */
export async function writeRole(deps: Pick<Deps, 'db' | 'clock'>, name: string, changes: RoleChanges): Promise<void> {
  refuseLongName('The name of the role', name)
  await inTransaction(deps.db, async (tx) => {
    await lockArea(tx, 'roles')
    const decision = changeRole((await findRole(tx, name)) ?? newRole(name), changes)
    if (!decision.ok) throw failure('invalid', 'token-role.refused', decision.text)
    await saveRole(tx, decision.role, deps.clock.now())
  })
}

/** Token roles, with the policies that they allow. A role without lists allows what its caller has, and carries none. */
export const pageOfHolders: HolderSource['page'] = async ({ reads }, place) =>
  (await pageOfRoles(reads, place)).map((role) => {
    const { name } = role
    const carries = (policy: string) => allowsPolicy(role, policy)
    return { after: name, holder: { id: name, name, mount: '', carries, together: undefined } }
  })
