import { expect, test } from 'vitest'
import { eachEngine } from '../../test/support/databases.ts'
import { heldUp, testNodes } from '../../test/support/job-nodes.ts'
import { later } from '../kernel/clock.ts'
import { defineJob } from '../kit/job.ts'
import { scheduleJob } from '../kit/job-store.ts'
import { createMetrics } from '../kit/metrics.ts'
import { inTransaction } from '../storage/transaction.ts'

eachEngine((engine) => {
  test('metrics: jobs are counted by kind: due, running, failing, ended, and when one last succeeded', async () => {
    const { clock, db, start, ask } = await testNodes(engine)
    const metrics = createMetrics()
    const shown = async () => (await metrics.render()).match(/^holdfast_job\w*\{.*kind="(?:slow|bad|good)".*$/gm)
    const slow = heldUp('slow')
    const bad = defineJob({ name: 'bad', run: () => Promise.reject(new Error('no')) })
    const good = defineJob({ name: 'good', every: '1h', run: async () => undefined })
    const runner = await start([slow.job, bad, good], { metrics })
    for (const key of ['a', 'b'])
      await inTransaction(db, (tx) => scheduleJob(tx, { kind: 'bad', key, nextRunAt: later(clock.now(), 0) }))
    await ask('slow')
    // Nobody has asked for figures yet, so these are new.
    const running = runner.runDue()
    await slow.begun
    await expect.poll(async () => (await shown())?.includes('holdfast_jobs_running{kind="slow"} 1')).toBe(true)
    slow.letGo()
    await running
    const ended = ['bad",outcome="failed"} 2', 'good",outcome="ok"} 1', 'slow",outcome="ok"} 1']
    const counts = (await shown())?.filter((line) => line.includes('_runs_total'))
    expect(counts?.sort()).toEqual(ended.map((end) => `holdfast_job_runs_total{kind="${end}`))
    expect(await shown()).not.toContainEqual(expect.stringContaining('holdfast_jobs_running'))
  })

  test('metrics: what the store knows of jobs is read by kind, of known kinds alone', async () => {
    const { clock, db, start } = await testNodes(engine)
    const bad = defineJob({ name: 'bad', run: () => Promise.reject(new Error('no')) })
    const good = defineJob({ name: 'good', every: '1h', run: async () => undefined })
    const metrics = createMetrics()
    const runner = await start([bad, good], { metrics })
    for (const [kind, key, wait] of [
      ['bad', 'a', 0],
      ['unknown', 'a', 0],
    ] as const)
      await inTransaction(db, (tx) => scheduleJob(tx, { kind, key, nextRunAt: later(clock.now(), wait) }))
    await runner.runDue()
    await inTransaction(db, (tx) => scheduleJob(tx, { kind: 'bad', key: 'b', nextRunAt: clock.now() }))
    const found = (await metrics.render()).match(/^holdfast_jobs_\w+\{kind="(?:bad|good|unknown)"\} .*$/gm)
    expect(found).toEqual([
      'holdfast_jobs_due{kind="bad"} 1',
      'holdfast_jobs_due{kind="good"} 0',
      'holdfast_jobs_failing{kind="bad"} 1',
      'holdfast_jobs_failing{kind="good"} 0',
      `holdfast_jobs_last_success_time{kind="good"} ${clock.now() / 1_000}`,
    ])
  })
})
