import { realpath } from 'node:fs/promises'
import { readDeviceOptions } from '../../../audit/device-options.ts'
import { ifAbsent } from '../../../kernel/system-errors.ts'
import { type NewDevice, sameTarget } from './device-rules.ts'

/**
 * Refuses a file that another device writes, whatever links lead there: each device would continue the chain of the
 * other.
 */
export async function refuseSharedFile(wanted: NewDevice, present: readonly NewDevice[]): Promise<void> {
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
