import { textOf } from '../kernel/failure.ts'
import type { Log } from '../kernel/log.ts'
import { Receipt } from '../kernel/receipt.ts'
import { type AuditDevice, type DeviceConfig, type DeviceDeps, openDevice } from './device.ts'
import { hashWith } from './hashing.ts'

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
    return lateDevice(deps, config, { open, problem })
  }
}

type Attempt = { open: () => Promise<AuditDevice>; problem: unknown }

/**
 * It counts as a device that takes no record, so that nothing goes unrecorded in silence. Records try to open it again,
 * at most once a second.
 */
function lateDevice({ clock }: ReopenDeps, { path, salt }: DeviceConfig, { open, problem }: Attempt): AuditDevice {
  let device: AuditDevice | undefined
  let opening: Promise<AuditDevice> | undefined
  let reason = problem
  let triedAt = clock.monotonic()
  let closed = false

  async function attempt(): Promise<AuditDevice> {
    triedAt = clock.monotonic()
    try {
      device = await open()
      return device
    } catch (thrown) {
      reason = thrown
      throw thrown
    } finally {
      opening = undefined
    }
  }

  const retry = (): Promise<AuditDevice> => {
    opening ??= attempt()
    return opening
  }

  async function usable(): Promise<AuditDevice> {
    if (device) return device
    if (closed) throw reason
    if (!opening && clock.monotonic() - triedAt < retryMs) throw reason
    return retry()
  }

  return {
    path,
    hash: hashWith(salt),
    take: (recorded) => Receipt.of(usable().then((opened) => opened.take(recorded).promise())),
    head: () => device?.head(),
    reopen: async () => {
      if (device) await device.reopen()
      else if (!closed) await retry()
    },
    close: async () => {
      closed = true
      await opening?.catch((thrown: unknown) => thrown)
      await device?.close()
    },
  }
}
