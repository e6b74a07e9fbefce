import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { eachEngine, testEngines, testStore } from '../../../test/support/databases.ts'
import { instant } from '../../kernel/clock.ts'
import { giveUpLead, takeLead } from './leader-store.ts'

const lease = 1_000

const candidate = (owner: string, now: number) => ({ owner, node: owner, address: '', now: instant(now), lease })

eachEngine((engine) => {
  describe('lead', () => {
    test('is kept by its holder and can be taken after it has expired or was given up', async () => {
      const { db } = await testStore(engine)
      expect(await takeLead(db, candidate('one', 0))).toBe(true)
      expect(await takeLead(db, candidate('two', 999))).toBe(false)
      expect(await takeLead(db, candidate('one', 999))).toBe(true)
      expect(await takeLead(db, candidate('two', 1_998))).toBe(false)
      expect(await takeLead(db, candidate('two', 1_999))).toBe(true)
      await giveUpLead(db, 'two')
      expect(await takeLead(db, candidate('one', 2_000))).toBe(true)
    })

    test('that expires later than possible (after a clock jump) can be taken', async () => {
      const { db } = await testStore(engine)
      await takeLead(db, candidate('one', 1_000_000))
      expect(await takeLead(db, candidate('two', 0))).toBe(true)
    })

    test('is taken by exactly one of several concurrent candidates', async () => {
      const { db } = await testStore(engine)
      const taken = await Promise.all(['one', 'two', 'three'].map((owner) => takeLead(db, candidate(owner, 0))))
      expect(taken.filter(Boolean)).toHaveLength(1)
    })
  })
})

test.runIf(testEngines.includes('postgres'))('lead: a losing candidate does not touch its row', async () => {
  const { db } = await testStore('postgres')
  await takeLead(db, candidate('one', 0))
  const lastToTouch = async () =>
    (await sql<{ by: string }>`select xmax::text as by from leases where name = 'leader'`.execute(db)).rows
  const before = await lastToTouch()
  expect(await takeLead(db, candidate('two', 1))).toBe(false)
  expect(await lastToTouch()).toEqual(before)
})
