import type { Secret } from '../../kernel/secret.ts'
import type { Keyring } from '../keyring.ts'

/** Lends a copy of the root key for as long as this takes, and wipes it. */
export function lendRootKey<T>(keyring: Pick<Keyring, 'rootKey'>, use: (rootKey: Secret<Buffer>) => T): T {
  const rootKey = keyring.rootKey()
  try {
    return use(rootKey)
  } finally {
    rootKey.reveal().fill(0)
  }
}
