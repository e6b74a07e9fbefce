import { hash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { AuditBroker } from '../../../audit/broker.ts'
import { type AuditDevice, type DeviceConfig, openDevice } from '../../../audit/device.ts'
import { readDeviceOptions } from '../../../audit/device-options.ts'
import { splitAddress } from '../../../audit/devices/socket.ts'
import { openKnownDevice, type ReopenDeps } from '../../../audit/late-device.ts'
import { isOpenableHere } from '../../../audit/openable.ts'
import { Acceptance } from '../../../kernel/acceptance.ts'
import { failure, textOf } from '../../../kernel/failure.ts'
import { placeProblem } from '../../../kernel/local-places.ts'
import { secret } from '../../../kernel/secret.ts'
import type { AuditEvent, AuditTrail } from '../../../kit/audit-trail.ts'
import { type Deps, perApp } from '../../../kit/deps.ts'
import { localPlaces, type PlaceSettings } from '../../../kit/local-places.ts'
import { noteUnrecordedRemoval } from '../../../kit/start-notes.ts'
import { devicePath, type StoredDevice } from './device.ts'
import { loadDevices } from './device-store.ts'
import { loadHeaders } from './header-store.ts'

type TrailDeps = Pick<Deps, 'db' | 'keyring' | 'log' | 'clock' | 'ids' | 'outbound' | 'settings' | 'metrics'>

/** The key that is needed to make a line that fits into the chain of a device. */
export const chainKeyOf = ({ keyring }: Pick<Deps, 'keyring'>, path: string): Buffer =>
  keyring.derive(`audit-chain:${path}`, 32)

/** Where the salt of a device is stored. */
export const saltPlace = (id: string) => ({ table: 'audit_devices', column: 'salt', row: id })

/**
 * The audit trail of this node. It follows the stored devices, whichever node changed them. Requests that arrive
 * meanwhile wait, so that none bypasses a device that was just enabled.
 */
export class NodeTrail implements AuditTrail {
  readonly #deps: TrailDeps
  readonly #broker: AuditBroker
  readonly #open = new Map<string, AuditDevice>()
  readonly #prepared = new Map<string, AuditDevice>()
  /** The paths of open devices that send to sockets. */
  readonly #sockets = new Set<string>()
  /** The ids of open devices that have to be opened again. */
  readonly #doubtful = new Set<string>()
  #syncing: Promise<void> | undefined
  /**
   * True from a possible change of devices until this process has loaded them; until then every request has to wait for
   * that.
   */
  #isBehind = false

  constructor(deps: TrailDeps) {
    this.#deps = deps
    this.#broker = new AuditBroker(deps)
  }

  get active(): boolean {
    return this.#broker.active || this.#isBehind
  }

  request(event: AuditEvent): Acceptance {
    if (this.#isBehind) return this.#afterSync(() => this.#broker.request(event))
    const accepted = this.#broker.request(event)
    const removed = removedBy(event)
    return removed ? Acceptance.of(this.#acceptedOrExcused(accepted, removed)) : accepted
  }

  /** A collector that is gone must not keep itself enabled: then nothing at all could be done by request. */
  async #acceptedOrExcused(accepted: Acceptance, removal: Removal): Promise<void> {
    try {
      await accepted.promise()
    } catch (thrown) {
      const isOnly = this.#broker.devices.size === 1 && this.#sockets.has(removal.device)
      if (!isOnly) throw thrown
      const { log, settings } = this.#deps
      log.warn({ ...removal, error: textOf(thrown) }, 'audit device is removed without a record: it cannot be reached')
      await noteUnrecordedRemoval(settings.dataDir, removal).catch((error: unknown) =>
        log.error({ error: textOf(error) }, 'could not note the removal of an audit device'),
      )
    }
  }

  response(event: AuditEvent): Acceptance {
    return this.#isBehind ? this.#afterSync(() => this.#broker.response(event)) : this.#broker.response(event)
  }

  both(event: AuditEvent): Acceptance {
    return this.#isBehind ? this.#afterSync(() => this.#broker.both(event)) : this.#broker.both(event)
  }

  async canRecord(): Promise<boolean> {
    if (this.#isBehind) await (this.#syncing ?? this.syncDevices())
    return await this.#broker.canRecord()
  }

  #afterSync(record: () => Acceptance): Acceptance {
    return Acceptance.of((this.#syncing ?? this.syncDevices()).then(() => record().promise()))
  }

  /** The open device at a path. */
  deviceAt(path: string): AuditDevice | undefined {
    return this.#broker.devices.get(path)
  }

  /** True if the device at a path takes no records here at the moment. */
  isFailing(path: string): boolean {
    return this.#broker.isFailing(path)
  }

  /** Opens a new device, which must accept a first record, and keeps it ready for the moment it is stored. */
  async prepare(stored: StoredDevice): Promise<void> {
    const problem = await fileProblem(this.#deps, stored)
    if (problem) throw failure('invalid', 'audit.closed-place', `${problem}.`)
    this.#prepared.set(stored.id, await openDevice(this.#deviceDeps(), this.#configOf(stored), { test: true }))
  }

  /** Closes a prepared device that was not stored after all. */
  async discard(id: string): Promise<void> {
    const device = this.#prepared.get(id)
    this.#prepared.delete(id)
    await device?.close()
  }

  /** Opens and closes devices until they match those that are stored. */
  async syncDevices(): Promise<void> {
    this.#isBehind = true
    // After the one before, whether that failed or not.
    const syncing = Promise.allSettled([this.#syncing]).then(() => this.#openAndClose())
    this.#syncing = syncing
    const [outcome] = await Promise.allSettled([syncing])
    // Another one has begun meanwhile: requests wait for that, and its outcome counts.
    if (this.#syncing !== syncing) return
    this.#syncing = undefined
    if (outcome.status === 'rejected') throw outcome.reason
    this.#isBehind = false
  }

  /** Does the same after an unsealing, and opens again what is open: a file may have been moved away meanwhile. */
  followAfresh(): Promise<void> {
    for (const id of this.#open.keys()) this.#doubtful.add(id)
    return this.syncDevices()
  }

  /** Reopens files after log rotation. */
  reopen(): Promise<void> {
    return this.#broker.reopen()
  }

  close(): Promise<void> {
    return this.#broker.close()
  }

  async #openAndClose(): Promise<void> {
    if (this.#deps.keyring.state !== 'unsealed') return
    const stored = await loadDevices(this.#deps.db)
    this.#broker.setHeaders(await loadHeaders(this.#deps.db))
    const wanted = new Set(stored.map(({ id }) => id))
    for (const id of this.#open.keys()) if (!wanted.has(id)) await this.#drop(id)
    for (const each of stored) {
      if (this.#doubtful.delete(each.id)) await this.#openAgain(each)
      if (!this.#open.has(each.id)) await this.#openStored(each)
    }
  }

  async #drop(id: string): Promise<void> {
    const device = this.#open.get(id)
    this.#open.delete(id)
    this.#doubtful.delete(id)
    if (!device || this.deviceAt(device.path) !== device) return
    this.#sockets.delete(device.path)
    await this.#broker.remove(device.path)
  }

  /** A device that cannot be opened again is dropped: nobody would find what it continues to write. */
  async #openAgain({ id }: StoredDevice): Promise<void> {
    try {
      await this.#open.get(id)?.reopen()
    } catch {
      await this.#drop(id)
    }
  }

  async #openStored(stored: StoredDevice): Promise<void> {
    const ready = this.#prepared.get(stored.id)
    this.#prepared.delete(stored.id)
    const device = ready ?? (await this.#openFromBefore(stored))
    this.#open.set(stored.id, device)
    if (stored.type === 'socket') this.#sockets.add(stored.path)
    await this.#broker.add(device)
  }

  /** A device may be older than a rule that it breaks: it goes on, and the log warns. */
  async #openFromBefore(stored: StoredDevice): Promise<AuditDevice> {
    const { log, outbound } = this.#deps
    const objection = await objectionTo(this.#deps, stored)
    if (objection) log.warn({ device: stored.path, reason: objection }, 'audit device could not be enabled anew')
    return await openKnownDevice({ ...this.#deviceDeps(), outbound: outbound.withLoopback }, this.#configOf(stored))
  }

  #configOf({ id, path, type, options, salt }: StoredDevice): DeviceConfig {
    const { keyring } = this.#deps
    return {
      path,
      type,
      options,
      salt: secret(keyring.open(salt, saltPlace(id))),
      chainKey: secret(chainKeyOf(this.#deps, path)),
    }
  }

  #deviceDeps(): ReopenDeps {
    const { clock, ids, outbound, log, settings } = this.#deps
    const node = settings.nodeName.replace(/[^\w-]/g, '-').slice(0, 48)
    // Several nodes of one machine share its files too, and each would go on with the chain of the other.
    const mark = hash('sha256', settings.dataDir).slice(0, 6)
    // Chains began with this number when a node could be several processes, and go on.
    const slot = `${node}-${mark}-1`
    return { clock, ids, outbound, log, slot, version: settings.version, places: localPlaces(settings) }
  }
}

/** A device that a request is about to remove, and the root token that sent it. */
type Removal = { readonly device: string; readonly accessor: string }

/** Only root tokens: they may create what they like anyway. An answer that is wrapped would have to be recorded. */
function removedBy({ request, caller, wrapTtl }: AuditEvent): Removal | undefined {
  const [, path] = /^sys\/audit\/(.+)$/.exec(request.path) ?? []
  if (request.verb !== 'DELETE' || path === undefined || wrapTtl > 0) return undefined
  return caller.kind === 'token' && caller.root ? { device: devicePath(path), accessor: caller.accessor } : undefined
}

type Objection = Promise<string | undefined>

/** Why a stored device could not be enabled anew, if it could not. */
async function objectionTo(deps: Pick<Deps, 'outbound' | 'settings'>, stored: StoredDevice): Objection {
  const { target } = readDeviceOptions(stored.type, stored.options)
  if (target.kind !== 'socket' || target.type === 'unix') return await fileProblem(deps, stored)
  return await deps.outbound.denial(splitAddress(target.address))
}

/** Why no new device may write to a file. A character device, such as a terminal, takes nothing from anybody. */
export async function fileProblem(
  { settings }: { readonly settings: PlaceSettings },
  { type, options }: Pick<StoredDevice, 'type' | 'options'>,
): Objection {
  const { target } = readDeviceOptions(type, options)
  if (target.kind !== 'file' || (await stat(target.path).catch(() => undefined))?.isCharacterDevice()) return undefined
  return await placeProblem(target.path, localPlaces(settings))
}

/** The paths of those devices that could not be opened on this node. */
export async function findUnopenable(
  { settings }: { readonly settings: PlaceSettings },
  devices: readonly StoredDevice[],
): Promise<string[]> {
  const usable = await Promise.all(
    devices.map(({ type, options }) => isOpenableHere(type, options, localPlaces(settings))),
  )
  return devices.filter((_, index) => !usable[index]).map(({ path }) => path)
}

/** The audit trail of the running application. */
export const nodeTrail = perApp((deps: TrailDeps) => new NodeTrail(deps))
