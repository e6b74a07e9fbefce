import { Acceptance } from '../kernel/acceptance.ts'
import type { Clock, Instant } from '../kernel/clock.ts'
import { failure, textOf } from '../kernel/failure.ts'
import type { Ids } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { AuditEvent, AuditTrail } from '../kit/audit-trail.ts'
import type { Metrics } from '../kit/metrics.ts'
import { secretHeaders } from '../kit/secret-headers.ts'
import type { AuditDevice } from './device.ts'
import { type AuditedHeaders, type AuditRecord, testRecord } from './record.ts'

/** What a broker needs. */
type BrokerDeps = {
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
  readonly ids: Pick<Ids, 'uuid'>
  readonly log: Pick<Log, 'error'>
  readonly metrics: Pick<Metrics, 'counter'>
}

/** Devices that fail are tried no more often than this without a request. */
const probeMs = 1_000

/** Hands every record to every device. A record is kept if at least one device took it; without devices none is made. */
export class AuditBroker implements AuditTrail {
  readonly #deps: BrokerDeps
  readonly #devices = new Map<string, AuditDevice>()
  #list: readonly AuditDevice[] = []
  #headers: AuditedHeaders = new Map()
  /** Devices that did not take the last record they were given, or have never been open. */
  readonly #failing = new Set<AuditDevice>()
  #probing: Promise<void> | undefined
  #probedAt = -Infinity

  constructor(deps: BrokerDeps) {
    this.#deps = deps
  }

  /** True while there are devices. */
  get active(): boolean {
    return this.#devices.size > 0
  }

  /** The open devices, by path. */
  get devices(): ReadonlyMap<string, AuditDevice> {
    return this.#devices
  }

  /** True if the device at a path did not take the last record it was given, or was never open. */
  isFailing(path: string): boolean {
    const device = this.#devices.get(path)
    return device === undefined || this.#failing.has(device)
  }

  /** Sets which request headers are written down; those with secrets are left out, whatever the store says. */
  setHeaders(headers: AuditedHeaders): void {
    const named = [...headers].map(([name, how]) => [name.toLowerCase(), how] as const)
    this.#headers = new Map(named.filter(([name]) => !secretHeaders.has(name)))
  }

  /** Adds a device; one with the same path is closed and replaced. */
  async add(device: AuditDevice): Promise<void> {
    const old = this.#devices.get(device.path)
    this.#devices.set(device.path, device)
    this.#list = [...this.#devices.values()]
    if (old) this.#failing.delete(old)
    if (device.head() === undefined) this.#failing.add(device)
    this.#failures().inc({ device: device.path }, 0)
    await old?.close()
  }

  /** Takes a device away, after it has written what it was given. */
  async remove(path: string): Promise<void> {
    const device = this.#devices.get(path)
    this.#devices.delete(path)
    this.#list = [...this.#devices.values()]
    if (device) this.#failing.delete(device)
    await device?.close()
  }

  /** Opens files again after log rotation. A device that fails stays, is logged, and keeps its old file. */
  async reopen(): Promise<void> {
    await Promise.all(
      [...this.#devices.values()].map((device) =>
        device.reopen().catch((thrown: unknown) => this.#report(device, 'audit device not reopened', thrown)),
      ),
    )
  }

  /**
   * Whether a record would be taken. If all devices fail, they are given a test record, so that they recover without a
   * request.
   */
  async canRecord(): Promise<boolean> {
    if (!this.#allFail()) return true
    if (!this.#probing && this.#deps.clock.monotonic() - this.#probedAt >= probeMs) {
      this.#probedAt = this.#deps.clock.monotonic()
      this.#probing = this.#probe().finally(() => {
        this.#probing = undefined
      })
    }
    await this.#probing
    return !this.#allFail()
  }

  #allFail(): boolean {
    return this.#list.length > 0 && this.#list.every((device) => this.#failing.has(device))
  }

  async #probe(): Promise<void> {
    const record = testRecord(this.#deps.clock.now(), this.#deps.ids.uuid())
    // Without a device that takes it, the answer is already clear, and each device has been reported.
    await this.#recordOnAll(this.#list, record).catch(() => undefined)
  }

  /** Closes all devices. */
  async close(): Promise<void> {
    await Promise.all([...this.#devices.keys()].map((path) => this.remove(path)))
  }

  /** Writes down what is asked, before it is done. */
  request(event: AuditEvent): Acceptance {
    return this.#record(event, this.#deps.clock.now(), undefined)
  }

  /** Writes down what was answered, before it is sent. */
  response(event: AuditEvent): Acceptance {
    return this.#record(event, undefined, this.#deps.clock.now())
  }

  /** Writes down what was asked and what was answered, before it is sent: with one write, and all of it or nothing. */
  both(event: AuditEvent): Acceptance {
    return this.#record(event, event.request.receivedAt, this.#deps.clock.now())
  }

  #record(event: AuditEvent, requestAt: Instant | undefined, responseAt: Instant | undefined): Acceptance {
    const devices = this.#list
    const record = { event, headers: this.#headers, requestAt, responseAt }
    // Nearly every server has one device, and every request comes by here.
    const only = devices.length === 1 ? devices[0] : undefined
    return only ? this.#recordOn(only, record) : Acceptance.of(this.#recordOnAll(devices, record))
  }

  #recordOn(device: AuditDevice, record: AuditRecord): Acceptance {
    if (this.#failing.has(device)) return Acceptance.of(this.#recordOnAll([device], record))
    return device.write(record).orElse((thrown) => {
      this.#noteFailure(device, thrown)
      this.#throwUnlessRemoved([device])
    })
  }

  async #recordOnAll(devices: readonly AuditDevice[], record: AuditRecord): Promise<void> {
    const taken = await Promise.allSettled(devices.map((device) => device.write(record).promise()))
    for (const [index, device] of devices.entries()) {
      const result = taken[index]
      if (result?.status === 'rejected') this.#noteFailure(device, result.reason)
      else this.#failing.delete(device)
    }
    if (!taken.some(({ status }) => status === 'fulfilled')) this.#throwUnlessRemoved(devices)
  }

  /** None of them took the record. Devices that were taken away meanwhile no longer have to have it. */
  #throwUnlessRemoved(devices: readonly AuditDevice[]): void {
    if (!devices.some((device) => this.#devices.get(device.path) === device)) return
    throw failure('internal', 'audit.not-recorded', 'No audit device accepted the record of this request.')
  }

  #noteFailure(device: AuditDevice, thrown: unknown): void {
    if (this.#devices.get(device.path) === device) this.#failing.add(device)
    this.#failures().inc({ device: device.path })
    this.#report(device, 'audit device failed', thrown)
  }

  #failures(): ReturnType<Metrics['counter']> {
    const help = 'Records that an audit device did not take.'
    return this.#deps.metrics.counter('holdfast_audit_failures_total', help, ['device'])
  }

  #report(device: AuditDevice, message: string, thrown: unknown): void {
    this.#deps.log.error({ device: device.path, error: textOf(thrown) }, message)
  }
}
