import type { Instant } from '../kernel/clock.ts'
import type { Deps } from '../kit/deps.ts'
import { signEvery } from '../kit/nodes/node.ts'
import { forgetHolders, loadHoldersNamed, saveSign, saveStop } from '../kit/nodes/node-store.ts'
import { isHolderGone } from './holder-name.ts'

/** Tells those who share the store that this node is there. A sealed node tells nothing. */
export class SignsOfLife {
  readonly #deps: Deps
  readonly #holder: string
  #startedAt: Instant | undefined
  #nextAt = Number.NEGATIVE_INFINITY
  #wasGiven = false

  constructor(deps: Deps, holder: string) {
    this.#deps = deps
    this.#holder = holder
  }

  /** Gives a sign if one is due. Work goes on without it: the database may refuse writes. */
  async giveIfDue(now: Instant): Promise<void> {
    this.#startedAt ??= now
    const at = this.#deps.clock.monotonic()
    if (at < this.#nextAt || this.#isSealed()) return
    this.#nextAt = at + signEvery
    try {
      await this.#give(this.#startedAt, now)
    } catch (error) {
      this.#deps.log.warn({ error }, 'sign of life not written')
    }
  }

  /** Tells that the node stops, if anybody was told that it is there. */
  async stop(): Promise<void> {
    if (!this.#wasGiven || this.#isSealed()) return
    await saveStop(this.#deps.db, this.#holder, await this.#deps.store.databaseNow())
  }

  async #give(startedAt: Instant, now: Instant): Promise<void> {
    const { db, settings, store } = this.#deps
    const { nodeName: name, nodeAddress: address, baseUrl, version, compatVersion } = settings
    const about = { name, address, baseUrl, version, compatVersion, clockSkew: store.clockSkew() }
    await saveSign(db, { holder: this.#holder, ...about, startedAt }, now)
    if (this.#wasGiven) return
    // This process has come in the place of those.
    const gone = (await loadHoldersNamed(db, name)).filter((holder) => isHolderGone(holder, name))
    await forgetHolders(db, gone)
    this.#wasGiven = true
  }

  #isSealed(): boolean {
    return this.#deps.keyring.state !== 'unsealed'
  }
}
