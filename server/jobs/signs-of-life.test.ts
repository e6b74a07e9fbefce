import { expect, test, vi } from 'vitest'
import { type Engine, eachEngine } from '../../test/support/databases.ts'
import { aborted, testNodes as startableNodes } from '../../test/support/job-nodes.ts'
import { recordingLog } from '../../test/support/recording-log.ts'
import type { SealState } from '../crypto/keyring.ts'
import { defineJob } from '../kit/job.ts'
import { loadNodes } from '../kit/nodes/node-store.ts'

/** Nodes whose own clocks move with that of the database. */
async function testNodes(engine: Engine) {
  const nodes = await startableNodes(engine)
  const monotonic = () => nodes.clock.now()
  const start: typeof nodes.start = (jobs, options) => nodes.start(jobs, { monotonic, ...options })
  return { ...nodes, start }
}

eachEngine((engine) => {
  test('nodes: one that has started is there, with its address, version, lead and work', async () => {
    const { clock, db, start, ask } = await testNodes(engine)
    const begun = Promise.withResolvers<void>()
    const job = defineJob({
      name: 'mail',
      run: async (_deps, { signal }) => {
        begun.resolve()
        await aborted(signal)
      },
    })
    const startedAt = clock.now()
    const only = await start([job])
    const about = { name: 'node-1', address: 'https://node-1:9200', baseUrl: 'https://node-1:8200', version: '1.2.3' }
    expect(await loadNodes(db, clock.now())).toMatchObject([
      { ...about, startedAt, seenAt: startedAt, stoppedAt: null, state: 'present', jobsHeld: 0 },
    ])
    await ask('mail')
    const running = only.runDue()
    await begun.promise
    expect(await loadNodes(db, clock.now())).toMatchObject([{ isLeader: true, jobsHeld: 1 }])
    await only.stop()
    await running
    expect(await loadNodes(db, clock.now())).toMatchObject([{ isLeader: false, jobsHeld: 0 }])
  })

  test('nodes: one that gives no sign is gone after half a minute, and forgotten after a day', async () => {
    const { clock, db, openAnother, start } = await testNodes(engine)
    const first = await start([])
    // A killed process: by its clock no time passes, so it never gives another sign.
    await start([], { on: await openAnother(), node: 'node-2', monotonic: () => 0 })
    const states = async () => (await loadNodes(db, clock.now())).map(({ name, state }) => [name, state])
    for (const _ of [1, 2, 3]) {
      clock.advance('10s')
      await first.runDue()
    }
    expect(await states()).toEqual([
      ['node-1', 'present'],
      ['node-2', 'gone'],
    ])
    clock.advance('23h59m29s')
    await first.runDue()
    expect(await states()).toHaveLength(2)
    clock.advance('1s')
    await first.runDue()
    expect(await states()).toEqual([['node-1', 'present']])
    clock.advance('2h')
    await first.runDue()
    expect(await db.selectFrom('nodes').select('name').execute()).toEqual([{ name: 'node-1' }])
  })

  test('nodes: one that was stopped is gone at once', async () => {
    const { clock, db, start } = await testNodes(engine)
    const only = await start([])
    clock.advance('3s')
    await only.stop()
    const at = clock.now()
    expect(await loadNodes(db, at)).toMatchObject([{ state: 'gone', seenAt: at, stoppedAt: at }])
  })

  test('nodes: a restarted one takes the place of the process that has ended, and of no other', async () => {
    const { clock, db, start } = await testNodes(engine)
    const row = { address: '', base_url: '', version: '1', compat_version: '1', clock_skew_ms: 0, stopped_at: null }
    const seen = { ...row, started_at: clock.now(), seen_at: clock.now() }
    const ended = { ...seen, holder: `node-1/${process.pid}.1.a`, name: 'node-1' }
    const elsewhere = { ...seen, holder: 'node-2/1.1.b', name: 'node-2' }
    await db.insertInto('nodes').values([ended, elsewhere]).execute()
    await start([])
    const names = (await loadNodes(db, clock.now())).map(({ name, version }) => `${name} ${version}`)
    expect(names).toEqual(['node-1 1.2.3', 'node-2 1'])
  })

  test('nodes: a sealed node gives no sign and does not stop; unsealed it gives one', async () => {
    const { clock, db, start } = await testNodes(engine)
    const keyring: { state: SealState } = { state: 'sealed' }
    const only = await start([], { keyring })
    await only.runDue()
    expect(await loadNodes(db, clock.now())).toEqual([])
    keyring.state = 'unsealed'
    await only.runDue()
    const [before] = await loadNodes(db, clock.now())
    keyring.state = 'sealed'
    clock.advance('20s')
    await only.runDue()
    await only.stop()
    expect(await loadNodes(db, clock.now())).toEqual([before && { ...before, isLeader: false }])
  })

  test('nodes: where signs cannot be written, work goes on', async () => {
    const { clock, db, start, ask } = await testNodes(engine)
    const work = vi.fn(async () => undefined)
    const { log, text } = recordingLog()
    const only = await start([defineJob({ name: 'mail', run: work })], { log })
    await db.schema.alterTable('nodes').renameTo('away').execute()
    clock.advance('10s')
    await ask('mail')
    await only.runDue()
    await db.schema.alterTable('away').renameTo('nodes').execute()
    expect(work).toHaveBeenCalledOnce()
    expect(text()).toContain('sign of life not written')
  })
})
