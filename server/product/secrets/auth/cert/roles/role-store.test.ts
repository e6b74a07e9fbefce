import { expect, test } from 'vitest'
import { eachEngine, testStore } from '../../../../../../test/support/databases.ts'
import { inTransaction } from '../../../../../storage/transaction.ts'
import { blankRole } from './role.ts'
import { deleteRole, findRoleVersion, swapRole } from './role-store.ts'

eachEngine((engine) => {
  test('a role that was deleted and created again is not overwritten by who had read the old one', async () => {
    const data = await testStore(engine)
    const { db } = data.store
    const write = (policy: string, at: number, version?: number) =>
      inTransaction(db, (tx) => {
        const role = { ...blankRole('web'), tokenPolicies: [policy] }
        return swapRole(tx, 'm', { role, trust: { kind: 'ca', certificates: [], skipped: [] }, version, at })
      })
    await write('admin', 1_000)
    const read = await findRoleVersion(db, 'm', 'web')
    await inTransaction(db, (tx) => deleteRole(tx, 'm', 'web'))
    await write('read-only', 2_000)
    expect(await write('admin', 3_000, read?.version)).toBe(false)
    expect((await findRoleVersion(db, 'm', 'web'))?.role.tokenPolicies).toEqual(['read-only'])
    await data.close()
  })
})
