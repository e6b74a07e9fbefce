import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { eachEngine, testStore } from '../support/databases.ts'
import { startProcess } from '../support/programs/child-process.ts'

const program = join(import.meta.dirname, 'job-node.ts')

eachEngine((engine) => {
  describe('jobs', () => {
    test('freezing and killed nodes: no fence is used twice, no stale effect written, and jobs go on', async () => {
      const { store, db } = await testStore(engine)
      const nodes = ['a', 'b', 'c'].map((name) => startProcess(program, [store.url, name]))
      await Promise.all(nodes.map((node) => node.line('ready')))
      const said = (word: string) =>
        nodes.flatMap((node) =>
          node.lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.split(' ')[1]),
        )
      const until = async (isEnough: () => boolean) => {
        for (let tries = 0; !isEnough() && tries < 600; tries++) await sleep(100)
        expect(isEnough()).toBe(true)
      }
      await until(() => said('effect').length >= 15)
      const leader = nodes.toSorted((one, other) => other.lines.length - one.lines.length)[0]
      leader?.child.kill('SIGKILL')
      const before = said('run').length
      await until(() => said('run').length >= before + 15 && said('stale').length > 0)

      const fences = said('run')
      expect(new Set(fences).size).toBe(fences.length)
      const stale = new Set(said('stale'))
      const rows = await db.selectFrom('operations').select('created_at').where('id', 'like', 'effect-%').execute()
      expect(rows.filter((row) => stale.has(String(row.created_at)))).toEqual([])
      expect(rows.length).toBeGreaterThanOrEqual(said('effect').length)
    })
  })
})
