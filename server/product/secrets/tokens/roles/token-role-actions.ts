import { failure } from '../../../../kernel/failure.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { refuseLongName } from '../../../../kit/name-length.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { lockArea } from '../../../../storage/versions.ts'
import { changeRole, newRole, type RoleChanges } from './token-role.ts'
import { findRole, saveRole } from './token-role-store.ts'

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
