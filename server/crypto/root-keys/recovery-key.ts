import type { Ids } from '../../kernel/ids.ts'
import { type Secret, secret } from '../../kernel/secret.ts'
import { unwrapBytes, type WrapKind, wrapBytes } from '../wrap.ts'

const recoveryKind: WrapKind = {
  magic: 'HFRC',
  code: 'recovery',
  thing: 'The recovery copy of the root key',
  keyName: 'recovery key',
  keyCode: 'wrong-key',
}

/** A copy of the root key that only a new recovery key opens. The recovery key is shown once and stored nowhere. */
export function wrapForRecovery(
  ids: Pick<Ids, 'bytes'>,
  rootKey: Secret<Uint8Array>,
): { recoveryKey: Secret<Buffer>; wrapped: Buffer } {
  const recoveryKey = ids.bytes(32)
  return { recoveryKey: secret(recoveryKey), wrapped: wrapBytes(recoveryKind, recoveryKey, rootKey.reveal(), ids) }
}

/** The root key from its recovery copy, or a failure that says whether the key or the copy is wrong. */
export const recoverRootKey = (wrapped: Uint8Array, recoveryKey: Secret<Uint8Array>): Secret<Buffer> =>
  secret(unwrapBytes(recoveryKind, recoveryKey.reveal(), wrapped))
