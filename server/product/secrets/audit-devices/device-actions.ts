import { realpath } from 'node:fs/promises'
import { readDeviceOptions } from '../../../audit/device-options.ts'
import { failure, textOf } from '../../../kernel/failure.ts'
import { ifAbsent } from '../../../kernel/system-errors.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { Db } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { lockArea } from '../../../storage/versions.ts'
import { checkNewDevice, devicePath, type NewDevice, type StoredDevice, sameTarget } from './device.ts'
import { deleteDevice, insertDevice, loadDevices } from './device-store.ts'
import { chainKeyOf, nodeTrail, saltPlace } from './node-trail-adapter.ts'

/**
 * Refuses a file that another device writes, whatever links lead there: each device would continue the chain of the
 * other.
 */
async function refuseSharedFile(wanted: NewDevice, present: readonly NewDevice[]): Promise<void> {
  const file = await realFileOf(wanted)
  for (const each of file === undefined ? [] : present) {
    // A device whose file cannot be found at the moment does not prevent others from being enabled.
    const other = await realFileOf(each).catch(() => undefined)
    if (other === file) throw sameTarget(each)
  }
}

async function realFileOf({ type, options }: NewDevice): Promise<string | undefined> {
  const { target } = readDeviceOptions(type, options)
  return target.kind === 'file' ? await realpath(target.path).catch(ifAbsent) : undefined
}

const saltBytes = 32

/** Enables a device once it has accepted a first record. */
export async function enableDevice(deps: Deps, wanted: NewDevice): Promise<void> {
  const present = await loadDevices(deps.db)
  checkNewDevice(wanted, present)
  const id = deps.ids.uuid()
  const salt = deps.keyring.seal(deps.ids.bytes(saltBytes), saltPlace(id))
  const stored: StoredDevice = { ...wanted, id, salt }
  const trail = nodeTrail(deps)
  await prepare(deps, stored, present)
  try {
    await inTransaction(deps.db, async (tx) => {
      await lockArea(tx, 'audit')
      checkNewDevice(wanted, await loadDevices(tx))
      await insertDevice(tx, stored, deps.clock.now())
    })
    await trail.syncDevices()
  } finally {
    await trail.discard(id)
  }
  deps.log.info({ device: wanted.path, type: wanted.type }, 'audit device enabled')
  await noteOtherNodes(deps, wanted)
}

/** The device was tried on this node only; the answer has no room for a warning. */
async function noteOtherNodes(deps: Deps, { path, type, options }: NewDevice): Promise<void> {
  const { kind } = readDeviceOptions(type, options).target
  if (kind !== 'file' && kind !== 'socket') return
  // The device is enabled, whether its nodes can be counted or not.
  const nodes = await deps.store.nodes().catch(() => 0)
  if (nodes === 1) return
  const text = 'audit device was tried on this node only: every other node must be able to write to it too'
  deps.log.warn({ device: path, nodes: nodes || undefined }, text)
}

/** The reason why a device cannot be used is shown to the caller: only callers with sudo get here. */
async function prepare(deps: Deps, stored: StoredDevice, present: readonly StoredDevice[]): Promise<void> {
  try {
    await refuseSharedFile(stored, present)
    await nodeTrail(deps).prepare(stored)
  } catch (cause) {
    throw failure('invalid', 'audit.unusable', `The audit device cannot be used: ${textOf(cause)}`, { cause })
  }
}

/** Disables a device, if it exists. */
export async function disableDevice(deps: Deps, sentPath: string): Promise<void> {
  const path = devicePath(sentPath)
  if (!(await inTransaction(deps.db, (tx) => deleteDevice(tx, path)))) return
  await nodeTrail(deps).syncDevices()
  deps.log.info({ device: path }, 'audit device disabled')
}

/** Disables a device in a store without a server; running servers notice. Tells if it was there, and the others. */
export async function forgetDevice(
  db: Db,
  sentPath: string,
): Promise<{ readonly wasThere: boolean; readonly others: readonly string[] }> {
  return await inTransaction(db, async (tx) => {
    const wasThere = await deleteDevice(tx, devicePath(sentPath))
    return { wasThere, others: (await loadDevices(tx)).map(({ path }) => path) }
  })
}

function requireDevice(deps: Deps, sentPath: string) {
  const path = devicePath(sentPath)
  const device = nodeTrail(deps).deviceAt(path)
  if (device) return device
  // Clients look for the words before the colon.
  const text = `unknown audit backend: there is no device at '${path}'; devices are listed by sys/audit`
  throw failure('invalid', 'audit.missing', text)
}

/** The hash by which a text appears in the records of a device. */
export const hashWithDevice = (deps: Deps, path: string, input: string): string => requireDevice(deps, path).hash(input)

/** What is needed to prove that the lines of a device are complete. */
export function chainFactsOf(deps: Deps, path: string): { key: Buffer; heads: object[] } {
  const device = requireDevice(deps, path)
  const head = device.head()
  return { key: chainKeyOf(deps, device.path), heads: head ? [head] : [] }
}
