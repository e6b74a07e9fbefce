import { writeSync } from 'node:fs'
import { systemClock } from '../../server/kernel/clock.ts'
import { silentLog } from '../../server/kernel/log.ts'
import { migrate } from '../../server/storage/migrate.ts'
import { openStore } from '../../server/storage/open.ts'
import { inTransaction } from '../../server/storage/transaction.ts'

/** Writes until it is killed. Each line on standard output names a transaction that was acknowledged as durable. */
const [url = '', round = '', writers = '1'] = process.argv.slice(2)
const store = await openStore({ url, log: silentLog, clock: systemClock })
await migrate(store)

async function write(writer: number): Promise<void> {
  for (let turn = 0; ; turn++) {
    const name = `${round}-${writer}-${turn}`
    await inTransaction(store.db, async (tx) => {
      for (const half of ['a', 'b']) {
        await tx
          .insertInto('operations')
          .values({ id: `${name}-${half}`, created_at: 1 })
          .execute()
      }
    })
    // Not buffered in this process, so the test sees every line that was written.
    writeSync(1, `${name}\n`)
  }
}

await Promise.all(Array.from({ length: Number(writers) }, (_, writer) => write(writer)))
