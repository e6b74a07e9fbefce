import { type ArchiveKey, type RestoreReport, restoreArchive } from '../../../archive/index.ts'
import { failure, textOf } from '../../../kernel/failure.ts'
import { type Deps, perApp } from '../../../kit/deps.ts'
import { followRestore } from '../../seal/index.ts'
import { pauseAll } from '../configurations/configuration-store.ts'
import { reconcile } from '../schedule/reconcile-actions.ts'

/** What a caller may ask of a restore. */
export type RestoreTerms = {
  readonly force: boolean
  readonly revokeTokens: boolean
  readonly key: ArchiveKey | undefined
  readonly signal: AbortSignal
}

const running = perApp(() => ({ busy: false }))

/** Restores an archive; one at a time. Configurations that come from elsewhere are paused: they are somebody else's. */
export async function restore(
  deps: Deps,
  archive: AsyncIterable<Uint8Array>,
  { force, revokeTokens, key, signal }: RestoreTerms,
): Promise<RestoreReport> {
  const state = running(deps)
  if (state.busy) throw failure('conflict', 'snapshot.restore-running', 'A restore is in progress; wait for its end.')
  state.busy = true
  try {
    const report = await restoreArchive(deps, archive, {
      force,
      revokeTokens,
      key,
      signal,
      prepare: async (db, { elsewhere: isForeign }) => {
        if (isForeign) await pauseAll(db)
      },
    })
    const { facts, elsewhere, sealed } = report
    deps.log.warn({ cluster: facts.clusterId, takenAt: facts.takenAt, elsewhere, sealed, force }, 'snapshot restored')
    await followRestore(deps)
    await followSchedules(deps)
    return report
  } finally {
    state.busy = false
  }
}

/** Everything is restored by now: should this fail, a job repeats it within a minute. */
async function followSchedules(deps: Deps): Promise<void> {
  try {
    await reconcile(deps)
  } catch (thrown) {
    deps.log.warn({ error: textOf(thrown) }, 'schedules of snapshots not brought in line with what was restored')
  }
}
