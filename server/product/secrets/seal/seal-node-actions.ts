import { combineShares } from '../../../crypto/key-shares.ts'
import { failure } from '../../../kernel/failure.ts'
import { limitConcurrency } from '../../../kernel/limit-concurrency.ts'
import { type Deps, perApp } from '../../../kit/deps.ts'
import type { SealRow } from './seal.ts'
import { loadSeal } from './seal-store.ts'

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

export type SealNode = {
  row: SealRow | undefined
  /** The seal whose keys this node has opened; other nodes may have changed it since. */
  opened: SealRow | undefined
  /** Pending while keys of other nodes are being adopted. It never rejects. */
  following: Promise<void> | undefined
  /** How often it was sealed or lost its shares: a share that was received before must not count afterwards. */
  discards: number
  readonly progress: UnsealProgress
  /** Keys are added, and adopted from other nodes, one operation at a time. */
  readonly oneByOne: <T>(work: () => Promise<T>) => Promise<T>
}

/** The state of the seal in this node. */
export const sealNode = perApp<SealNode>(() => ({
  row: undefined,
  opened: undefined,
  following: undefined,
  discards: 0,
  progress: new UnsealProgress(),
  oneByOne: limitConcurrency(1),
}))

/** Reads the seal from the store; refuses if there is none. */
export async function requireSeal(deps: Deps): Promise<SealRow> {
  const row = await loadSeal(deps.db)
  if (!row) throw failure('invalid', 'seal.uninitialised', 'Holdfast is not initialised; call sys/init first.')
  sealNode(deps).row = row
  return row
}
