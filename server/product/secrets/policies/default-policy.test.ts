import { expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { ownApp } from '../../../../test/support/shared.ts'
import { ensureDefaultPolicy } from './policy-actions.ts'

eachEngine((engine) => {
  test('policies: a start that finds the default policy leaves the caches of other nodes alone', async () => {
    const { deps } = await ownApp({ engine })
    const version = async () => {
      await deps.store.versions.refresh()
      return deps.store.versions.of('policies')
    }
    const before = await version()
    await ensureDefaultPolicy(deps)
    expect(await version()).toBe(before)
    await deps.db.deleteFrom('policies').where('name', '=', 'default').execute()
    await ensureDefaultPolicy(deps)
    expect(await version()).not.toBe(before)
  })
})
