import { expect, test } from 'vitest'
import { eachEngine } from '../../test/support/databases.ts'
import { testNodes } from '../../test/support/job-nodes.ts'

const day = 86_400_000

eachEngine((engine) => {
  test('housekeeping: operations, and uploads that never ended, are forgotten after a day', async () => {
    const { clock, db, start } = await testNodes(engine)
    const runner = await start([])
    await runner.runDue()
    clock.advance('2h')
    for (const [name, age] of Object.entries({ old: day + 1, young: day })) {
      const created_at = clock.now() - age
      await db.insertInto('operations').values({ id: name, created_at }).execute()
      const blob = { upload: name, scope: 'x', id: null, size: 0, chunks: 0, created_at }
      await db.insertInto('blobs').values(blob).execute()
    }
    await runner.runDue()
    const operations = await db.selectFrom('operations').select('id').where('id', 'in', ['old', 'young']).execute()
    const blobs = await db.selectFrom('blobs').select('upload').execute()
    expect([operations, blobs]).toEqual([[{ id: 'young' }], [{ upload: 'young' }]])
  })
})
