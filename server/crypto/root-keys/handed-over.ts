import type { Ids } from '../../kernel/ids.ts'
import { type Secret, secret } from '../../kernel/secret.ts'
import type { Keyring } from '../keyring.ts'
import { unwrapBytes, type WrapKind, wrapBytes } from '../wrap.ts'

const handoverKind: WrapKind = {
  magic: 'HFHO',
  code: 'handover',
  thing: 'The new root key',
  keyName: 'keyring',
  keyCode: 'wrong-key',
}

/** A new root key for whoever has opened this keyring with the old one, whichever data keys they know. */
export const handOver = (
  keyring: Pick<Keyring, 'derive'>,
  rootKey: Secret<Uint8Array>,
  ids: Pick<Ids, 'bytes'>,
): Buffer => withKey(keyring, (key) => wrapBytes(handoverKind, key, rootKey.reveal(), ids))

/** The root key that was handed over. Whoever asks for it wipes it. */
export const takeOver = (keyring: Pick<Keyring, 'derive'>, wrapped: Uint8Array): Secret<Buffer> =>
  withKey(keyring, (key) => secret(unwrapBytes(handoverKind, key, wrapped)))

function withKey<T>(keyring: Pick<Keyring, 'derive'>, use: (key: Buffer) => T): T {
  const key = keyring.derive('root key handover', 32)
  try {
    return use(key)
  } finally {
    key.fill(0)
  }
}

/** Lends a copy of the root key for as long as this takes, and wipes it. */
export function lendRootKey<T>(keyring: Pick<Keyring, 'rootKey'>, use: (rootKey: Secret<Buffer>) => T): T {
  const rootKey = keyring.rootKey()
  try {
    return use(rootKey)
  } finally {
    rootKey.reveal().fill(0)
  }
}
