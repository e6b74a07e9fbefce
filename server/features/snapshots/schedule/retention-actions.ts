import type { Deps } from '../../../kit/deps.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import type { Configuration } from '../configurations/configuration-types.ts'
import type { Destination, StoredObject } from '../destinations/destination.ts'
import { snapshotNumber, surplus } from '../destinations/object-name-rules.ts'
import { type Attempt, updateAttempt } from './attempt-store.ts'
import { errorText } from './error-text.ts'
import { updateStatus } from './status-store.ts'

/** What retention did, and what it left. */
type Pruned = { names: string[]; error: string; stored: number; bytes: number }

/** All snapshots of a configuration that lie in its destination. */
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
 * Removes snapshots beyond those that are kept. What cannot be removed does not make the snapshot a failure, and is tried
 * again after the next one; the reason is recorded and returned.
 */
export async function prune(
  deps: Deps,
  work: { configuration: Configuration; destination: Destination; signal: AbortSignal },
  attempt: Attempt,
): Promise<string> {
  const { configuration, destination, signal } = work
  const removed: string[] = []
  const errors: string[] = []
  let found: StoredObject[] | undefined
  try {
    found = await listSnapshots(destination, configuration, signal)
    const names = found.map(({ name }) => name)
    for (const name of surplus(configuration.filePrefix, names, configuration.retain, attempt.object)) {
      try {
        await destination.delete(name, signal)
        removed.push(name)
      } catch (thrown) {
        errors.push(`removing ${name}: ${errorText(thrown, configuration)}`)
      }
    }
  } catch (thrown) {
    errors.push(`listing snapshots: ${errorText(thrown, configuration)}`)
  }
  const left = found?.filter(({ name }) => !removed.includes(name))
  const bytes = left?.reduce((sum, { size }) => sum + size, 0) ?? 0
  const pruned = { names: removed, error: (errors[0] ?? '').slice(0, 1024), stored: left?.length ?? -1, bytes }
  if (pruned.error !== '') deps.log.warn({ config: configuration.name, error: pruned.error }, 'snapshots not removed')
  await record(deps, configuration.name, attempt, pruned)
  return pruned.error
}

async function record(deps: Deps, name: string, attempt: Attempt, pruned: Pruned): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const stand = { stored: pruned.stored, used_bytes: pruned.bytes, prune_error: pruned.error }
    await updateStatus(tx, name, stand)
    await updateAttempt(tx, attempt.id, { pruned: JSON.stringify(pruned.names) })
  })
}
