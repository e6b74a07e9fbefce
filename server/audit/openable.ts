import { access, constants, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ifAbsent } from '../kernel/system-errors.ts'
import { readDeviceOptions, type WireOptions } from './device-options.ts'
import { type OwnPlaces, requireSuitablePlace } from './devices/file-places.ts'

/**
 * Whether a device could be opened on this machine, as far as files tell. Nothing is created, and collectors elsewhere
 * are not called. Why not stays unsaid: the options may come from somebody who must not learn what lies where.
 */
export async function isOpenableHere(type: string, options: WireOptions, places: OwnPlaces): Promise<boolean> {
  try {
    const { target, prefix } = readDeviceOptions(type, options)
    if (target.kind === 'socket' && target.type === 'unix') await access(target.address)
    if (target.kind !== 'file') return true
    await requireSuitablePlace({ path: target.path, prefix }, places)
    return await isWritable(target.path)
  } catch {
    return false
  }
}

/** A file that is missing is made, together with missing folders, in the nearest folder that exists. */
async function isWritable(path: string): Promise<boolean> {
  const found = await stat(path).catch(ifAbsent)
  if (found) {
    await access(path, constants.R_OK | constants.W_OK)
    return !found.isDirectory()
  }
  let folder = dirname(path)
  let facts = await stat(folder).catch(ifAbsent)
  while (!facts) {
    folder = dirname(folder)
    facts = await stat(folder).catch(ifAbsent)
  }
  await access(folder, constants.W_OK | constants.X_OK)
  return facts.isDirectory()
}
