import { type ArchiveKey, type Caller, type RestoreReport, restoreArchive } from '../../../archive/index.ts'
import { failure, textOf } from '../../../kernel/failure.ts'
import { type Deps, perApp } from '../../../kit/deps.ts'
import { loadDevices } from '../../secrets/audit-devices/index.ts'
import { adoptRestoredSeal, adoptRotatedKeys } from '../../secrets/seal/index.ts'
import { pauseAll } from '../configurations/configuration-store.ts'
import { reconcile } from '../schedule/attempt-actions.ts'
import { type DeviceChange, deviceChange } from './restored-device.ts'

/** The options of a restore. */
type RestoreTerms = {
  readonly force: boolean
  /** Who asked that every token that would come back to life be revoked. */
  readonly revokeFor?: Caller | undefined
  readonly key: ArchiveKey | undefined
  readonly signal: AbortSignal
  /** Called when the archive has arrived; throws if the caller is no longer allowed to restore it. */
  readonly checkAgain?: () => Promise<void>
}

/** How a restore ended, and what it did to the audit devices. */
export type Restored = RestoreReport & { readonly devices: DeviceChange }

const restoreState = perApp(() => ({ busy: false }))

/**
 * Restores an archive. Only one runs at a time, counted from when its archive has arrived completely. Configurations
 * from another installation are paused: their destinations belong to that one.
 */
export async function restore(
  deps: Deps,
  archive: AsyncIterable<Uint8Array>,
  { force, revokeFor, key, signal, checkAgain }: RestoreTerms,
): Promise<Restored> {
  const turn = new RestoreTurn(restoreState(deps))
  try {
    const devices = await loadDevices(deps.db)
    const report = await restoreArchive(deps, turn.takenAfter(archive), {
      force,
      revokeFor,
      key,
      signal,
      // While the archive was on its way, another process may have rotated the keys, or restored others.
      arrived: async () => {
        await adoptRotatedKeys(deps)
        await checkAgain?.()
      },
      prepare: async (db, { elsewhere: isForeign }) => {
        if (isForeign) await pauseAll(db)
      },
    }).catch(async (thrown) => {
      await followKeys(deps)
      throw thrown
    })
    const { facts, elsewhere, sealed, forged } = report
    const { clusterId: cluster, takenAt } = facts
    deps.log.warn({ cluster, takenAt, elsewhere, sealed, force, forged }, 'snapshot restored')
    // Everything is restored by now, and whatever fails from here on must not be answered as a failure of the restore.
    await attempt(deps, 'adopt the restored seal', () => adoptRestoredSeal(deps))
    // A job repeats this within a minute.
    await attempt(deps, 'update snapshot schedules', () => reconcile(deps))
    const now = await attempt(deps, 'read the audit devices', () => loadDevices(deps.db))
    return { ...report, devices: deviceChange(devices, now ?? devices) }
  } finally {
    turn.end()
  }
}

/** The turn to restore. It is taken when the whole archive has arrived: an upload that stalls must not block others. */
class RestoreTurn {
  readonly #state: { busy: boolean }
  #isTaken = false

  constructor(state: { busy: boolean }) {
    this.#state = state
    this.#requireFree()
  }

  async *takenAfter(archive: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    yield* archive
    this.#requireFree()
    this.#state.busy = true
    this.#isTaken = true
  }

  end(): void {
    if (this.#isTaken) this.#state.busy = false
  }

  #requireFree(): void {
    if (!this.#state.busy) return
    throw failure('conflict', 'snapshot.restore-running', 'A restore is in progress; wait until it has finished.')
  }
}

/**
 * While the tables are replaced under other keys this process has none, and takes no notice of those of others. If that
 * failed, it has its former keys again, which need not be those of the store.
 */
async function followKeys(deps: Deps): Promise<void> {
  try {
    await adoptRotatedKeys(deps)
  } catch (thrown) {
    deps.log.warn({ error: textOf(thrown) }, 'could not check the keys after a failed restore')
  }
}

/** Does one of the things that follow a restore; a failure is only logged. */
async function attempt<T>(deps: Deps, what: string, action: () => Promise<T>): Promise<T | undefined> {
  try {
    return await action()
  } catch (thrown) {
    deps.log.warn({ error: textOf(thrown) }, `could not ${what} after the restore`)
    return undefined
  }
}
