import { fingerprintOf, type Recipient, readRecipient } from '../../../crypto/openpgp.ts'
import type { Instant } from '../../../kernel/clock.ts'
import { Failure, failure } from '../../../kernel/failure.ts'
import type { Initialised } from './init-actions.ts'

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

async function readHolder(field: string, text: string, now: Instant): Promise<Recipient> {
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
