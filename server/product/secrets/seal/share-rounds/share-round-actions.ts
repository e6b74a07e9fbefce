import { timingSafeEqual } from 'node:crypto'
import { combineShares } from '../../../../crypto/key-shares.ts'
import type { Place } from '../../../../crypto/keyring.ts'
import { lendRootKey } from '../../../../crypto/root-keys/handed-over.ts'
import { recoverRootKey } from '../../../../crypto/root-keys/recovery-key.ts'
import { later } from '../../../../kernel/clock.ts'
import { Failure, failure } from '../../../../kernel/failure.ts'
import { secret } from '../../../../kernel/secret.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import type { SealRow, ShareRound, ShareRoundId } from '../seal.ts'
import { longestRoundMs, sharesIn } from './share-round.ts'
import { insertRound, loadRound, type ShareRoundChange, swapRound } from './share-round-store.ts'

/** A share that a holder gives, and which round it is meant for. */
export type GivenShare = { readonly key: string; readonly nonce: string }

const oldest = ({ clock }: Deps) => later(clock.now(), -longestRoundMs)

/** The round in progress; undefined if nobody has begun. */
export const currentRound = (deps: Deps, id: ShareRoundId): Promise<ShareRound | undefined> =>
  loadRound(deps.db, id, { keyringId: deps.keyring.id, since: oldest(deps) })

/** What one kind of round is begun with. */
type RoundTerms = Pick<ShareRound, 'id' | 'nonce' | 'shares' | 'threshold' | 'pgp_keys'> &
  Partial<Pick<ShareRound, 'needs_verification' | 'keeps_backup' | 'otp'>>

/** Begins to collect shares. Undefined if that has begun already. */
export async function beginRound(deps: Deps, terms: RoundTerms): Promise<ShareRound | undefined> {
  const row: ShareRound = {
    needs_verification: 0,
    keeps_backup: 0,
    otp: null,
    ...terms,
    keyring_id: deps.keyring.id,
    given: sealShares(deps, terms.nonce, []),
    given_count: 0,
    next_root_key: null,
    verification_nonce: '',
    backup: null,
    revision: 1,
    started_at: deps.clock.now(),
  }
  return (await inTransaction(deps.db, (tx) => insertRound(tx, row, oldest(deps)))) ? row : undefined
}

/** Refuses a share that is meant for another round than the one it would count in. */
export function requireNonce(given: string, expected: string): void {
  if (given === expected) return
  throw failure('invalid', 'shares.wrong-nonce', `The nonce is not that of the operation in progress, ${expected}.`)
}

/** Refuses the loser of a race. */
export const contended = (): Failure =>
  failure('conflict', 'shares.contended', 'Several shares arrived at the same moment; send yours again.')

/** Stores the shares given so far. Undefined when somebody else was faster. */
export const storeShares = (deps: Deps, row: ShareRound, shares: readonly Buffer[]): Promise<ShareRound | undefined> =>
  swapRound(deps.db, row, { given: sealShares(deps, row.nonce, shares), given_count: shares.length })

/** Forgets the shares given so far, whatever else changes. Undefined when somebody else was faster. */
export const forgetShares = (
  deps: Deps,
  row: ShareRound,
  change: Omit<ShareRoundChange, 'given' | 'given_count'> = {},
): Promise<ShareRound | undefined> =>
  swapRound(deps.db, row, { ...change, given: sealShares(deps, row.nonce, []), given_count: 0 })

/** Forgets the shares given so far, and says why. */
export async function refusedShares(deps: Deps, row: ShareRound, text: string): Promise<Error> {
  await forgetShares(deps, row)
  return failure('invalid', 'shares.wrong', text)
}

/** True if these shares together are the right key. */
export async function isKeyOf(shares: readonly Buffer[], isRight: (key: Buffer) => boolean): Promise<boolean> {
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

/** True if this is what the holders of the store have together: its root key, or its recovery key. */
export function isKeyOfStore(deps: Pick<Deps, 'keyring'>, seal: SealRow, key: Buffer): boolean {
  const rootKey = seal.recovery ? recovered(seal.recovery, key) : Buffer.from(key)
  try {
    return lendRootKey(deps.keyring, (own) => rootKey !== undefined && timingSafeEqual(rootKey, own.reveal()))
  } finally {
    rootKey?.fill(0)
  }
}

function recovered(copy: Uint8Array, key: Buffer): Buffer | undefined {
  try {
    return recoverRootKey(copy, secret(key)).reveal()
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'recovery.wrong-key') return undefined
    throw thrown
  }
}

/** Where a sealed value of a round is kept. */
export const placeOf = (column: 'given' | 'next_root_key' | 'otp' | 'backup', nonce: string): Place => ({
  table: 'rekey',
  column,
  row: nonce,
})

const sealShares = ({ keyring }: Deps, nonce: string, shares: readonly Buffer[]): Buffer =>
  keyring.seal(Buffer.concat(shares), placeOf('given', nonce))

/** The shares given so far, of a key that is split into `count`. */
export function openShares({ keyring }: Deps, row: ShareRound, count: number): Buffer[] {
  const bytes = keyring.open(row.given, placeOf('given', row.nonce))
  try {
    return sharesIn(bytes, count)
  } finally {
    bytes.fill(0)
  }
}
