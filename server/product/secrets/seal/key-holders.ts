import { encryptFor } from '../../../crypto/openpgp/encrypt.ts'
import type { PublicKey } from '../../../crypto/openpgp/public-key.ts'
import { findRecipient, mainKey } from '../../../crypto/openpgp/recipient.ts'
import type { Instant } from '../../../kernel/clock.ts'
import { Failure, failure } from '../../../kernel/failure.ts'
import type { Ids } from '../../../kernel/ids.ts'
import type { Initialised } from './init-actions.ts'

/** The keys for which each share and the root token are encrypted; without a key they are shown as they are. */
type KeyHolders = { readonly shares: readonly PublicKey[]; readonly rootToken: PublicKey | undefined }

/** Reads the PGP keys for new shares before anything is created: one for each share, in their order, or none. */
export function readHolders(
  sent: { readonly pgp_keys?: readonly string[] | undefined; readonly root_token_pgp_key?: string | undefined },
  shares: number,
  now: Instant,
): KeyHolders {
  const keys = sent.pgp_keys ?? []
  if (keys.length > 0 && keys.length !== shares) {
    const text = `There must be as many pgp_keys as shares: ${keys.length} keys for ${shares} shares.`
    throw failure('invalid', 'seal.pgp-count', text)
  }
  const ofToken = sent.root_token_pgp_key
  return {
    shares: keys.map((key, index) => readHolder(`pgp_keys, number ${index + 1}`, key, now)),
    rootToken: ofToken ? readHolder('root_token_pgp_key', ofToken, now) : undefined,
  }
}

const base64 = /^[A-Za-z0-9+/]+={0,2}$/

function readHolder(field: string, text: string, now: Instant): PublicKey {
  // Keys contain line breaks, so white space is removed first: a pattern that allows it everywhere could take very
  // long.
  if (!base64.test(text.replace(/\s+/g, '')))
    throw failure('invalid', 'seal.pgp', `${field}: The PGP key is not in base64.`)
  try {
    return findRecipient(Buffer.from(text, 'base64'), now)
  } catch (thrown) {
    if (thrown instanceof Failure) throw failure('invalid', 'seal.pgp', `${field}: ${thrown.message}`)
    throw thrown
  }
}

/** The answer to an initialisation. */
export function toInitAnswer(
  { shares, rootToken }: Initialised,
  holders: KeyHolders,
  ids: Pick<Ids, 'bytes'>,
): ShownShares & { root_token: string } {
  return {
    ...showShares(shares, holders, ids),
    root_token: holders.rootToken ? encryptFor(holders.rootToken, rootToken, ids).toString('base64') : rootToken,
  }
}

/** Shares as they are shown, once. */
export type ShownShares = { keys: string[]; keys_base64: string[] }

/** Each share as it is, or its hex text in a message that only its holder can decrypt. */
export function showShares(
  shares: readonly Buffer[],
  holders: Pick<KeyHolders, 'shares'>,
  ids: Pick<Ids, 'bytes'>,
): ShownShares {
  const shown = shares.map((share, index) => {
    const holder = holders.shares[index]
    return holder ? encryptFor(holder, share.toString('hex'), ids) : share
  })
  return {
    keys: shown.map((bytes) => bytes.toString('hex')),
    keys_base64: shown.map((bytes) => bytes.toString('base64')),
  }
}

/** The fingerprints of PGP keys that were accepted before, as their owners know them. */
export const fingerprintsOf = (pgpKeys: readonly string[]): string[] =>
  pgpKeys.map((key) => mainKey(Buffer.from(key, 'base64')).fingerprint.toString('hex'))
