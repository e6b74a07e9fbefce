import { defineJob, type Job } from '../kit/job.ts'
import { forgetNodes } from '../kit/nodes/node-store.ts'
import { sweepUploads } from '../storage/blob-store.ts'
import { sweepOperations } from '../storage/operations.ts'

const day = 86_400_000

/** The store's own periodic work. */
export const housekeepingJobs: readonly Job[] = [
  defineJob({
    name: 'storage.sweep-operations',
    every: '1h',
    jitter: '5m',
    run: async ({ db, store }) => {
      await sweepOperations(db, (await store.databaseNow()) - day)
    },
  }),
  defineJob({
    name: 'storage.sweep-uploads',
    every: '1h',
    jitter: '5m',
    run: async ({ db, store }) => {
      await sweepUploads(db, (await store.databaseNow()) - day)
    },
  }),
  defineJob({
    name: 'nodes.forget',
    every: '1h',
    jitter: '5m',
    run: async ({ db, store }) => {
      await forgetNodes(db, await store.databaseNow())
    },
  }),
]
