import { startJobs } from '../../server/jobs/runner.ts'
import { runJobNow } from '../../server/kit/job-store.ts'
import { partsOf } from '../../server/kit/parts.ts'
import { type RemovalKind, type Remover, removalJob } from '../../server/kit/removals/index.ts'
import { inTransaction } from '../../server/storage/transaction.ts'
import type { TestApp } from './test-app.ts'

/**
 * Makes removals of a kind fail, as if the server died before the first batch, or after this many; returns what mends it.
 */
export function holdRemovals({ deps }: Pick<TestApp, 'deps'>, kind: RemovalKind, after = 0): () => void {
  const removers = partsOf(deps, 'remover')
  let batches = 0
  const hold = ({ removeSome, ...each }: Remover): Remover => ({
    ...each,
    removeSome: async (...of) => {
      if (batches++ >= after) throw new Error('The removal is held.')
      return await removeSome(...of)
    },
  })
  Object.assign(deps.parts, { remover: removers.map((each) => (each.kind === kind ? hold(each) : each)) })
  return () => void Object.assign(deps.parts, { remover: removers })
}

/** Does what a node does when the job of removals is due. */
export async function finishRemovals({ deps }: Pick<TestApp, 'deps'>): Promise<void> {
  const runner = await startJobs(deps, [removalJob], { pollEvery: 60_000 })
  await inTransaction(deps.db, (tx) => runJobNow(tx, removalJob.name, ''))
  await runner.runDue()
  await runner.stop()
}
