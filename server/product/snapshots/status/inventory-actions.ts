import type { Readable } from 'node:stream'
import { type Instant, instant } from '../../../kernel/clock.ts'
import { failure } from '../../../kernel/failure.ts'
import type { Deps } from '../../../kit/deps.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import type { Configuration } from '../configurations/configuration.ts'
import { requireConfiguration } from '../configurations/configuration-actions.ts'
import type { Destination, StoredObject } from '../destinations/destination-adapter.ts'
import { snapshotNumber, timeOfNumber } from '../destinations/object-name.ts'
import { openDestination } from '../destinations/open-destination-adapter.ts'
import { loadLatestAttempts } from '../schedule/attempt-store.ts'
import { errorText } from '../schedule/failure-reason.ts'
import { listSnapshots, storedCounts, surplusOf } from '../schedule/snapshot-retention-actions.ts'
import { updateStatus } from '../schedule/status-store.ts'

/** A snapshot that was found in the destination. */
type InventoryItem = StoredObject & { readonly takenAt: Instant; readonly kept: boolean }

type InventoryDeps = Pick<Deps, 'db' | 'keyring' | 'clock' | 'ids' | 'settings' | 'outbound'>

/** What is in the destination now, newest first. `kept` tells what retention would leave. */
export async function listInventory(deps: InventoryDeps, name: string, signal: AbortSignal): Promise<InventoryItem[]> {
  const configuration = await requireConfiguration(deps, name)
  const destination = await openDestination(deps, configuration)
  try {
    const found = await listSnapshots(destination, configuration, signal).catch(failUpstream(configuration))
    const { good } = await loadLatestAttempts(deps.db, name)
    const surplus = new Set(await surplusOf(deps, configuration, found, good?.object ?? ''))
    const numbered = found.map((object) => ({
      object,
      number: snapshotNumber(configuration.filePrefix, object.name) ?? 0n,
    }))
    numbered.sort((a, b) => (a.number < b.number ? 1 : -1))
    return numbered.map(({ object, number }) => ({
      ...object,
      takenAt: instant(timeOfNumber(number)),
      kept: !surplus.has(object.name),
    }))
  } finally {
    destination.close()
  }
}

/** The bytes of a stored snapshot; only names of this configuration can be asked for. */
export async function openStoredSnapshot(
  deps: InventoryDeps,
  name: string,
  file: string,
  signal: AbortSignal,
): Promise<{ stream: Readable; size: number }> {
  const configuration = await requireConfiguration(deps, name)
  const destination = await openDestination(deps, configuration)
  try {
    const found = await listSnapshots(destination, configuration, signal).catch(failUpstream(configuration))
    const size = found.find((object) => object.name === file)?.size
    if (size === undefined) throw missing()
    const stream = await destination.get(file, signal).catch(failUpstream(configuration))
    // The answer is recorded before it is sent: until then nobody listens to the stream, and an error would end the
    // process.
    stream.on('error', () => undefined)
    stream.once('close', () => destination.close())
    return { stream, size }
  } catch (thrown) {
    destination.close()
    throw thrown
  }
}

/** Removes one stored snapshot; only names of this configuration can be asked for. Status shows what is left. */
export async function removeStoredSnapshot(
  deps: InventoryDeps & Pick<Deps, 'log'>,
  name: string,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  const configuration = await requireConfiguration(deps, name)
  if (snapshotNumber(configuration.filePrefix, file) === undefined) throw missing()
  const destination = await openDestination(deps, configuration)
  try {
    await destination.delete(file, signal).catch(failUpstream(configuration))
    await countStored(deps, configuration, destination, signal)
  } finally {
    destination.close()
  }
}

/**
 * Counts the snapshots again. If the credential may delete but not list, or if the counted snapshots are on the disk of
 * another node, the number stays as retention found it.
 */
async function countStored(
  deps: InventoryDeps & Pick<Deps, 'log'>,
  configuration: Configuration,
  destination: Destination,
  signal: AbortSignal,
): Promise<void> {
  const { name, type } = configuration
  const { good } = await loadLatestAttempts(deps.db, name)
  if (type === 'local' && good?.node !== deps.settings.nodeName) return
  try {
    const left = await listSnapshots(destination, configuration, signal)
    await inTransaction(deps.db, (tx) => updateStatus(tx, name, storedCounts(left)))
  } catch (thrown) {
    deps.log.warn({ config: name, error: errorText(thrown, configuration) }, 'could not count stored snapshots')
  }
}

const missing = () => failure('missing', 'snapshot.no-file', 'there is no such snapshot')

/** For `.catch(…)` after whatever a destination is asked: its answer, or why there was none, for people. */
const failUpstream =
  (configuration: Configuration) =>
  (cause: unknown): never => {
    throw failure('upstream', 'snapshot.destination', errorText(cause, configuration), { cause })
  }
