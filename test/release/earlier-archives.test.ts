import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { eachEngine, emptyDatabase } from '../support/databases.ts'
import { earlierArchive, earlierServer, expectEarlierData } from '../support/earlier-stores.ts'

eachEngine((engine) => {
  test('a snapshot of before the baseline restores into a new store', async () => {
    const { options, remove } = await emptyDatabase(engine)
    onTestFinished(remove)
    const root = await earlierServer(engine, options)
    const raw = readFileSync(earlierArchive(engine))
    const restored = await root.send('POST', '/v1/sys/storage/raft/snapshot', undefined, { raw })
    expect(restored.status, restored.text).toBe(200)
    await expectEarlierData(engine, root)
  })
})
