import { timingSafeEqual } from 'node:crypto'
import { combineShares, splitKey } from '../../../../crypto/key-shares.ts'
import type { Place } from '../../../../crypto/keyring.ts'
import { handOver, lendRootKey } from '../../../../crypto/root-keys/handed-over.ts'
import { rootKeyBytes } from '../../../../crypto/root-keys/root-key.ts'
import { later } from '../../../../kernel/clock.ts'
import { Failure, failure, textOf } from '../../../../kernel/failure.ts'
import { type Secret, secret } from '../../../../kernel/secret.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { untilWritten } from '../../../../kit/until-written.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { bumpVersion } from '../../../../storage/versions.ts'
import { changeKeys, readHolders, type ShownShares, showShares } from '../key-change-actions.ts'
import { type RekeyRow, readShare, type SealRow } from '../seal.ts'
import { requireSeal } from '../seal-node-actions.ts'
import { putHandover } from '../seal-store.ts'
import { longestRekeyMs, type RekeyTerms, requireSplit, sharesIn, wipe, withShare } from './rekey.ts'
import { cancelRekey, deleteRekey, insertRekey, loadRekey, swapRekey } from './rekey-store.ts'

/** A share that a holder gives, and which making of new shares it is meant for. */
export type GivenShare = { readonly key: string; readonly nonce: string }

/** The seal of a store that is opened with shares. */
export async function requireShares(deps: Deps): Promise<SealRow> {
  const row = await requireSeal(deps)
  if (row.type === 'shamir') return row
  throw failure('missing', 'rekey.auto-seal', 'This store unseals itself: it has no key shares that could be renewed.')
}

const oldest = ({ clock }: Deps) => later(clock.now(), -longestRekeyMs)

/** The new shares that are being made; undefined if nobody has begun. */
export const currentRekey = (deps: Deps): Promise<RekeyRow | undefined> =>
  loadRekey(deps.db, deps.keyring.id, oldest(deps))

async function requireRekey(deps: Deps, nonce: string): Promise<RekeyRow> {
  const row = await currentRekey(deps)
  if (!row) throw failure('invalid', 'rekey.none', 'No new key shares are being made; start with sys/rekey/init.')
  const expected = row.next_root_key ? row.verification_nonce : row.nonce
  if (nonce === expected) return row
  throw failure('invalid', 'rekey.wrong-nonce', `The nonce is not that of the operation in progress, ${expected}.`)
}

/** Begins to make new shares. Nothing changes before enough holders have given the present ones. */
export async function startRekey(deps: Deps, terms: RekeyTerms, needsVerification: boolean): Promise<RekeyRow> {
  await requireShares(deps)
  requireSplit(terms)
  await readHolders({ pgp_keys: terms.pgpKeys }, terms.shares, deps.clock.now())
  const nonce = deps.ids.uuid()
  const begun = {
    keyring_id: deps.keyring.id,
    nonce,
    shares: terms.shares,
    threshold: terms.threshold,
    pgp_keys: JSON.stringify(terms.pgpKeys),
    needs_verification: needsVerification ? 1 : 0,
    given: sealShares(deps, nonce, []),
    given_count: 0,
    next_root_key: null,
    verification_nonce: '',
    revision: 1,
    started_at: deps.clock.now(),
  }
  const row = await inTransaction(deps.db, (tx) => insertRekey(tx, begun, oldest(deps)))
  if (!row) {
    const text = 'New key shares are being made already; finish that, or cancel it with DELETE sys/rekey/init.'
    throw failure('invalid', 'rekey.in-progress', text)
  }
  deps.log.warn({ shares: row.shares, threshold: row.threshold }, 'making of new key shares started')
  return row
}

/** Gives up the making of new shares, if there is any; the present ones stay. */
export async function stopRekey(deps: Deps): Promise<void> {
  const row = await currentRekey(deps)
  if (!row) return
  await cancelRekey(deps.db, row.nonce)
  deps.log.warn({}, 'making of new key shares cancelled')
}

/** What came of a share: progress, or, with the last one needed, the new shares. */
type Given = { readonly row: RekeyRow; readonly shown?: ShownShares }

/** Takes a present share. With the last one needed, the new shares are made, and count at once or after verification. */
export const giveShare = (deps: Deps, given: GivenShare): Promise<Given> =>
  untilWritten(async () => {
    const row = await requireRekey(deps, given.nonce)
    if (row.next_root_key) {
      throw failure('invalid', 'rekey.awaits-verification', 'The new shares exist; verify them with sys/rekey/verify.')
    }
    const seal = await requireShares(deps)
    const shares = withShare(openShares(deps, row, seal.shares), readShare(given.key, seal.shares))
    try {
      if (shares.length < seal.threshold) return await storeProgress(deps, row, shares)
      const isRootKey = (key: Buffer) => lendRootKey(deps.keyring, (own) => timingSafeEqual(key, own.reveal()))
      if (!(await isKeyOf(shares, isRootKey)))
        throw await refused(deps, row, 'The key shares are not those of this store; give all of them again.')
      return await makeShares(deps, row)
    } finally {
      wipe(shares)
    }
  }, contended)

