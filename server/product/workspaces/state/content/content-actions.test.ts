import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { mustBe } from '../../../../../test/support/platform.ts'
import { type StateBench, stateBench, stateOf } from '../../../../../test/support/states.ts'
import { later } from '../../../../kernel/clock.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { sweepContent } from './content-actions.ts'
import { deleteUnusedContent } from './content-store.ts'

/** Looking at every version for every file would take minutes with so many. */
const many = 6_000

eachEngine((engine) => {
  let bench: StateBench
  let workspace: string

  beforeAll(async () => {
    bench = await stateBench(engine)
    workspace = await bench.locked()
    mustBe(await bench.announceWithContent(workspace, stateOf({ resources: 1 })), 201)
    const { db } = bench.app.deps
    const columns = Object.keys(await db.selectFrom('state_versions').selectAll().executeTakeFirstOrThrow())
    const differing: Readonly<Record<string, string>> = {
      id: `'sv-many' || n`,
      ordinal: 'n + 1',
      blob_id: `'state' || n`,
      json_blob_id: `case when n % 20 > 0 then 'json' || n end`,
    }
    const numbers = `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${many})`
    const selected = columns.map((column) => differing[column] ?? column)
    const inserts = [
      `insert into state_versions (${columns.join()}) ${numbers} select ${selected.join()} from state_versions, numbers`,
      ...['state', 'json'].map(
        (kind) =>
          `insert into blobs (upload, scope, id, size, chunks, created_at) ${numbers}
          select '${kind}' || n, '${workspace}', '${kind}' || n, 10, 1, 0 from numbers`,
      ),
    ]
    for (const insert of inserts) await sql.raw(insert).execute(db)
  })
  afterAll(() => bench.app.close())

  const storedIds = async () => {
    const { db } = bench.app.deps
    const rows = await db.selectFrom('blobs').select('id').where('scope', '=', workspace).execute()
    return new Set(rows.map(({ id }) => id))
  }

  test('sweep: of thousands of files it removes those that no version refers to, and answers requests between pages', async () => {
    let [turns, isSwept] = [0, false]
    const countTurns = (): void => {
      turns++
      if (!isSwept) setImmediate(countTurns)
    }
    setImmediate(countTurns)
    const { db, reads, clock } = bench.app.deps
    const before = (await storedIds()).size
    const sweep = () => sweepContent({ db, reads }, later(clock.now(), -1), new AbortController().signal)
    expect(await sweep()).toBe(many / 20)
    isSwept = true
    expect(turns).toBeGreaterThan(10)
    const left = await storedIds()
    expect(left.size).toBe(before - many / 20)
    expect([left.has('json20'), left.has('json2'), left.has('state1')]).toEqual([false, true, true])
    expect(await sweep()).toBe(0)
  }, 15_000)

  test('content: one of a state, and one of a rendering, is kept as long as a version refers to it', async () => {
    const { db } = bench.app.deps
    for (const id of ['state4', 'json4']) {
      const remove = () => inTransaction(db, (tx) => deleteUnusedContent(tx, { scope: workspace, id }))
      await remove()
      expect((await storedIds()).has(id)).toBe(true)
      const column = id === 'json4' ? 'json_blob_id' : 'blob_id'
      await db
        .updateTable('state_versions')
        .set({ [column]: null })
        .where(column, '=', id)
        .execute()
      await remove()
      expect((await storedIds()).has(id)).toBe(false)
    }
  })
})
