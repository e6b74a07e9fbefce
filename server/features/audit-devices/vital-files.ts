import { open, realpath, stat } from 'node:fs/promises'
import { isAbsolute, relative } from 'node:path'
import { readDeviceOptions } from '../../audit/device-options.ts'
import { isSystemDirectory } from '../../kernel/directories.ts'
import { failure } from '../../kernel/failure.ts'
import { ifAbsent } from '../../kernel/system-errors.ts'
import { type NewDevice, sameTarget } from './device-rules.ts'

/** Enough of a file to see what it is: prefixes are short, and each record begins with the time. */
const beginningBytes = 4096
const recordBeginning = '{"time":"'

/**
 * Refuses files that this server or the operating system depends on: records appended to a database, a key or a list of
 * accounts would ruin it. Files beside them may be used if they are new, empty, or contain records already.
 */
export async function refuseVitalFile(dataDir: string, { type, options }: NewDevice): Promise<void> {
  const { target } = readDeviceOptions(type, options)
  if (target.kind !== 'file') return
  const [directory, path] = await Promise.all([dataDir, target.path].map((each) => realpath(each).catch(ifAbsent)))
  if (path === undefined) return
  const isOwn = directory !== undefined && isBelow(directory, path)
  if (!isOwn && !isSystemDirectory(path)) return
  // Anything but a file is refused when it is opened; reading a pipe here could block.
  if (!(await stat(path)).isFile()) return
  const [firstLine = ''] = (await beginningOf(path)).split('\n')
  if (firstLine === '' || firstLine.includes(recordBeginning)) return
  const whose = isOwn ? 'this server' : 'the operating system'
  const text = `'${target.path}' holds data of ${whose}, not audit records: choose another file.`
  throw failure('invalid', 'audit.vital-file', text)
}

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

function isBelow(directory: string, path: string): boolean {
  const rest = relative(directory, path)
  return rest !== '' && !rest.startsWith('..') && !isAbsolute(rest)
}

async function beginningOf(path: string): Promise<string> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(beginningBytes), 0, beginningBytes, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await file.close()
  }
}
