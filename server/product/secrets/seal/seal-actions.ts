import { decodeShare } from '../../../crypto/key-shares.ts'
import { lendRootKey } from '../../../crypto/root-keys/lent-root-key.ts'
import { loadRootKey, withKeySource } from '../../../crypto/root-keys/root-key.ts'
import { later } from '../../../kernel/clock.ts'
import { Failure, failure } from '../../../kernel/failure.ts'
import { type Secret, secret } from '../../../kernel/secret.ts'
import type { Deps } from '../../../kit/deps.ts'
import { defineJob, type Job } from '../../../kit/job.ts'
import { type Initialised, initialiseAuto } from './init-actions.ts'
import { longestRekeyMs } from './rekey/rekey-rules.ts'
import { dropRekey } from './rekey/rekey-store.ts'
import { requireSeal, sealNode } from './seal-node.ts'
import type { SealRow } from './seal-row.ts'
import { dropHandover, loadSeal, requestKeyUsage } from './seal-store.ts'
import { requireLength } from './share-rules.ts'

/** Only each process itself knows how often it has used the keys. */
export const keyUsageJob: Job = defineJob({
  name: 'seal.key-usage',
  every: '1h',
  jitter: '10m',
  run: (deps) => requestKeyUsage(deps.db),
})

/** How long a new root key waits for processes that were cut off from the database. */
const handoverMs = 60 * 60_000

/** Removes root keys that were handed over, and shares given for new ones that never came about. */
export const rekeyRestsJob: Job = defineJob({
  name: 'seal.rekey-rests',
  every: '10m',
  jitter: '1m',
  run: async ({ db, clock }) => {
    await dropHandover(db, later(clock.now(), -handoverMs))
    await dropRekey(db, later(clock.now(), -longestRekeyMs))
  },
})

/** Reads how the store is sealed and, with an automatic seal, unseals it. A new store is initialised at once. */
export async function openAutoSeal(deps: Deps): Promise<Initialised | undefined> {
  const node = sealNode(deps)
  node.row = await loadSeal(deps.db)
  if (node.row) deps.keyring.markInitialised()
  const type = node.row?.type ?? deps.settings.seal.type
  // Other processes of the node may know the root key, or some of the shares.
  if (type === 'shamir') deps.peers.broadcast('seal.ask', null)
  if (type !== 'auto' || (await isNodeSealed(deps))) return undefined
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

/** How long a process that starts waits for the others to say whether they are sealed, in milliseconds. */
const patienceMs = 1_000

/** True if the node was sealed: a process that replaces a crashed one must not undo that. */
async function isNodeSealed({ peers }: Deps): Promise<boolean> {
  const answers = await peers.ask('seal.was-sealed', { own: false, withinMs: patienceMs })
  return [...answers.values()].includes(true)
}

/** A share for the other processes of the node, and the nonce of the unsealing it belongs to. */
export type SharedShare = { readonly share: string; readonly nonce: string }

/** Submits one key share to all processes of the node. */
export async function submitShareToNode(deps: Deps, share: string): Promise<void> {
  const { keyring, peers } = deps
  const node = sealNode(deps)
  const [{ discards }, stateBefore, nonce] = [node, keyring.state, deps.ids.uuid()]
  try {
    await submitShare(deps, { share, nonce })
  } catch (thrown) {
    // Shares that did not unseal the store have been forgotten here, so the other processes must forget them too.
    if (node.progress.count === 0) peers.broadcast('seal.reset', null)
    throw thrown
  }
  // If this share was the last one needed, the others have been given the key.
  const hasOpened = stateBefore !== 'unsealed' && keyring.state === 'unsealed'
  if (hasOpened || node.discards !== discards) return
  peers.broadcast('seal.share', { share, nonce: node.progress.nonce || nonce } satisfies SharedShare)
}

/**
 * Takes one key share, and unseals the store when there are enough. An invalid share is refused even if the store is
 * unsealed.
 */
export async function submitShare(deps: Deps, { share, nonce }: SharedShare): Promise<void> {
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
  const rootKey = await node.progress.add(given, row.threshold, nonce)
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
  // Another process may have been replaced in the meantime, and have fewer shares.
  tellRootKey(deps)
}

/** Tells a process that asks for it what this one knows: the root key, or the shares submitted so far. */
export function tellNewcomer(deps: Deps): void {
  const { progress } = sealNode(deps)
  for (const share of progress.texts())
    deps.peers.broadcast('seal.share', { share, nonce: progress.nonce } satisfies SharedShare)
  tellRootKey(deps)
}

/** Gives the root key to the other processes of the node, which run as the same user. */
function tellRootKey({ keyring, peers }: Deps): void {
  if (keyring.state === 'unsealed') lendRootKey(keyring, (rootKey) => peers.broadcast('seal.key', rootKey.reveal()))
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
  Object.assign(node, { opened: row, wasSealed: false, asks: 0 })
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

/** Unseals the store with the key that another process of this node holds, unless it is sealed in the meantime. */
export async function adoptRootKey(deps: Deps, key: Uint8Array): Promise<void> {
  const node = sealNode(deps)
  const { discards } = node
  const rootKey = secret(Buffer.from(key))
  try {
    const row = await requireSeal(deps)
    if (deps.keyring.state === 'unsealed' || node.discards !== discards) return
    unlock(deps, row, rootKey)
    await announceOrSeal(deps)
  } catch (thrown) {
    // Somebody has replaced the root key since it was told; whoever told it knows the new one by now, or soon.
    if (!isWrongRootKey(thrown) || node.asks === mostAsks) throw thrown
    node.asks += 1
    deps.peers.broadcast('seal.ask', null)
  } finally {
    rootKey.reveal().fill(0)
  }
}

/** A key that is wrong so often is that of another store. */
const mostAsks = 10

/** True if keys are wrapped by another root key than the one that was tried. */
export const isWrongRootKey = (thrown: unknown): thrown is Failure =>
  thrown instanceof Failure && thrown.code === 'keyring.wrong-root-key'

/** Forgets the keys: nothing but the status is answered until somebody unseals the node. */
export function sealNow(deps: Deps): void {
  if (deps.keyring.state === 'unsealed') deps.log.warn({}, 'sealed')
  deps.keyring.lock()
  sealNode(deps).wasSealed = true
  discardShares(deps)
}
