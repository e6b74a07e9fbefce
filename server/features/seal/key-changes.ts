import type { Persist } from '../../crypto/keyring.ts'
import { lendRootKey } from '../../crypto/root-keys/lent-root-key.ts'
import { Failure, textOf } from '../../kernel/failure.ts'
import type { Deps } from '../../kit/deps.ts'
import type { SealRow } from '../../storage/tables/seal.ts'
import { sealNow, unlock } from './seal-actions.ts'
import { requireSeal, type SealNode, sealNode } from './seal-node.ts'
import { loadSeal, swapWrapped } from './seal-store.ts'
import { warnOfSealType } from './seal-type.ts'

/** Adds a data key, which encrypts all new values; older values stay readable. */
export const rotateKeys = (deps: Deps): Promise<void> => changeKeys(deps, (persist) => deps.keyring.rotate(persist))

/** Stores how often the keys were used, and adds one when the newest has been used as often as is safe. */
export async function saveKeyUsage(deps: Deps): Promise<void> {
  const { keyring, log } = deps
  if (keyring.state !== 'unsealed') return
  if (keyring.rotationDue) {
    await rotateKeys(deps)
    log.info({ term: keyring.term }, 'data key rotated automatically because of its usage')
  } else if (keyring.hasUnsavedUsage) await changeKeys(deps, (persist) => keyring.saveUsage(persist))
}

type ChangeKeys = (persist: Persist) => Promise<unknown>

const changeKeys = (deps: Deps, change: ChangeKeys): Promise<void> =>
  sealNode(deps).oneByOne(async () => {
    let isDone = false
    while (!isDone) isDone = await tryChangeKeys(deps, change)
  })

/** False when another process came first; its keys have to be adopted before the next try. */
async function tryChangeKeys(deps: Deps, change: ChangeKeys): Promise<boolean> {
  const row = await requireSeal(deps)
  // The next write replaces all keys, so a key that this process does not know yet would be lost.
  adoptKeys(deps, row)
  try {
    await change((wrapped) => swapWrapped(deps.db, row.revision, wrapped))
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'keyring.changed') return false
    throw thrown
  }
  adoptKeys(deps, await requireSeal(deps))
  return true
}

function adoptKeys(deps: Deps, row: SealRow): void {
  deps.keyring.reload(row.wrapped)
  sealNode(deps).opened = row
}

/** Adopts keys that another process created or rotated. */
export const adoptRotatedKeys = (deps: Deps): Promise<void> =>
  sealNode(deps).oneByOne(async () => {
    const node = sealNode(deps)
    const row = await loadSeal(deps.db)
    if (!row) return
    node.row = row
    deps.keyring.markInitialised()
    if (deps.keyring.state !== 'unsealed' || hasKeysOf(node, row)) return
    if (row.cluster_id === node.opened?.cluster_id) adoptKeys(deps, row)
    else if (openOrSeal(deps, row)) await deps.hooks.announceUnsealed()
  })

/** Keys are wrapped again with every change, so equal bytes mean equal keys. */
const hasKeysOf = ({ opened }: SealNode, row: SealRow): boolean =>
  opened !== undefined && Buffer.compare(opened.wrapped, row.wrapped) === 0

/**
 * After a restore, the store may have the keys of another one: either our root key opens them, or this node is sealed.
 */
function openOrSeal(deps: Deps, row: SealRow): boolean {
  try {
    lendRootKey(deps.keyring, (rootKey) => unlock(deps, row, rootKey))
    return true
  } catch (error) {
    deps.log.warn({ error: textOf(error) }, 'the keys of the store have changed; server sealed')
    sealNow(deps)
    return false
  }
}

/** Adopts the seal that a restore has written, and lets every feature start again with its keys. */
export async function adoptRestoredSeal(deps: Deps): Promise<void> {
  const node = sealNode(deps)
  node.progress.reset()
  node.row = await loadSeal(deps.db)
  warnOfSealType(deps, node.row)
  if (deps.keyring.state !== 'unsealed') return
  node.opened = node.row
  await deps.hooks.announceUnsealed()
}
