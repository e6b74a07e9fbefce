import { decodeShare } from '../../../crypto/key-shares.ts'
import { loadRootKey, withKeySource } from '../../../crypto/root-keys/root-key.ts'
import { later } from '../../../kernel/clock.ts'
import { Failure, failure } from '../../../kernel/failure.ts'
import { type Secret, secret } from '../../../kernel/secret.ts'
import type { Deps } from '../../../kit/deps.ts'
import { defineJob, type Job } from '../../../kit/job.ts'
import { type Initialised, initialiseAuto } from './init-actions.ts'
import { requireLength, type SealRow } from './seal.ts'
import { requireSeal, sealNode } from './seal-node-actions.ts'
import { dropHandover, loadSeal, requestKeyUsage } from './seal-store.ts'
import { longestRoundMs } from './share-rounds/share-round.ts'
import { dropRounds } from './share-rounds/share-round-store.ts'

/** Only each node itself knows how often it has used the keys. */
export const keyUsageJob: Job = defineJob({
  name: 'seal.key-usage',
  every: '1h',
  jitter: '10m',
  run: (deps) => requestKeyUsage(deps.db),
})

/** How long a new root key waits for nodes that were cut off from the database. */
const handoverMs = 60 * 60_000

/** Removes root keys that were handed over, and shares given for what never came about. */
export const rekeyRestsJob: Job = defineJob({
  name: 'seal.rekey-rests',
  every: '10m',
  jitter: '1m',
  run: async ({ db, clock }) => {
    await dropHandover(db, later(clock.now(), -handoverMs))
    await dropRounds(db, later(clock.now(), -longestRoundMs))
  },
})

/** Reads how the store is sealed and, with an automatic seal, unseals it. A new store is initialised at once. */
export async function openAutoSeal(deps: Deps): Promise<Initialised | undefined> {
  const node = sealNode(deps)
  node.row = await loadSeal(deps.db)
  if (node.row) deps.keyring.markInitialised()
  const type = node.row?.type ?? deps.settings.seal.type
  if (type !== 'auto') return undefined
  const rootKey = await loadRootKey(deps, deps.settings.seal.rootKey, { initialised: node.row !== undefined })
  try {
    const made = node.row ? undefined : await initialiseAuto(deps, rootKey)
    await unlockWith(deps, rootKey).catch((thrown) => {
      throw withKeySource(deps.settings.seal.rootKey, thrown)
    })
    return made
  } finally {
    rootKey.reveal().fill(0)
  }
}

/**
 * Takes one key share, and unseals the store when there are enough. An invalid share is refused even if the store is
 * unsealed.
 */
export async function submitShare(deps: Deps, share: string): Promise<void> {
  const node = sealNode(deps)
  const { discards } = node
  const row = await requireSeal(deps)
  const given = decodeShare(share)
  const isTooLate = () => deps.keyring.state === 'unsealed' || node.discards !== discards
  if (isTooLate()) {
    given.fill(0)
    return
  }
  requireLength(given, row.shares)
  const rootKey = await node.progress.add(given, row.threshold, deps.ids.uuid())
  if (rootKey === undefined) return
  try {
    if (isTooLate()) return
    unlock(deps, row, secret(rootKey))
  } catch (cause) {
    throw failure(
      'invalid',
      'seal.wrong-key',
      'The key is not the one this store was sealed with; progress starts again at 0.',
      { cause },
    )
  } finally {
    rootKey.fill(0)
  }
  await announceOrSeal(deps)
  deps.log.info({ threshold: row.threshold }, 'unsealed')
}

/** Forgets the shares submitted so far. */
export function resetUnseal(deps: Deps): void {
  if (deps.keyring.state === 'unsealed') {
    throw failure('invalid', 'seal.reset-while-unsealed', 'There is nothing to reset: Holdfast is unsealed.')
  }
  discardShares(deps)
}

function discardShares(deps: Deps): void {
  const node = sealNode(deps)
  node.progress.reset()
  node.discards++
}

async function unlockWith(deps: Deps, rootKey: Secret<Buffer>): Promise<void> {
  unlock(deps, await requireSeal(deps), rootKey)
  await announceOrSeal(deps)
}

/** Opens the keys of the store with its root key. */
export function unlock(deps: Deps, row: SealRow, rootKey: Secret<Buffer>): void {
  const node = sealNode(deps)
  deps.keyring.unlock(row.wrapped, rootKey)
  node.progress.reset()
  node.opened = row
}

/**
 * Lets every feature react to the unsealing. If one fails, it would miss this for good, so the node is sealed again.
 */
async function announceOrSeal(deps: Deps): Promise<void> {
  try {
    await deps.node.announceUnsealed()
  } catch (thrown) {
    deps.keyring.lock()
    throw thrown
  }
}

/** True if keys are wrapped by another root key than the one that was tried. */
export const isWrongRootKey = (thrown: unknown): thrown is Failure =>
  thrown instanceof Failure && thrown.code === 'keyring.wrong-root-key'

/** Forgets the keys: nothing but the status is answered until somebody unseals the node. */
export function sealNow(deps: Deps): void {
  if (deps.keyring.state === 'unsealed') deps.log.warn({}, 'sealed')
  deps.keyring.lock()
  discardShares(deps)
}

/**
 * Logs what a server that has started waits for: with key shares, nothing but people can unseal it, and it looks ready.
 */
export function warnIfSealed(deps: Deps): void {
  const { log, seal } = deps
  const state = seal.status()
  if (state === 'uninitialised') {
    const next = 'holdfast write sys/init secret_shares=5 secret_threshold=3'
    log.warn({ next }, 'the store is not initialised, requests get 503: create its keys and root token with sys/init')
  }
  const { row } = sealNode(deps)
  if (state !== 'sealed' || row?.type !== 'shamir') return
  const next = 'holdfast write sys/unseal key=-'
  log.warn({ next, threshold: row.threshold }, 'the server is sealed, requests get 503: send key shares to sys/unseal')
}
