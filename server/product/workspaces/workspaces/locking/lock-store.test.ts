import { expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { mustBe, organization, person, workspaceIn } from '../../../../../test/support/platform.ts'
import { sharedApp } from '../../../../../test/support/shared.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { loadWorkspace } from '../workspace-store.ts'
import { confirmLockForUpdate } from './lock-store.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })

  test('lock: its row is locked for its holder alone, and not for one whose lock somebody else has taken over', async () => {
    const ann = await person(app, 'ann')
    const id = await workspaceIn(await organization(ann, 'acme'))
    const act = async (action: string, body?: object) =>
      mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/${action}`, body), 200)
    const generation = async () => (await loadWorkspace(app.deps.db, id))?.lockGeneration ?? -1
    const isHeld = (lockGeneration: number) =>
      inTransaction(app.deps.db, (tx) => confirmLockForUpdate(tx, { id, lockGeneration }, app.clock.now()))
    await act('lock')
    const first = await generation()
    expect(await isHeld(first)).toBe(true)
    await act('force-unlock')
    expect(await isHeld(first)).toBe(false)
    await act('lock')
    expect(await generation()).toBeGreaterThan(first)
    expect([await isHeld(first), await isHeld(await generation())]).toEqual([false, true])
    await act('unlock')
    expect(await isHeld(await generation())).toBe(false)
  })
})
