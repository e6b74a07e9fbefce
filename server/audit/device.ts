import { type ChainHead, newChain, proveWith } from '../crypto/line-chains/line-chain.ts'
import type { Acceptance } from '../kernel/acceptance.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Ids } from '../kernel/ids.ts'
import type { Secret } from '../kernel/secret.ts'
import type { Outbound } from '../outbound/fetch.ts'
import { type DeviceOptions, readDeviceOptions, type WireOptions } from './device-options.ts'
import { openFileSink } from './devices/file.ts'
import type { OwnPlaces } from './devices/file-places.ts'
import { LineQueue } from './devices/line-queue.ts'
import type { Sink } from './devices/sink.ts'
import { createSocketSink, requireReachable } from './devices/socket.ts'
import { createStdoutSink, discardSink } from './devices/stdout.ts'
import { hashWith, memoizePerTurn } from './hashing.ts'
import { type AuditRecord, testRecord } from './record.ts'
import { createRecordWriter } from './record-writer.ts'

/** A device as it is configured: plain data, with the salt already opened. */
export type DeviceConfig = {
  /** Its name, with a trailing slash: `file/`. */
  path: string
  type: string
  options: WireOptions
  /** Random, made with the device, and stable for its life. */
  salt: Secret<Buffer>
  /** With a key, lines cannot be rewritten without it. */
  chainKey?: Secret<Buffer>
}

/** What devices are made of. */
export type DeviceDeps = {
  clock: Clock
  ids: Pick<Ids, 'hex' | 'uuid'>
  outbound: Pick<Outbound, 'connect' | 'connectUnix' | 'datagram'>
  /** Names this process among those that write the same file; the same after a restart. */
  slot: string
  /** Of this server. */
  version: string
  places: OwnPlaces
}

/** A device that is open. */
export type AuditDevice = {
  readonly path: string
  /** Writes what is recorded; it is refused when not all of it was taken. */
  write(record: AuditRecord): Acceptance
  /** The keyed hash this device writes for a text. */
  hash(text: string): string
  /** The end of this process's chain on the device; undefined while it was never open. */
  head(): ChainHead | undefined
  reopen(): Promise<void>
  close(): Promise<void>
}

/** A device that has been opened, so that its chain has an end. */
export type OpenedDevice = Omit<AuditDevice, 'head'> & { head(): ChainHead }

/**
 * Opens a device. With `test`, it must take a first record or is refused; one that skips that must be reachable at least.
 */
export async function openDevice(
  deps: DeviceDeps,
  config: DeviceConfig,
  { test }: { test: boolean },
): Promise<OpenedDevice> {
  const options = readDeviceOptions(config.type, config.options)
  const { target, timeoutMs } = options
  if (test && options.skipTest && target.kind === 'socket') await requireReachable(deps, target, timeoutMs)
  const { sink, head } = await openSink(deps, options)
  const queue = new LineQueue({
    sink,
    head: head ?? newChain(deps.ids, deps.slot),
    prove: config.chainKey && proveWith(config.chainKey),
    clock: deps.clock,
    timeoutMs,
    prefix: options.prefix,
  })
  const hash = hashWith(config.salt)
  const write = createRecordWriter(memoizePerTurn(hash), options, deps.version)
  const device: OpenedDevice = {
    path: config.path,
    write: (record) => queue.add(() => write(record)),
    hash,
    head: () => queue.head,
    reopen: () => sink.reopen(),
    close: async () => {
      await queue.drain()
      await sink.close()
    },
  }
  if (test && !options.skipTest) await writeTestRecord(deps, device)
  return device
}

async function writeTestRecord(deps: DeviceDeps, device: AuditDevice): Promise<void> {
  try {
    await device.write(testRecord(deps.clock.now(), deps.ids.uuid())).promise()
  } catch (thrown) {
    await device.close()
    throw thrown
  }
}

type OpenedSink = { sink: Sink; head?: ChainHead | undefined }

async function openSink(deps: DeviceDeps, { target, prefix }: DeviceOptions): Promise<OpenedSink> {
  if (target.kind === 'file') return openFileSink({ ...target, prefix }, deps)
  if (target.kind === 'socket') return { sink: createSocketSink(deps, target) }
  return { sink: target.kind === 'stdout' ? createStdoutSink() : discardSink }
}
