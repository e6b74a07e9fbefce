import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { testApp } from '../test/support/test-app.ts'
import { features } from './features/index.ts'
import { defineJob } from './kit/job.ts'
import { scheduleJob } from './kit/job-store.ts'
import { inTransaction } from './storage/transaction.ts'

test('app: no job is started while the last requests are finished', async () => {
  const runs: string[] = []
  const kind = 'app-test.note'
  const noting = defineJob({ name: kind, run: async (_, { key }) => void runs.push(key) })
  const app = await testApp({ runJobs: true, features: [...features, { name: 'app-test', jobs: [noting] }] })
  const schedule = (key: string) =>
    inTransaction(app.deps.db, (tx) => scheduleJob(tx, { kind, key, nextRunAt: app.clock.now() }))
  try {
    await schedule('before')
    await vi.waitFor(() => expect(runs).toEqual(['before']))
    app.app.drain()
    await schedule('after')
    await sleep(1_500)
    expect(runs).toEqual(['before'])
  } finally {
    await app.close()
  }
})
