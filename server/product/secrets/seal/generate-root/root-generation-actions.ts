import { maskToken, requireOtpLength } from '../../../../crypto/token-mask.ts'
import { failure } from '../../../../kernel/failure.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { untilWritten } from '../../../../kit/until-written.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { newRootToken, storeRootToken } from '../init-actions.ts'
import { readHolder } from '../key-change-actions.ts'
import { readShare, type ShareRound } from '../seal.ts'
import { requireSeal } from '../seal-node-actions.ts'
import { wipe, withShare } from '../share-rounds/share-round.ts'
import {
  beginRound,
  contended,
  currentRound,
  type GivenShare,
  isKeyOf,
  isKeyOfStore,
  openShares,
  placeOf,
  refusedShares,
  requireNonce,
  storeShares,
} from '../share-rounds/share-round-actions.ts'
import { cancelRound, deleteRound } from '../share-rounds/share-round-store.ts'

/** How long a one-time password must be: as long as a root token. */
export const otpLength = (deps: Deps): number => newRootToken(deps).length

/** The root token that is being made; undefined if nobody has begun. */
export const currentGeneration = (deps: Deps): Promise<ShareRound | undefined> => currentRound(deps, 'generate-root')

/** How the token is to be hidden from everybody but the one who began. */
export type TokenCover = { readonly otp?: string | undefined; readonly pgpKey?: string | undefined }

/** A one-time password for somebody who has sent none. */
export const newOtp = (deps: Deps): string => deps.ids.text(otpLength(deps))

/** Begins to make a root token. Nothing is made before enough holders have given their shares. */
export async function startGeneration(deps: Deps, { otp, pgpKey }: TokenCover): Promise<ShareRound> {
  if (otp && pgpKey) throw failure('invalid', 'root.two-covers', 'Send otp or pgp_key, not both.')
  if (otp) requireOtpLength(otp, otpLength(deps))
  if (pgpKey) await readHolder('pgp_key', pgpKey, deps.clock.now())
  const { shares, threshold } = await requireSeal(deps)
  const nonce = deps.ids.uuid()
  const row = await beginRound(deps, {
    id: 'generate-root',
    nonce,
    shares,
    threshold,
    pgp_keys: JSON.stringify(pgpKey ? [pgpKey] : []),
    otp: otp ? deps.keyring.seal(otp, placeOf('otp', nonce)) : null,
  })
  if (!row) {
    const text = 'A root token is being made already; finish that, or cancel it with DELETE sys/generate-root/attempt.'
    throw failure('invalid', 'root.in-progress', text)
  }
  deps.log.warn({ nonce }, 'making of a root token started')
  return row
}

/** Gives up the making of a root token, if there is any. */
export async function stopGeneration(deps: Deps): Promise<void> {
  const row = await currentGeneration(deps)
  if (!row) return
  await cancelRound(deps.db, row.nonce)
  deps.log.warn({ nonce: row.nonce }, 'making of a root token cancelled')
}

/** What came of a share: progress, or, with the last one needed, the root token as only the one who began can read it. */
type Given = { readonly row: ShareRound; readonly encodedToken: string }

/** Takes a share of those that open the store, or the recovery key of one that unseals itself. */
export const giveRootShare = (deps: Deps, share: GivenShare): Promise<Given> =>
  untilWritten(async () => {
    const row = await currentGeneration(deps)
    if (!row) {
      const text = 'No root token is being made; start with sys/generate-root/attempt.'
      throw failure('invalid', 'root.none', text)
    }
    requireNonce(share.nonce, row.nonce)
    const seal = await requireSeal(deps)
    const shares = withShare(openShares(deps, row, seal.shares), readShare(share.key, seal.shares))
    try {
      if (shares.length < seal.threshold) {
        const stored = await storeShares(deps, row, shares)
        return stored && { row: stored, encodedToken: '' }
      }
      if (!(await isKeyOf(shares, (key) => isKeyOfStore(deps, seal, key)))) {
        const what = seal.recovery ? 'This is not the recovery key' : 'The key shares are not those'
        throw await refusedShares(deps, row, `${what} of this store; progress starts again at 0.`)
      }
      return { row: { ...row, given_count: shares.length }, encodedToken: await makeRootToken(deps, row) }
    } finally {
      wipe(shares)
    }
  }, contended)

/** The token is hidden before it is stored: one that nobody can read must not stay behind. */
async function makeRootToken(deps: Deps, row: ShareRound): Promise<string> {
  const token = newRootToken(deps)
  const encoded = await coverToken(deps, row, token)
  await inTransaction(
    deps.db,
    async (tx) => {
      if (!(await deleteRound(tx, row))) throw contended()
      await storeRootToken(tx, deps, token)
    },
    { operationId: deps.ids.uuid() },
  )
  deps.log.warn({ nonce: row.nonce }, 'root token made from key shares')
  return encoded
}

async function coverToken({ keyring, clock }: Deps, row: ShareRound, token: string): Promise<string> {
  if (row.otp) return maskToken(token, keyring.open(row.otp, placeOf('otp', row.nonce)).toString())
  const [pgpKey = ''] = JSON.parse(row.pgp_keys) as string[]
  const holder = await readHolder('pgp_key', pgpKey, clock.now())
  return (await holder.encrypt(token)).toString('base64')
}
