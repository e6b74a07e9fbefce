import { fingerprintOf, type Recipient, readRecipient } from '../../../crypto/openpgp.ts'
import { lendRootKey, takeOver } from '../../../crypto/root-keys/handed-over.ts'
import type { Instant } from '../../../kernel/clock.ts'
import { Failure, failure, textOf } from '../../../kernel/failure.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { Tx } from '../../../storage/open.ts'
import type { Initialised } from './init-actions.ts'
import type { SealRow } from './seal.ts'
import { isWrongRootKey, sealNow, unlock } from './seal-actions.ts'
import { requireSeal, type SealNode, sealNode } from './seal-node-actions.ts'
import { type ChangedSeal, loadHandover, loadSeal, swapSeal } from './seal-store.ts'
import { warnOfSealType } from './seal-type-actions.ts'

/** Adds a data key, which encrypts all new values; older values stay readable. */
export const rotateKeys = (deps: Deps): Promise<void> =>
  changeKeys(deps, (write) => deps.keyring.rotate((wrapped) => write({ wrapped })))

/** Stores how often the keys were used, and adds one when the newest has been used as often as is safe. */
export async function saveKeyUsage(deps: Deps): Promise<void> {
  const { keyring, log } = deps
  if (keyring.state !== 'unsealed') return
  if (keyring.rotationDue) {
    await rotateKeys(deps)
    log.info({ term: keyring.term }, 'data key rotated automatically because of its usage')
  } else if (keyring.hasUnsavedUsage)
    await changeKeys(deps, (write) => keyring.saveUsage((wrapped) => write({ wrapped })))
}

/** Writes changed keys, and whatever belongs to the change, in one transaction. */
type WriteSeal = (changed: ChangedSeal, alongside?: (tx: Tx) => Promise<void>) => Promise<void>
type ChangeKeys = (write: WriteSeal) => Promise<void>

/** Changes the keys of the store, on the basis of what all processes have written so far. */
export const changeKeys = (deps: Deps, change: ChangeKeys): Promise<void> =>
  sealNode(deps).oneByOne(async () => {
    let isDone = false
    while (!isDone) isDone = await tryChangeKeys(deps, change)
  })

/** False when another process came first; its keys have to be adopted before the next try. */
async function tryChangeKeys(deps: Deps, change: ChangeKeys): Promise<boolean> {
  const row = await requireSeal(deps)
  // The next write replaces all keys, so a key that this process does not know yet would be lost.
  await adoptKeys(deps, row)
  try {
    await change((changed, alongside) =>
      swapSeal(deps.db, row.revision, changed, { alongside, operationId: deps.ids.uuid() }),
    )
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'keyring.changed') return false
    throw thrown
  }
  await adoptKeys(deps, await requireSeal(deps))
  return true
}

async function adoptKeys(deps: Deps, row: SealRow): Promise<void> {
  try {
    deps.keyring.reload(row.wrapped)
  } catch (thrown) {
    if (!isWrongRootKey(thrown)) throw thrown
    await adoptRenewedKeys(deps, row, thrown)
  }
  sealNode(deps).opened = row
}

/** The keys are under another root key: somebody has renewed the shares, and handed the new one over. */
async function adoptRenewedKeys({ db, keyring }: Deps, row: SealRow, wrongKey: Failure): Promise<void> {
  const handover = await loadHandover(db, keyring.id)
  if (!handover) throw wrongKey
  const rootKey = takeOver(keyring, handover.wrapped)
  try {
    keyring.reload(row.wrapped, rootKey)
  } finally {
    rootKey.reveal().fill(0)
  }
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
    if (row.cluster_id === node.opened?.cluster_id) await adoptKeysOrSeal(deps, row)
    else if (openOrSeal(deps, row)) await deps.node.announceUnsealed()
  })

/** Keys are wrapped again with every change, so equal bytes mean equal keys. */
const hasKeysOf = ({ opened }: SealNode, row: SealRow): boolean =>
  opened !== undefined && Buffer.compare(opened.wrapped, row.wrapped) === 0

