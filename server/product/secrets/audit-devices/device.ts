import { isSameTarget, optionNames, readDeviceOptions } from '../../../audit/device-options.ts'
import { type Failure, failure } from '../../../kernel/failure.ts'
import { withoutOuterSlashes } from '../../../kernel/slashes.ts'

/** A configured audit device. The salt stays sealed until the device is opened. */
export type StoredDevice = {
  readonly id: string
  /** With a trailing slash: `file/`. */
  readonly path: string
  readonly type: string
  readonly description: string
  readonly options: Readonly<Record<string, string>>
  readonly local: boolean
  readonly salt: Uint8Array
}

/** The fields of a new device. */
export type NewDevice = Pick<StoredDevice, 'path' | 'type' | 'description' | 'options' | 'local'>

/** `file`, `/file/` and `file/` name the same device. */
export const devicePath = (sent: string): string => `${withoutOuterSlashes(sent)}/`

/** Options of other servers that leave out records, or take those that nothing else took. No device here does that. */
const unsupportedOptions = ['filter', 'fallback']

/** The options of a new device that have no effect; refuses those that would change which records it gets. */
export function unknownOptions({ options }: Pick<NewDevice, 'options'>): string[] {
  const names = Object.keys(options)
  const unsupported = names.find((name) => unsupportedOptions.includes(name))
  if (unsupported === undefined) return names.filter((name) => !optionNames.has(name)).sort()
  const text = `The option '${unsupported}' is not supported: every device gets the record of every request. Leave it out.`
  throw failure('invalid', 'audit.unsupported-option', text)
}

/** Refuses an invalid device, and one that would write where another does. */
export function checkNewDevice(wanted: NewDevice, present: readonly NewDevice[]): void {
  const { target } = readDeviceOptions(wanted.type, wanted.options)
  const clash = present.find(({ path }) => path.startsWith(wanted.path) || wanted.path.startsWith(path))
  if (clash) throw failure('invalid', 'audit.taken', `path is already in use at ${clash.path}`)
  const twin = present.find(({ type, options }) => isSameTarget(target, readDeviceOptions(type, options).target))
  if (twin) throw sameTarget(twin)
}

/** Names the device that writes already to the place where another one was to write. */
export const sameTarget = ({ path }: NewDevice): Failure =>
  failure('invalid', 'audit.same-target', `The audit device at '${path}' writes to the same place already.`)
