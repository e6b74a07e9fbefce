import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { followLinks, isBelow, isSystemDirectory } from '../../kernel/directories.ts'
import { type Failure, failure } from '../../kernel/failure.ts'
import { isNamedIn } from '../../kernel/local-places.ts'
import { ifAbsent } from '../../kernel/system-errors.ts'

/** The directories of this server: of its data, and of the program that runs. */
export type OwnPlaces = {
  readonly dataDir: string
  readonly programDir: string
  /** Folders that the settings open, perhaps one inside of the program's. */
  readonly allowedRoots?: readonly string[]
}

/** A file that records are to be appended to, with a prefix or an empty text before each. */
type WantedFile = { readonly path: string; readonly prefix: string }

/** Beyond its prefix, enough of a line to see what it is: each record begins with the time. */
const beginningBytes = 4096
const recordBeginning = '{"time":"'

/**
 * Refuses files that must not become audit logs, wherever links lead. Whoever may enable devices must not be able to
 * change what this server runs, ruin what it or the operating system depends on, or write the commands of other
 * programs. Of the content, the first line counts: records may have been appended to a file of somebody else before.
 * Returns the real path, which is to be opened: links may lead elsewhere by then.
 */
export async function requireSuitablePlace({ path, prefix }: WantedFile, places: OwnPlaces): Promise<string> {
  const real = await followLinks(path)
  const dataDir = await followLinks(places.dataDir)
  await refuseProgram({ path, real }, dataDir, places)
  if (prefix !== '') requireSafeForPrefix(real)
  const owner = isBelow(dataDir, real) ? 'this server' : isSystemDirectory(real) ? 'the operating system' : undefined
  if (prefix === '' && owner === undefined) return real
  const found = await stat(real).catch(ifAbsent)
  if (!found && isSystemDirectory(real) && !isSystemDirectory(path)) throw leadsToSystem(path, real)
  // Anything but a file is refused when it is opened; reading a pipe here could block.
  if (!found?.isFile()) return real
  if (await isEmptyOrLog(real, beginningBytes + Buffer.byteLength(prefix))) return real
  throw owner === undefined ? foreignContent(path) : vitalFile(path, owner)
}

/**
 * A line that starts with a text of somebody's choice may be a command to a shell, a schedule or a key to other
 * programs, if the file is where they look for such: in system directories, job queues, hidden files of people.
 */
export function requireSafeForPrefix(path: string): void {
  if (!isSystemDirectory(path) && !/^\/var\/spool\/|\/\./.test(path)) return
  const rule = 'With a prefix, an audit file must not be where other programs would read it'
  const text = `${rule}, and they may read '${path}': choose another file, or leave out the prefix.`
  throw failure('invalid', 'audit.bad-option', text)
}

/** The data directory may be inside the directory of the program: nothing in it is run. */
async function refuseProgram(
  { path, real }: { path: string; real: string },
  dataDir: string,
  { programDir, allowedRoots = [] }: OwnPlaces,
): Promise<void> {
  // Packages may be somewhere else, with a link in their place.
  for (const directory of [programDir, join(programDir, 'node_modules')]) {
    const program = await followLinks(directory)
    if (real !== program && !isBelow(program, real)) continue
    if (isBelow(program, dataDir) && isBelow(dataDir, real)) continue
    if (await isNamedIn(program, real, allowedRoots)) continue
    const what = path === real ? `'${path}'` : `'${path}' leads to '${real}', which`
    const advice = `choose a file outside of '${program}', or one in the data directory.`
    throw failure('invalid', 'audit.program-file', `${what} is in the directory of the program itself: ${advice}`)
  }
}

/** The size does not tell: files that the system makes when they are read have none. */
async function isEmptyOrLog(path: string, bytes: number): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0)
    const [firstLine = ''] = buffer.toString('latin1', 0, bytesRead).split('\n').filter(Boolean)
    return bytesRead === 0 || firstLine.includes(recordBeginning)
  } finally {
    await file.close()
  }
}

function leadsToSystem(path: string, real: string): Failure {
  const text = `'${path}' leads to '${real}', which is in a directory of the operating system: choose another file.`
  return failure('invalid', 'audit.system-directory', text)
}

function vitalFile(path: string, owner: string): Failure {
  const text = `'${path}' holds data of ${owner}, not audit records: choose another file.`
  return failure('invalid', 'audit.vital-file', text)
}

function foreignContent(path: string): Failure {
  const rule = 'With a prefix, an audit file must be new, empty or begin with audit records'
  const advice = 'choose another file, move this one away, or leave out the prefix.'
  return failure('invalid', 'audit.foreign-content', `${rule}, and '${path}' begins with something else: ${advice}`)
}
