import { resolve } from 'node:path'
import { parseDuration } from '../kernel/duration.ts'
import { failure } from '../kernel/failure.ts'
import type { FileTarget } from './devices/file.ts'
import { requireSafeForPrefix } from './devices/file-places.ts'
import { type SocketTarget, splitAddress } from './devices/socket.ts'
import type { HashOptions } from './hashing.ts'

/** Where a device writes. */
type DeviceTarget =
  | ({ kind: 'file' } & FileTarget)
  | ({ kind: 'socket' } & SocketTarget)
  | { kind: 'stdout' }
  | { kind: 'discard' }

/** The options of a device, read and checked. */
export type DeviceOptions = HashOptions & {
  target: DeviceTarget
  timeoutMs: number
  prefix: string
  skipTest: boolean
}

/** Options as clients send and the store keeps them. */
export type WireOptions = Readonly<Record<string, string>>

/** Every option that a device of some type reads. */
export const optionNames: ReadonlySet<string> = new Set([
  'file_path',
  'path',
  'mode',
  'address',
  'socket_type',
  'write_timeout',
  'format',
  'prefix',
  'hmac_accessor',
  'log_raw',
  'elide_list_responses',
  'skip_test',
])

/** Reads the options of a device type; unknown ones are ignored, wrong ones refused. */
export function readDeviceOptions(type: string, options: WireOptions): DeviceOptions {
  if ((options.format ?? 'json') !== 'json') throw badOption("The audit format must be 'json'.")
  const target = readTarget(type, options)
  const prefix = readPrefix(options.prefix ?? '')
  if (target.kind === 'file' && prefix !== '') requireSafeForPrefix(target.path)
  return {
    target,
    prefix,
    timeoutMs: readTimeout(options.write_timeout ?? '2s'),
    hmacAccessor: readFlag('hmac_accessor', options, true),
    logRaw: readFlag('log_raw', options, false),
    elideListResponses: readFlag('elide_list_responses', options, false),
    skipTest: readFlag('skip_test', options, false),
  }
}

/** Two devices with the same target would write every record twice; a second one that discards records adds nothing. */
export function isSameTarget(a: DeviceTarget, b: DeviceTarget): boolean {
  if (a.kind === 'file' && b.kind === 'file') return a.path === b.path
  if (a.kind === 'socket' && b.kind === 'socket') return a.type === b.type && a.address === b.address
  return a.kind === b.kind && (a.kind === 'stdout' || a.kind === 'discard')
}

function readTarget(type: string, options: WireOptions): DeviceTarget {
  if (type === 'file') return readFileTarget(options)
  if (type === 'socket') return readSocketTarget(options)
  throw badOption(`There is no audit device type '${type}': use 'file' or 'socket'.`)
}

function readFileTarget(options: WireOptions): DeviceTarget {
  const path = options.file_path || options.path
  if (!path) throw badOption("A file device needs the option 'file_path'.")
  if (path.includes('\0')) throw badOption("The option 'file_path' must not contain a NUL character.")
  const mode = readMode(options.mode || '0600')
  const special = path.toLowerCase()
  if (special === 'stdout' || special === 'discard') return { kind: special }
  return { kind: 'file', path: resolve(path), mode }
}

function readMode(text: string): number {
  if (!/^0?[0-7]{3,4}$/.test(text)) throw badOption(`The mode '${text}' is not octal, like 0600.`)
  const mode = Number.parseInt(text, 8)
  if ((mode & 0o7111) !== 0) throw badOption(`The mode '${text}' would make the audit file executable.`)
  return mode
}

function readSocketTarget(options: WireOptions): DeviceTarget {
  const { address } = options
  const type = options.socket_type || 'tcp'
  if (!address) throw badOption("A socket device needs the option 'address'.")
  if (type !== 'tcp' && type !== 'udp' && type !== 'unix')
    throw badOption("The option 'socket_type' must be tcp, udp or unix.")
  if (type !== 'unix') splitAddress(address)
  return { kind: 'socket', type, address }
}

function readTimeout(text: string): number {
  const milliseconds = /^\d+$/.test(text) ? Number(text) * 1000 : parseDuration(text)
  if (milliseconds === undefined || milliseconds <= 0 || milliseconds > 600_000) {
    throw badOption(`The option 'write_timeout' must be a time of at most ten minutes, not '${text}'.`)
  }
  return milliseconds
}

function readFlag(name: string, options: WireOptions, fallback: boolean): boolean {
  const text = options[name]?.toLowerCase() ?? ''
  if (text === '') return fallback
  if (['true', 't', '1'].includes(text)) return true
  if (['false', 'f', '0'].includes(text)) return false
  throw badOption(`The option '${name}' must be true or false, not '${text}'.`)
}

function readPrefix(text: string): string {
  if (/[\r\n]/.test(text)) throw badOption("The option 'prefix' must not contain a line break.")
  return text
}

const badOption = (text: string): Error => failure('invalid', 'audit.bad-option', text)
