import { expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { organization, person, workspaceIn } from '../../../../test/support/platform.ts'
import { ownApp } from '../../../../test/support/shared.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { lastSeen } from './known-workspaces-store.ts'
import { loadWorkspace } from './workspace-store.ts'

eachEngine((engine) => {
  test('each node knows only the workspaces that it has seen itself, inside transactions and outside', async () => {
    const app = await ownApp({ engine })
    const acme = await organization(await person(app, 'ann'), 'acme')
    const id = await workspaceIn(acme, { name: 'network' })
    const other = await ownApp({ beside: app })
    const seen = await loadWorkspace(app.deps.db, id)
    expect(lastSeen(app.deps.db, id)).toBe(seen)
    expect(await inTransaction(app.deps.db, async (tx) => lastSeen(tx, id))).toBe(seen)
    expect(lastSeen(other.deps.db, id)).toBeUndefined()
    expect(await loadWorkspace(other.deps.db, id)).toEqual(seen)
    expect(lastSeen(other.deps.db, id)).not.toBe(seen)
  })
})
