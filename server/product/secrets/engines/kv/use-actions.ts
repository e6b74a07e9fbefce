import { setTimeout as sleep } from 'node:timers/promises'
import { textOf } from '../../../../kernel/failure.ts'
import type { Principal } from '../../../../kernel/principal.ts'
import { type Deps, perApp } from '../../../../kit/deps.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { callerToken } from '../../tokens/index.ts'
import { rulesOf } from './kv-actions.ts'
import type { Use } from './use.ts'
import { putUses } from './use-store.ts'

/** Uses are written together after this many milliseconds. */
const writeAfter = 60_000

/** Uses that wait in memory; when there are so many, they are written at once. */
const mostWaiting = 5_000

/** Rows of one transaction. */
const rowsAtOnce = 250

type UseDeps = Pick<Deps, 'db' | 'store' | 'clock' | 'log'>

/** Counts uses in memory, so that no read waits for a write. */
class UseRecorder {
  readonly #deps: UseDeps
  #waiting = new Map<string, Use>()
  #isDue = false
  #writing: Promise<void> = Promise.resolve()

  constructor(deps: UseDeps) {
    this.#deps = deps
  }

  note(use: Omit<Use, 'firstAt' | 'lastAt' | 'count'>): void {
    const at = this.#deps.clock.now()
    const key = `${use.secretId} ${use.operation} ${use.entityId}`
    const known = this.#waiting.get(key)
    this.#waiting.set(key, { ...use, firstAt: known?.firstAt ?? at, lastAt: at, count: (known?.count ?? 0) + 1 })
    if (this.#waiting.size >= mostWaiting) void this.write()
    else if (!this.#isDue) void this.#writeLater()
  }

  async #writeLater(): Promise<void> {
    this.#isDue = true
    await sleep(writeAfter, undefined, { ref: false })
    this.#isDue = false
    await this.write()
  }

  /** Writes what waits; what the store does not take is lost, and said so in the log. */
  write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeAll())
    return this.#writing
  }

  async #writeAll(): Promise<void> {
    const uses = [...this.#waiting.values()].sort((a, b) => (a.secretId < b.secretId ? -1 : 1))
    this.#waiting = new Map()
    try {
      for (let from = 0; from < uses.length; from += rowsAtOnce)
        await inTransaction(this.#deps.db, (tx) => putUses(tx, uses.slice(from, from + rowsAtOnce)))
    } catch (thrown) {
      this.#deps.log.warn({ error: textOf(thrown), uses: uses.length }, 'history of secrets not written')
    }
  }
}

const recorders = perApp((deps: UseDeps) => new UseRecorder(deps))

/** Notes that somebody has used a secret, unless its mount keeps no history. */
export async function noteUse(
  deps: UseDeps,
  caller: Principal,
  use: Pick<Use, 'mountId' | 'secretId' | 'operation' | 'version'>,
): Promise<void> {
  if (!(await rulesOf(deps, use.mountId)).history) return
  const { entityId, displayName } = callerToken(caller)
  recorders(deps).note({ ...use, entityId, displayName })
}

/** Writes down what this process has counted. */
export const writeUses = (deps: UseDeps): Promise<void> => recorders(deps).write()
