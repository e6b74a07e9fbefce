import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { Keyring } from '../../crypto/keyring.ts'
import type { Ids } from '../../kernel/ids.ts'

const purpose = 'snapshot-integrity'
const version = 1
const nonceBytes = 12
const tagBytes = 16

/**
 * The checksums once more, encrypted under a key that only this keyring derives: whoever opens them knows that nobody
 * without the keys has changed the archive. Rotation does not change the key, so old archives stay provable.
 */
export function sealSums(keyring: Keyring, ids: Pick<Ids, 'bytes'>, sums: string): Buffer {
  const key = keyring.derive(purpose, 32)
  const nonce = ids.bytes(nonceBytes)
  const encryption = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  const sealed = Buffer.concat([Buffer.of(version), nonce, encryption.update(sums, 'utf8'), encryption.final()])
  key.fill(0)
  return Buffer.concat([sealed, encryption.getAuthTag()])
}

/** True if these checksums were sealed with this keyring; false for other keys and for forgeries alike. */
export function verifySealedSums(keyring: Keyring, sealed: Buffer, sums: string): boolean {
  if (sealed.length < 1 + nonceBytes + tagBytes || sealed.readUInt8(0) !== version) return false
  const key = keyring.derive(purpose, 32)
  const decryption = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + nonceBytes), {
    authTagLength: tagBytes,
  })
  decryption.setAuthTag(sealed.subarray(-tagBytes))
  try {
    const opened = Buffer.concat([decryption.update(sealed.subarray(1 + nonceBytes, -tagBytes)), decryption.final()])
    return opened.equals(Buffer.from(sums))
  } catch {
    // The tag does not match: other keys, or changed on purpose. The difference is not revealed.
    return false
  } finally {
    key.fill(0)
  }
}
