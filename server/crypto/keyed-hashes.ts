import { hkdfSync } from 'node:crypto'
import { type PreparedHmac, prepareHmac } from './prepared-hmac.ts'

const mostRemembered = 256

/** Hashes under a key of its own for each purpose; the keys follow from one and are remembered. */
export class KeyedHashes {
  readonly #hashers = new Map<string, PreparedHmac>()

  /** HMAC-SHA256 as base64url. */
  hash(hashKey: Buffer, purpose: string, text: string): string {
    return (this.#hashers.get(purpose) ?? this.#prepare(hashKey, purpose))(text)
  }

  /** Wipes what was remembered. */
  forget(): void {
    for (const hasher of this.#hashers.values()) hasher.wipe()
    this.#hashers.clear()
  }

  #prepare(hashKey: Buffer, purpose: string): PreparedHmac {
    if (this.#hashers.size >= mostRemembered) this.forget()
    const key = Buffer.from(hkdfSync('sha256', hashKey, '', `holdfast ${purpose}`, 32))
    const hasher = prepareHmac(key, 'base64url')
    this.#hashers.set(purpose, hasher)
    return hasher
  }
}
