import { textOf } from '../kernel/failure.ts'
import type { Replacement } from '../storage/bulk/replacement.ts'
import type { BulkTarget } from '../storage/bulk/table-shape.ts'
import { migrate } from '../storage/migrate.ts'
import { inTransaction } from '../storage/transaction.ts'
import { bumpVersion, loadVersion } from '../storage/versions.ts'
import { chooseKeysAfterRestore, type KeysAfterRestore } from './provenance.ts'
import { type ReceivedArchive, withReceivedArchive } from './received-archive.ts'
import { createScratchFor, fillScratch, type Scratch } from './scratch.ts'
import { loadSeal } from './seal-store.ts'
import { inThread } from './threads/thread.ts'
import type { ArchiveDeps, RestoreOptions, RestoreReport } from './types.ts'

/**
 * Puts the content of an archive in the place of what the store holds. The archive is read to its end, restored beside
 * the running data and compared before anything of that changes; then all tables are replaced in one step. Whatever
 * fails before leaves the running data as it is.
 */
export async function restoreArchive(
  deps: ArchiveDeps,
  source: AsyncIterable<Uint8Array>,
  options: RestoreOptions = {},
): Promise<RestoreReport> {
  let lastEpoch = 0
  const arrived = async (): Promise<void> => {
    // This comes before the keys are looked at: they may be newer, and the restore refused, but never older.
    lastEpoch = await loadVersion(deps.store.db, 'everything')
    await options.arrived?.()
  }
  // Once the archive has arrived, a client that goes away does not stop the restore.
  return await withReceivedArchive(deps, source, { ...options, arrived }, (received) =>
    restore(deps, received, { ...options, signal: undefined, lastEpoch }),
  )
}

/** A restore and the version of everything it is based on: another restore of the same store moves that. */
type BasedOptions = RestoreOptions & { readonly lastEpoch: number }

async function restore(deps: ArchiveDeps, received: ReceivedArchive, options: BasedOptions): Promise<RestoreReport> {
  const { inspection, content } = received
  const live = await loadSeal(deps.store.db)
  const { provenance, facts, elsewhere } = inspection
  const keys = chooseKeysAfterRestore(deps, content, {
    provenance,
    force: options.force ?? false,
    key: options.key,
    live,
  })
  const scratch = await createScratchFor(deps, received)
  try {
    await fillScratch(scratch, received, options)
    const target = await upgrade(scratch, options, elsewhere)
    const { tokens, revocation } = await replace(deps, target, keys, { ...options, elsewhere })
    return { facts, elsewhere, sealed: !keys.opens, forged: keys.isForged ?? false, tokens, revocation }
  } finally {
    // The result of the restore matters more; what is left behind is swept later.
    await scratch.remove().catch((error) => deps.log.warn({ error: textOf(error) }, 'scratch database not removed'))
  }
}

/** Brings the restored tables to the present version. */
async function upgrade(scratch: Scratch, options: RestoreOptions, elsewhere: boolean): Promise<BulkTarget> {
  const store = await scratch.open()
  try {
    await migrate(store)
    await options.prepare?.(store.db, { elsewhere })
    return store.target
  } finally {
    await store.close()
  }
}

async function replace(
  deps: ArchiveDeps,
  scratch: BulkTarget,
  keys: KeysAfterRestore,
  options: BasedOptions & { readonly elsewhere: boolean },
): Promise<Replacement> {
  const { keyring, store } = deps
  const rootKey = keyring.rootKey()
  const before = keyring.serialize()
  // Under other keys nothing of the old data opens any more: nobody is served until the right ones are in place.
  if (keys.seal) keyring.lock()
  try {
    const plan = {
      operationId: deps.ids.uuid(),
      now: deps.clock.now(),
      seal: keys.seal,
      elsewhere: options.elsewhere,
      revokeFor: options.revokeFor,
      lastEpoch: options.lastEpoch,
    }
    const replacement = await inThread('replace', { live: store.target, scratch, plan }).catch((thrown) => {
      if (keys.seal) keyring.unlock(before, rootKey)
      throw thrown
    })
    if (keys.seal && keys.opens) keyring.unlock(keys.seal.wrapped, rootKey)
    await dropCaches(deps)
    return replacement
  } finally {
    rootKey.reveal().fill(0)
  }
}

/**
 * The tables were replaced through another connection; this lets our own caches know before anybody is answered. If it
 * fails, as it does on a full disk, the restore has been made all the same: each request looks for such changes too.
 */
async function dropCaches({ store, log }: Pick<ArchiveDeps, 'store' | 'log'>): Promise<void> {
  try {
    await inTransaction(store.db, (tx) => bumpVersion(tx, 'everything'))
  } catch (thrown) {
    log.warn({ error: textOf(thrown) }, 'could not announce the restore')
  }
}
