import { expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { ownApp } from '../../../../test/support/shared.ts'
import { changeIdentity } from './entity-actions.ts'
import { newEntity } from './identity-actions.ts'
import { listEntities, saveEntity } from './identity-store.ts'

eachEngine((engine) => {
  test('a change that finds a name taken at the same moment is refused; other faults stay what they are', async () => {
    const { deps } = await ownApp({ engine })
    const twice = changeIdentity(deps, async (tx) => {
      for (const entity of [newEntity(deps), newEntity(deps)]) await saveEntity(tx, { ...entity, name: 'same' })
    })
    await expect(twice).rejects.toMatchObject({ kind: 'invalid', code: 'identity.contended' })
    expect(await listEntities(deps.db, 'id', { after: '', most: 10 })).toEqual([])
    const fault = new Error('disk')
    await expect(changeIdentity(deps, () => Promise.reject(fault))).rejects.toBe(fault)
  })
})
