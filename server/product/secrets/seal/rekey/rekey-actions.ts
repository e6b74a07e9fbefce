import { timingSafeEqual } from 'node:crypto'
import { splitKey } from '../../../../crypto/key-shares.ts'
import { handOver } from '../../../../crypto/root-keys/handed-over.ts'
import { rootKeyBytes } from '../../../../crypto/root-keys/root-key.ts'
import { failure, textOf } from '../../../../kernel/failure.ts'
import { type Secret, secret } from '../../../../kernel/secret.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { untilWritten } from '../../../../kit/until-written.ts'
import type { Tx } from '../../../../storage/open.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { bumpVersion } from '../../../../storage/versions.ts'
import { changeKeys, fingerprintsOf, readHolders, type ShownShares, showShares } from '../key-change-actions.ts'
import { readShare, type SealRow, type ShareRound } from '../seal.ts'
import { requireSeal } from '../seal-node-actions.ts'
import { putHandover } from '../seal-store.ts'
import { wipe, withShare } from '../share-rounds/share-round.ts'
import {
  beginRound,
  contended,
  currentRound,
  forgetShares,
  type GivenShare,
  isKeyOf,
  isKeyOfStore,
  openShares,
  placeOf,
  refusedShares,
  requireNonce,
  storeShares,
} from '../share-rounds/share-round-actions.ts'
import { cancelRound, deleteRound, dropPendingBackup, endRounds } from '../share-rounds/share-round-store.ts'
import { byHolder, type RekeyTerms, requireSplit, type SharesByHolder } from './rekey.ts'
import { deleteBackup, loadBackup, putBackup } from './rekey-backup-store.ts'

/** The seal of a store that is opened with shares. */
export async function requireShares(deps: Deps): Promise<SealRow> {
  const row = await requireSeal(deps)
  if (row.type === 'shamir') return row
  throw failure('missing', 'rekey.auto-seal', 'This store unseals itself: it has no key shares that could be renewed.')
}

/** The new shares that are being made; undefined if nobody has begun. */
export const currentRekey = (deps: Deps): Promise<ShareRound | undefined> => currentRound(deps, 'rekey')

async function requireRekey(deps: Deps, nonce: string): Promise<ShareRound> {
  const row = await currentRekey(deps)
  if (!row) throw failure('invalid', 'rekey.none', 'No new key shares are being made; start with sys/rekey/init.')
  requireNonce(nonce, row.next_root_key ? row.verification_nonce : row.nonce)
  return row
}

/** Begins to make new shares. Nothing changes before enough holders have given the present ones. */
export async function startRekey(deps: Deps, terms: RekeyTerms): Promise<ShareRound> {
  await requireShares(deps)
  requireSplit(terms)
  const { shares, threshold, pgpKeys } = terms
  await readHolders({ pgp_keys: pgpKeys }, shares, deps.clock.now())
  const row = await beginRound(deps, {
    id: 'rekey',
    nonce: deps.ids.uuid(),
    shares,
    threshold,
    pgp_keys: JSON.stringify(pgpKeys),
    needs_verification: terms.needsVerification ? 1 : 0,
    keeps_backup: terms.keepsBackup ? 1 : 0,
  })
  if (!row) {
    const text = 'New key shares are being made already; finish that, or cancel it with DELETE sys/rekey/init.'
    throw failure('invalid', 'rekey.in-progress', text)
  }
  deps.log.warn({ shares, threshold }, 'making of new key shares started')
  return row
}

/** Gives up the making of new shares, if there is any; the present ones stay. */
export async function stopRekey(deps: Deps): Promise<void> {
  const row = await currentRekey(deps)
  if (!row) return
  await cancelRound(deps.db, row.nonce)
  deps.log.warn({}, 'making of new key shares cancelled')
}

/** What came of a share: progress, or, with the last one needed, the new shares. */
type Given = { readonly row: ShareRound; readonly shown?: ShownShares }

const given = (row: ShareRound | undefined): Given | undefined => row && { row }

/** Takes a present share. With the last one needed, the new shares are made, and count at once or after verification. */
export const giveShare = (deps: Deps, share: GivenShare): Promise<Given> =>
  untilWritten(async () => {
    const row = await requireRekey(deps, share.nonce)
    if (row.next_root_key) {
      throw failure('invalid', 'rekey.awaits-verification', 'The new shares exist; verify them with sys/rekey/verify.')
    }
    const seal = await requireShares(deps)
    const shares = withShare(openShares(deps, row, seal.shares), readShare(share.key, seal.shares))
    try {
      if (shares.length < seal.threshold) return given(await storeShares(deps, row, shares))
      if (!(await isKeyOf(shares, (key) => isKeyOfStore(deps, seal, key))))
        throw await refusedShares(deps, row, 'The key shares are not those of this store; give all of them again.')
      return await makeShares(deps, row)
    } finally {
      wipe(shares)
    }
  }, contended)

