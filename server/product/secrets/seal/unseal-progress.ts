import { combineShares } from '../../../crypto/key-shares.ts'
import { failure } from '../../../kernel/failure.ts'

/** Key shares submitted so far. They are wiped from memory as soon as they are combined or given up. */
export class UnsealProgress {
  #shares: Buffer[] = []
  #nonce = ''

  get count(): number {
    return this.#shares.length
  }

  /** Identifies this unsealing while it lasts. */
  get nonce(): string {
    return this.#nonce
  }

  /**
   * Takes a share; the same one twice counts once. The first one sets the nonce. Returns the root key once the
   * threshold is reached.
   */
  async add(share: Buffer, threshold: number, nonce: string): Promise<Buffer | undefined> {
    if (this.#shares.some((known) => known.equals(share))) share.fill(0)
    else this.#shares.push(share)
    if (this.#nonce === '') this.#nonce = nonce
    if (this.#shares.length < threshold) return undefined
    const gathered = this.#shares
    this.#shares = []
    this.#nonce = ''
    try {
      return await combineShares(gathered)
    } catch (cause) {
      throw failure('invalid', 'seal.bad-shares', 'The key shares do not fit together; start again with all of them.', {
        cause,
      })
    } finally {
      for (const each of gathered) each.fill(0)
    }
  }

  /** Forgets every share. */
  reset(): void {
    for (const share of this.#shares) share.fill(0)
    this.#shares = []
    this.#nonce = ''
  }
}
