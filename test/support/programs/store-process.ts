import { systemClock } from '../../../server/kernel/clock.ts'
import { silentLog } from '../../../server/kernel/log.ts'
import { openStore } from '../../../server/storage/open.ts'
import { inTransaction } from '../../../server/storage/transaction.ts'
import { bumpVersion } from '../../../server/storage/versions.ts'

/** A second process on a test's store: adds to a counter many times, announcing each change, then ends. */
const [url = '', increments = '0'] = process.argv.slice(2)
const store = await openStore({ url, log: silentLog, clock: systemClock, durability: 'off' })
process.stdout.write('open\n')
for (let turn = 0; turn < Number(increments); turn++) {
  await inTransaction(store.db, async (tx) => {
    const increment = tx.updateTable('operations').set((eb) => ({ created_at: eb('created_at', '+', 1) }))
    await increment.where('id', '=', 'counter').execute()
    bumpVersion(tx, 'roles')
  })
}
await store.close()
