import type { ChainHead } from '../crypto/line-chains/line-chain.ts'
import { Acceptance } from '../kernel/acceptance.ts'
import type { Clock } from '../kernel/clock.ts'
import { textOf } from '../kernel/failure.ts'
import type { Log } from '../kernel/log.ts'
import { type AuditDevice, type DeviceConfig, type DeviceDeps, openDevice } from './device.ts'
import { hashWith } from './hashing.ts'
import type { AuditRecord } from './record.ts'

const retryMs = 1_000

/** What opening a device that was in use before needs. */
export type ReopenDeps = DeviceDeps & { log: Pick<Log, 'error'> }

/** Opens a device that was in use before. One that cannot be opened now is reported, and opened as soon as it can be. */
export async function openKnownDevice(deps: ReopenDeps, config: DeviceConfig): Promise<AuditDevice> {
  const open = () => openDevice(deps, config, { test: false })
  try {
    return await open()
  } catch (problem) {
    deps.log.error({ device: config.path, error: textOf(problem) }, 'audit device not opened')
    return new LateDevice(deps, config, { open, problem })
  }
}

type LateParts = { readonly open: () => Promise<AuditDevice>; readonly problem: unknown }

/**
 * It counts as a device that takes no record, so that nothing goes unrecorded in silence. Records try to open it again,
 * at most once a second.
 */
class LateDevice implements AuditDevice {
  readonly path: string
  readonly hash: (text: string) => string
  readonly #clock: Clock
  readonly #open: () => Promise<AuditDevice>
  #device: AuditDevice | undefined
  #opening: Promise<AuditDevice> | undefined
  /** Why it could not be opened when that was last tried. */
  #problem: unknown
  #triedAt: number
  #closed = false

  constructor({ clock }: ReopenDeps, { path, salt }: DeviceConfig, { open, problem }: LateParts) {
    this.path = path
    this.hash = hashWith(salt)
    this.#clock = clock
    this.#open = open
    this.#problem = problem
    this.#triedAt = clock.monotonic()
  }

  write(record: AuditRecord): Acceptance {
    return Acceptance.of(this.#usable().then((opened) => opened.write(record).promise()))
  }

  head(): ChainHead | undefined {
    return this.#device?.head()
  }

  async reopen(): Promise<void> {
    if (this.#device) await this.#device.reopen()
    else if (!this.#closed) await this.#retry()
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#opening?.catch((thrown: unknown) => thrown)
    await this.#device?.close()
  }

  async #usable(): Promise<AuditDevice> {
    if (this.#device) return this.#device
    if (this.#closed) throw this.#problem
    if (!this.#opening && this.#clock.monotonic() - this.#triedAt < retryMs) throw this.#problem
    return this.#retry()
  }

  #retry(): Promise<AuditDevice> {
    this.#opening ??= this.#attempt()
    return this.#opening
  }

  async #attempt(): Promise<AuditDevice> {
    this.#triedAt = this.#clock.monotonic()
    try {
      this.#device = await this.#open()
      return this.#device
    } catch (thrown) {
      this.#problem = thrown
      throw thrown
    } finally {
      this.#opening = undefined
    }
  }
}