/** Takes a new share as a proof that its holder has it. With enough of them, the new shares replace the others. */
export const verifyShare = (deps: Deps, given: GivenShare): Promise<{ row: RekeyRow; isComplete: boolean }> =>
  untilWritten(async () => {
    const row = await requireVerification(deps, given.nonce)
    const shares = withShare(openShares(deps, row, row.shares), readShare(given.key, row.shares))
    const nextRootKey = secret(deps.keyring.open(row.next_root_key, placeOf('next_root_key', row.nonce)))
    try {
      if (shares.length < row.threshold) {
        const stored = await storeProgress(deps, row, shares)
        return stored && { row: stored.row, isComplete: false }
      }
      if (!(await isKeyOf(shares, (key) => timingSafeEqual(key, nextRootKey.reveal()))))
        throw await refused(deps, row, 'These are not the new key shares; give all of them again.')
      await replaceRootKey(deps, row, nextRootKey)
      return { row, isComplete: true }
    } finally {
      wipe([...shares, nextRootKey.reveal()])
    }
  }, contended)

/** Forgets the new shares given so far; they are to be given again, under another nonce. */
export const restartVerification = (deps: Deps): Promise<RekeyRow> =>
  untilWritten(async () => {
    const row = await currentRekey(deps)
    if (!row?.next_root_key) throw nothingToVerify()
    return await forget(deps, row, { verification_nonce: deps.ids.uuid() })
  }, contended)

async function requireVerification(deps: Deps, nonce: string) {
  const row = await requireRekey(deps, nonce)
  const { next_root_key } = row
  if (!next_root_key) throw nothingToVerify()
  return { ...row, next_root_key }
}

const nothingToVerify = () => failure('invalid', 'rekey.nothing-to-verify', 'There are no new key shares to verify.')

const contended = () =>
  failure('conflict', 'rekey.contended', 'Several shares arrived at the same moment; send yours again.')

async function storeProgress(deps: Deps, row: RekeyRow, shares: readonly Buffer[]): Promise<Given | undefined> {
  const change = { given: sealShares(deps, row.nonce, shares), given_count: shares.length }
  const stored = await swapRekey(deps.db, row, change)
  return stored && { row: stored }
}

/** Forgets the shares given so far, and says why. */
async function refused(deps: Deps, row: RekeyRow, text: string): Promise<Error> {
  await forget(deps, row)
  return failure('invalid', 'rekey.wrong-shares', text)
}

const forget = (deps: Deps, row: RekeyRow, change: Pick<Partial<RekeyRow>, 'verification_nonce'> = {}) =>
  swapRekey(deps.db, row, { ...change, given: sealShares(deps, row.nonce, []), given_count: 0 })

/** True if these shares together are the right key. */
async function isKeyOf(shares: readonly Buffer[], isRight: (key: Buffer) => boolean): Promise<boolean> {
  let key: Buffer | undefined
  try {
    key = await combineShares(shares)
    return isRight(key)
  } catch (thrown) {
    // Two shares of the same holder, one of them mistyped.
    if (thrown instanceof Failure && thrown.code.startsWith('shamir.')) return false
    throw thrown
  } finally {
    key?.fill(0)
  }
}

/** Makes a root key and its shares. Undefined when somebody else changed the progress in between. */
async function makeShares(deps: Deps, row: RekeyRow): Promise<Given | undefined> {
  const rootKey = secret(deps.ids.bytes(rootKeyBytes))
  const shares = await splitKey(rootKey.reveal(), row)
  try {
    const holders = await readHolders({ pgp_keys: JSON.parse(row.pgp_keys) as string[] }, row.shares, deps.clock.now())
    const shown = await showShares(shares, holders)
    if (!row.needs_verification) {
      await replaceRootKey(deps, row, rootKey)
      return { row, shown }
    }
    const stored = await swapRekey(deps.db, row, {
      given: sealShares(deps, row.nonce, []),
      given_count: 0,
      next_root_key: deps.keyring.seal(rootKey.reveal(), placeOf('next_root_key', row.nonce)),
      verification_nonce: deps.ids.uuid(),
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
async function replaceRootKey(deps: Deps, row: RekeyRow, rootKey: Secret<Buffer>): Promise<void> {
  const { keyring, ids, clock, log } = deps
  const { shares, threshold } = row
  let isStored = false
  const handover = { keyring_id: keyring.id, wrapped: handOver(keyring, rootKey, ids), created_at: clock.now() }
  try {
    await changeKeys(deps, (write) =>
      keyring.renewRootKey(rootKey, async (wrapped) => {
        await write({ wrapped, shares, threshold }, async (tx) => {
          if (!(await deleteRekey(tx, row))) throw contended()
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

const placeOf = (column: 'given' | 'next_root_key', nonce: string): Place => ({ table: 'rekey', column, row: nonce })

const sealShares = ({ keyring }: Deps, nonce: string, shares: readonly Buffer[]): Buffer =>
  keyring.seal(Buffer.concat(shares), placeOf('given', nonce))

/** The shares given so far, of a key that is split into `count`. */
function openShares({ keyring }: Deps, row: RekeyRow, count: number): Buffer[] {
  const bytes = keyring.open(row.given, placeOf('given', row.nonce))
  try {
    return sharesIn(bytes, count)
  } finally {
    bytes.fill(0)
  }
}
