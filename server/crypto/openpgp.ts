import type { Key } from 'openpgp'
import type { Instant } from '../kernel/clock.ts'
import { failure, textOf } from '../kernel/failure.ts'
import { requirePackages } from '../kernel/optional-packages.ts'

/** Somebody who can read what is encrypted with their public PGP key. */
export type Recipient = { readonly encrypt: (text: string) => Promise<Buffer> }

/** Reads a public key, and refuses it unless a message can be encrypted with it now. */
export async function readRecipient(bytes: Buffer, now: Instant): Promise<Recipient> {
  const { createMessage, encrypt } = await loadPackage()
  const encryptionKeys = await readKey(bytes)
  const date = new Date(now)
  const recipient = {
    encrypt: async (text: string): Promise<Buffer> => {
      const message = await createMessage({ binary: Buffer.from(text), date })
      return Buffer.from(await encrypt({ message, encryptionKeys, date, format: 'binary' }))
    },
  }
  await recipient.encrypt('').catch((cause) => {
    const reason = textOf(cause).replace(/^Error encrypting message: /, '')
    throw unusable(`cannot be used to encrypt: ${reason}. Export a valid key that has a part for encryption.`, cause)
  })
  return recipient
}

/** The fingerprint by which people know each other's keys. */
export const fingerprintOf = async (bytes: Buffer): Promise<string> => (await readKey(bytes)).getFingerprint()

async function readKey(bytes: Buffer): Promise<Key> {
  const { readKeys } = await loadPackage()
  const [key, second] = await readKeys({ binaryKeys: bytes }).catch((cause) => {
    throw unusable(`cannot be read: ${textOf(cause)}`, cause)
  })
  if (!key) throw unusable('is empty.')
  if (key.isPrivate()) throw unusable('is a private key; give the public one.')
  if (second) throw unusable('comes with a second one; give one key each.')
  return key
}

const unusable = (what: string, cause?: unknown): Error =>
  failure('invalid', 'openpgp.unusable-key', `The PGP key ${what}`, { cause })

/** The package is large, few need it, and its licence differs from ours: it is optional, and loaded when first used. */
async function loadPackage(): Promise<typeof import('openpgp')> {
  requirePackages('PGP keys', ['openpgp'])
  return await import('openpgp')
}
