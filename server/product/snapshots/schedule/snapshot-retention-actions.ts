import type { Deps } from '../../../kit/deps.ts'
import { isFenceCurrent } from '../../../kit/job-store.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import type { Configuration } from '../configurations/configuration.ts'
import { isSamePlace } from '../configurations/configuration-change.ts'
import { loadConfiguration, type StoredConfiguration } from '../configurations/configuration-store.ts'
import type { Destination, StoredObject } from '../destinations/destination-adapter.ts'
import { snapshotNumber } from '../destinations/object-name.ts'
import type { SnapshotStatusRow } from '../snapshot.ts'
import type { AttemptWork } from './attempt-actions.ts'
import { type Attempt, loadVerdicts, updateAttempt } from './attempt-store.ts'
import { errorText } from './failure-reason.ts'
import { surplusNames } from './snapshot-retention.ts'
import { updateStatus } from './status-store.ts'

/** What retention removed, and what it left, if that is known. */
type PruneResult = { names: string[]; error: string; left: readonly StoredObject[] | undefined }

/** The number of snapshots and their bytes, in the form of the status; -1 when unknown. */
export const storedCounts = (
  found: readonly StoredObject[] | undefined,
): Pick<SnapshotStatusRow, 'stored' | 'used_bytes'> => ({
  stored: found?.length ?? -1,
  used_bytes: found?.reduce((sum, { size }) => sum + size, 0) ?? 0,
})

/** All snapshots of a configuration in its destination. */
export async function listSnapshots(
  destination: Destination,
  { filePrefix }: Configuration,
  signal: AbortSignal,
): Promise<StoredObject[]> {
  const found: StoredObject[] = []
  for await (const object of destination.list(`${filePrefix}-`, signal)) {
    if (snapshotNumber(filePrefix, object.name) !== undefined) found.push(object)
  }
  return found
}

/**
 * Removes snapshots beyond those that are kept. If one cannot be removed, the attempt does not fail; it is tried again
 * after the next one, and the reason is recorded and returned. Uploads and lists take long: what is kept is decided by
 * the configuration that is stored now, and as soon as that changes, nothing more is removed.
 */
export async function prune(deps: Deps, work: AttemptWork, attempt: Attempt): Promise<string> {
  const { configuration, destination, signal } = work
  const removed: string[] = []
  const errors: string[] = []
  let found: StoredObject[] | undefined
  try {
    found = await listSnapshots(destination, configuration, signal)
    const current = await loadCurrent(deps, configuration)
    if (!current) return ''
    for (const name of await surplusOf(deps, current.configuration, found, attempt.object)) {
      if ((await loadCurrent(deps, configuration))?.revision !== current.revision) break
      const error = await tryRemove(work, name)
      if (error === '') removed.push(name)
      else errors.push(error)
    }
  } catch (thrown) {
    errors.push(`listing snapshots: ${errorText(thrown, configuration, signal)}`)
  }
  const left = found?.filter(({ name }) => !removed.includes(name))
  const pruned = { names: removed, error: (errors[0] ?? '').slice(0, 1024), left }
  if (pruned.error !== '')
    deps.log.warn({ config: configuration.name, error: pruned.error }, 'could not remove old snapshots')
  await record(deps, work, attempt, pruned)
  return pruned.error
}

/** The configuration as it is stored now; undefined if it is gone, paused or about another place. */
async function loadCurrent(
  { db, keyring }: Pick<Deps, 'db' | 'keyring'>,
  before: Configuration,
): Promise<StoredConfiguration | undefined> {
  const stored = await loadConfiguration(db, keyring, before.name)
  return stored && !stored.configuration.paused && isSamePlace(stored.configuration, before) ? stored : undefined
}

/** The names that retention removes from what was found. */
export async function surplusOf(
  { db }: Pick<Deps, 'db'>,
  { name, filePrefix, retain }: Configuration,
  found: readonly StoredObject[],
  written: string,
): Promise<string[]> {
  const names = found.map((object) => object.name)
  return surplusNames(filePrefix, names, { retain, written, verdicts: await loadVerdicts(db, name) })
}

/** Removes one snapshot; returns why it could not be removed, or empty text. */
async function tryRemove({ configuration, destination, signal }: AttemptWork, name: string): Promise<string> {
  try {
    // If this run was cancelled, somebody may want to keep it.
    signal.throwIfAborted()
    await destination.delete(name, signal)
    return ''
  } catch (thrown) {
    return `removing ${name}: ${errorText(thrown, configuration, signal)}`
  }
}

/** Records nothing for a configuration that was deleted meanwhile: one created again has a new status. */
async function record(
  deps: Deps,
  { configuration, run }: AttemptWork,
  attempt: Attempt,
  pruned: PruneResult,
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    if (!(await isFenceCurrent(tx, run))) return
    await updateStatus(tx, configuration.name, { ...storedCounts(pruned.left), prune_error: pruned.error })
    await updateAttempt(tx, attempt.id, { pruned: JSON.stringify(pruned.names) })
  })
}
