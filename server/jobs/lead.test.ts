import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { eachEngine } from '../../test/support/databases.ts'
import { testNodes } from '../../test/support/job-nodes.ts'
import { recordingLog } from '../../test/support/recording-log.ts'
import type { SealState } from '../crypto/keyring.ts'
import { defineJob } from '../kit/job.ts'
import { currentLeader } from '../kit/job-store.ts'
import { inTransaction } from '../storage/transaction.ts'

eachEngine((engine) => {
  test('lead: one node runs the jobs; another takes over when the lease of a dead leader expires', async () => {
    const { clock, db, openAnother, start, ask } = await testNodes(engine)
    const workers: string[] = []
    const job = (node: string) => defineJob({ name: 'mail', run: async () => void workers.push(node) })
    const first = await start([job('node-1')], { leadLease: 15_000 })
    await first.runDue()
    const second = await start([job('node-2')], { on: await openAnother(), node: 'node-2', leadLease: 15_000 })
    expect([first.isLeader, second.isLeader]).toEqual([true, false])
    await ask('mail')
    await second.runDue()
    await first.runDue()
    expect(workers).toEqual(['node-1'])
    expect(await currentLeader(db, clock.now())).toMatchObject({ node: 'node-1', address: 'https://node-1:8200' })

    // The first node no longer renews: its lease ends by the clock of the database.
    clock.advance('16s')
    await second.runDue()
    expect(second.isLeader).toBe(true)
    expect(await currentLeader(db, clock.now())).toMatchObject({ node: 'node-2' })
  })

  test('lead: a leader that no longer renews stops leading before its lease ends', async () => {
    const { start } = await testNodes(engine)
    let at = 0
    const only = await start([], { leadLease: 15_000, monotonic: () => at })
    const after = async (seconds: number, isLooking: boolean) => {
      at += seconds * 1_000
      if (isLooking) await only.runDue()
      return only.isLeader
    }
    await only.runDue()
    expect([await after(6, true), await after(13, false), await after(1, false)]).toEqual([true, true, false])
  })

  test('lead: after stepDown a node does not ask for the lead until its lease would have ended', async () => {
    const { start } = await testNodes(engine)
    let at = 0
    const only = await start([], { leadLease: 15_000, monotonic: () => at })
    await only.runDue()
    await only.stepDown()
    const seen: boolean[] = []
    for (const seconds of [0, 14, 1]) {
      at += seconds * 1_000
      await only.runDue()
      seen.push(only.isLeader)
    }
    expect(seen).toEqual([false, false, true])
  })

  test('lead: a sealed node gives up the lead, another takes over at once; unsealed it can lead again', async () => {
    const { openAnother, start, ask } = await testNodes(engine)
    const workers: string[] = []
    const job = (node: string) => defineJob({ name: 'mail', run: async () => void workers.push(node) })
    const keyring: { state: SealState } = { state: 'unsealed' }
    const first = await start([job('node-1')], { keyring })
    await first.runDue()
    const second = await start([job('node-2')], { on: await openAnother(), node: 'node-2' })
    keyring.state = 'sealed'
    await first.runDue()
    await ask('mail')
    await second.runDue()
    await first.runDue()
    expect([first.isLeader, second.isLeader]).toEqual([false, true])
    expect(workers).toEqual(['node-2'])
    keyring.state = 'unsealed'
    await second.stepDown()
    await first.runDue()
    expect(first.isLeader).toBe(true)
  })

  test('lead: stepDown passes the lead to another node, and both log it', async () => {
    const { clock, db, openAnother, start } = await testNodes(engine)
    const [firstLog, secondLog] = [recordingLog(), recordingLog()]
    const first = await start([], { log: firstLog.log })
    await first.runDue()
    await first.runDue()
    const second = await start([], { on: await openAnother(), node: 'node-2', log: secondLog.log })
    await second.runDue()
    expect([firstLog.text(), secondLog.text()]).toEqual(['', ''])
    await first.stepDown()
    await second.runDue()
    await first.runDue()
    expect(firstLog.text()).toBe('{"message":"this node no longer leads background work"}')
    expect(secondLog.text()).toBe('{"message":"this node now leads background work"}')
    expect([first.isLeader, second.isLeader]).toEqual([false, true])
    expect(await currentLeader(db, clock.now())).toMatchObject({ node: 'node-2' })
  })

  test.runIf(engine === 'postgres')('lead: stepDown during the attempt to take the lead gives it up', async () => {
    const { clock, db, start } = await testNodes(engine)
    const [isHeld, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = inTransaction(db, async (tx) => {
      await sql`lock table leases in exclusive mode`.execute(tx)
      isHeld.resolve()
      await isOver.promise
    })
    await isHeld.promise
    const only = await start([])
    const waiting = sql`select pid from pg_locks where relation = 'leases'::regclass and not granted`
    await expect.poll(async () => (await waiting.execute(db)).rows).toHaveLength(1)
    const stepping = only.stepDown()
    isOver.resolve()
    await Promise.all([holding, stepping])
    await only.runDue()
    expect([only.isLeader, await currentLeader(db, clock.now())]).toEqual([false, undefined])
  })
})
