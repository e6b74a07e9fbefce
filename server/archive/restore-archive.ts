import { textOf } from '../kernel/failure.ts'
import { epochOf, type Replacement, type ReplacementPlan } from '../storage/bulk/replacement.ts'
import { loadMigrations } from '../storage/migrate.ts'
import { inTransaction } from '../storage/transaction.ts'
import { bumpVersion, loadVersion } from '../storage/versions.ts'
import { chooseKeysAfterRestore, type KeysAfterRestore } from './provenance.ts'
import { type ReceivedArchive, withReceivedArchive } from './received-archive.ts'
import { createScratchFor, fillScratch, type Scratch } from './scratch.ts'
import { loadSeal } from './seal-store.ts'
import type { Tasks } from './threads/tasks.ts'
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
    await fillScratch(scratch, received, { ...options, epoch: epochOf(options) })
    await upgrade(scratch, received, options)
    const plan = planOf(deps, keys, { ...options, elsewhere })
    const swap = { live: deps.store.target, scratch: scratch.target, plan }
    await inThread('prepare', swap)
    const { tokens, revocation } = await replace(deps, swap, keys)
    return { facts, elsewhere, sealed: !keys.opens, forged: keys.isForged ?? false, tokens, revocation }
  } finally {
    // The result of the restore matters more; what is left behind is swept later.
    await scratch.remove().catch((error) => deps.log.warn({ error: textOf(error) }, 'scratch database not removed'))
  }
}

/** Brings the restored tables to the present version, and lets the caller change them. */
async function upgrade(scratch: Scratch, received: ReceivedArchive, options: RestoreOptions): Promise<void> {
  const { migrations, inspection } = received
  // On SQLite, a change to many rows would hold everybody up here.
  if (migrations.length < (await loadMigrations()).length) await inThread('migrate', { target: scratch.target })
  const store = await scratch.open()
  try {
    await options.prepare?.(store.db, { elsewhere: inspection.elsewhere })
  } finally {
    await store.close()
  }
}

const planOf = (
  deps: ArchiveDeps,
  keys: KeysAfterRestore,
  { elsewhere, revokeFor, lastEpoch }: BasedOptions & { readonly elsewhere: boolean },
): ReplacementPlan => ({
  operationId: deps.ids.uuid(),
  now: deps.clock.now(),
  seal: keys.seal,
  elsewhere,
  revokeFor,
  lastEpoch,
})

async function replace(
  deps: ArchiveDeps,
  swap: Tasks['replace']['task'],
  keys: KeysAfterRestore,
): Promise<Replacement> {
  const { keyring } = deps
  const rootKey = keyring.rootKey()
  const before = keyring.serialize()
  // Under other keys nothing of the old data opens any more: nobody is served until the right ones are in place.
  if (keys.seal) keyring.lock()
  try {
    const replacement = await replaceAll(deps, swap).catch((thrown) => {
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

/** Files take the place of each other in a moment, but only where nobody else has this one open. */
async function replaceAll({ store }: Pick<ArchiveDeps, 'store'>, swap: Tasks['replace']['task']): Promise<Replacement> {
  const swapped = await store.whileClosed?.(() => inThread('swap', swap))
  return swapped ?? (await inThread('replace', swap))
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