/** Takes a new share as a proof that its holder has it. With enough of them, the new shares replace the others. */
export const verifyShare = (deps: Deps, given: GivenShare): Promise<{ row: ShareRound; isComplete: boolean }> =>
  untilWritten(async () => {
    const row = await requireVerification(deps, given.nonce)
    const shares = withShare(openShares(deps, row, row.shares), readShare(given.key, row.shares))
    const nextRootKey = secret(deps.keyring.open(row.next_root_key, placeOf('next_root_key', row.nonce)))
    try {
      if (shares.length < row.threshold) {
        const stored = await storeShares(deps, row, shares)
        return stored && { row: stored, isComplete: false }
      }
      if (!(await isKeyOf(shares, (key) => timingSafeEqual(key, nextRootKey.reveal()))))
        throw await refusedShares(deps, row, 'These are not the new key shares; give all of them again.')
      await replaceRootKey(deps, row, nextRootKey)
      return { row, isComplete: true }
    } finally {
      wipe([...shares, nextRootKey.reveal()])
    }
  }, contended)

/** Forgets the new shares given so far; they are to be given again, under another nonce. */
export const restartVerification = (deps: Deps): Promise<ShareRound> =>
  untilWritten(async () => {
    const row = await currentRekey(deps)
    if (!row?.next_root_key) throw nothingToVerify()
    return await forgetShares(deps, row, { verification_nonce: deps.ids.uuid() })
  }, contended)

async function requireVerification(deps: Deps, nonce: string) {
  const row = await requireRekey(deps, nonce)
  const { next_root_key } = row
  if (!next_root_key) throw nothingToVerify()
  return { ...row, next_root_key }
}

const nothingToVerify = () => failure('invalid', 'rekey.nothing-to-verify', 'There are no new key shares to verify.')

/** Makes a root key and its shares. Undefined when somebody else changed the progress in between. */
async function makeShares(deps: Deps, row: ShareRound): Promise<Given | undefined> {
  const rootKey = secret(deps.ids.bytes(rootKeyBytes))
  const shares = await splitKey(rootKey.reveal(), row)
  try {
    const pgpKeys = JSON.parse(row.pgp_keys) as string[]
    const shown = await showShares(shares, await readHolders({ pgp_keys: pgpKeys }, row.shares, deps.clock.now()))
    const backup = row.keeps_backup ? sealBackup(deps, row, byHolder(await fingerprintsOf(pgpKeys), shown.keys)) : null
    if (!row.needs_verification) {
      await replaceRootKey(deps, { ...row, backup }, rootKey)
      return { row, shown }
    }
    const stored = await forgetShares(deps, row, {
      next_root_key: deps.keyring.seal(rootKey.reveal(), placeOf('next_root_key', row.nonce)),
      verification_nonce: deps.ids.uuid(),
      backup,
    })
    return stored && { row: stored, shown }
  } finally {
    wipe([...shares, rootKey.reveal()])
  }
}

/**
 * Stores the keys under another root key, which the new shares open, and hands it over to the other processes. From then
 * on, nothing may keep the new shares from being shown, such as that this server is sealed at the same moment.
 */
async function replaceRootKey(deps: Deps, row: ShareRound, rootKey: Secret<Buffer>): Promise<void> {
  const { keyring, ids, clock, log } = deps
  const { shares, threshold } = row
  let isStored = false
  const handover = { keyring_id: keyring.id, wrapped: handOver(keyring, rootKey, ids), created_at: clock.now() }
  try {
    await changeKeys(deps, (write) =>
      keyring.renewRootKey(rootKey, async (wrapped) => {
        await write({ wrapped, shares, threshold }, async (tx) => {
          if (!(await deleteRound(tx, row))) throw contended()
          // Shares that were given for a root token open nothing any more.
          await endRounds(tx, keyring.id)
          await keepBackup(tx, row)
          await putHandover(tx, handover)
          // A restore in progress may have wrapped the keys that it brings under the root key that ends here.
          bumpVersion(tx, 'everything')
        })
        isStored = true
      }),
    )
  } catch (thrown) {
    if (!isStored) throw thrown
    log.warn({ error: textOf(thrown) }, 'new root key stored, but not in use on this server')
  }
  log.warn({ shares, threshold }, 'key shares replaced: those before do not open the store any more')
}

const sealBackup = ({ keyring }: Deps, { nonce }: ShareRound, shares: SharesByHolder): Buffer =>
  keyring.seal(JSON.stringify(shares), placeOf('backup', nonce))

/** The copy goes with the shares that it holds: it replaces that of the shares before, which open nothing any more. */
async function keepBackup(tx: Tx, { keyring_id, nonce, backup }: ShareRound): Promise<void> {
  if (backup) await putBackup(tx, { keyring_id, nonce, shares: backup })
  else await deleteBackup(tx)
}

/** The encrypted shares that were kept: of new ones that await verification, or else of those that open the store. */
export async function readBackup(deps: Deps): Promise<{ nonce: string; shares: SharesByHolder }> {
  const row = await currentRekey(deps)
  const kept = await loadBackup(deps.db, deps.keyring.id)
  const found = row?.backup ? { nonce: row.nonce, shares: row.backup } : kept
  if (!found) throw noBackup()
  const opened = deps.keyring.open(found.shares, placeOf('backup', found.nonce))
  return { nonce: found.nonce, shares: JSON.parse(opened.toString()) as SharesByHolder }
}

/** Refuses to show what is not there. Clients know these words. */
export const noBackup = (): Error => failure('invalid', 'rekey.no-backup', 'no backed-up keys found')

/** Removes every kept copy of encrypted shares. */
export async function removeBackup(deps: Deps): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    await deleteBackup(tx)
    await dropPendingBackup(tx)
  })
  deps.log.warn({}, 'kept copy of encrypted key shares removed')
}