/** A process that was cut off while the shares were renewed lacks the root key, and does not go on with old keys. */
async function adoptKeysOrSeal(deps: Deps, row: SealRow): Promise<void> {
  try {
    await adoptKeys(deps, row)
  } catch (thrown) {
    if (!isWrongRootKey(thrown)) throw thrown
    sealAfterChange(deps, thrown)
  }
}

/**
 * After a restore, the store may have the keys of another one: either our root key opens them, or this node is sealed.
 */
function openOrSeal(deps: Deps, row: SealRow): boolean {
  try {
    lendRootKey(deps.keyring, (rootKey) => unlock(deps, row, rootKey))
    return true
  } catch (error) {
    sealAfterChange(deps, error)
    return false
  }
}

function sealAfterChange(deps: Deps, error: unknown): void {
  deps.log.warn({ error: textOf(error) }, 'the keys of the store have changed; server sealed')
  sealNow(deps)
}

/** Adopts the seal that a restore has written, and lets every feature start again with its keys. */
export async function adoptRestoredSeal(deps: Deps): Promise<void> {
  const node = sealNode(deps)
  node.progress.reset()
  node.row = await loadSeal(deps.db)
  warnOfSealType(deps, node.row)
  if (deps.keyring.state !== 'unsealed') return
  node.opened = node.row
  await deps.node.announceUnsealed()
}

/** The keys for which each share and the root token are encrypted; without a key they are shown as they are. */
type KeyHolders = { readonly shares: readonly Recipient[]; readonly rootToken: Recipient | undefined }

/** Reads the PGP keys for new shares before anything is created: one for each share, in their order, or none. */
export async function readHolders(
  sent: { readonly pgp_keys?: readonly string[] | undefined; readonly root_token_pgp_key?: string | undefined },
  shares: number,
  now: Instant,
): Promise<KeyHolders> {
  const keys = sent.pgp_keys ?? []
  if (keys.length > 0 && keys.length !== shares) {
    const text = `There must be as many pgp_keys as shares: ${keys.length} keys for ${shares} shares.`
    throw failure('invalid', 'seal.pgp-count', text)
  }
  const ofToken = sent.root_token_pgp_key
  return {
    shares: await Promise.all(keys.map((key, index) => readHolder(`pgp_keys, number ${index + 1}`, key, now))),
    rootToken: ofToken ? await readHolder('root_token_pgp_key', ofToken, now) : undefined,
  }
}

const base64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Reads the PGP key of one holder, for whom something is to be encrypted. */
export async function readHolder(field: string, text: string, now: Instant): Promise<Recipient> {
  // Keys contain line breaks, so white space is removed first: a pattern that allows it everywhere could take very
  // long.
  if (!base64.test(text.replace(/\s+/g, '')))
    throw failure('invalid', 'seal.pgp', `${field}: The PGP key is not in base64.`)
  try {
    return await readRecipient(Buffer.from(text, 'base64'), now)
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code !== 'openpgp.unusable-key') throw thrown
    throw failure('invalid', 'seal.pgp', `${field}: ${thrown.message}`)
  }
}

/** The answer to an initialisation. */
export async function toInitAnswer(
  { shares, rootToken }: Initialised,
  holders: KeyHolders,
): Promise<ShownShares & { root_token: string }> {
  const sealedToken = await holders.rootToken?.encrypt(rootToken)
  return { ...(await showShares(shares, holders)), root_token: sealedToken?.toString('base64') ?? rootToken }
}

/** Shares as they are shown, once. */
export type ShownShares = { keys: string[]; keys_base64: string[] }

/** Each share as it is, or its hex text in a message that only its holder can decrypt. */
export async function showShares(shares: readonly Buffer[], holders: Pick<KeyHolders, 'shares'>): Promise<ShownShares> {
  const shown = await Promise.all(
    shares.map((share, index) => holders.shares[index]?.encrypt(share.toString('hex')) ?? share),
  )
  return {
    keys: shown.map((bytes) => bytes.toString('hex')),
    keys_base64: shown.map((bytes) => bytes.toString('base64')),
  }
}

/** The fingerprints of PGP keys that were accepted before, as their owners know them. */
export const fingerprintsOf = (pgpKeys: readonly string[]): Promise<string[]> =>
  Promise.all(pgpKeys.map((key) => fingerprintOf(Buffer.from(key, 'base64'))))
