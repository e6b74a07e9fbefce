import { lstat, mkdir, open, readlink, realpath, rename, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { failure } from './failure.ts'
import { ifAbsent, systemCode } from './system-errors.ts'

/**
 * Makes a directory that only its owner may enter, and all missing directories above it. Level by level: the recursive
 * `mkdir` of Node loops for ever below an existing directory in which nothing can be created, such as /proc.
 */
export async function makePrivateDirectory(path: string): Promise<void> {
  const missing: string[] = []
  let directory = resolve(path)
  while (!(await stat(directory).catch(ifAbsent))) {
    missing.unshift(directory)
    directory = dirname(directory)
  }
  for (const each of missing) await makeOne(each)
}

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (thrown) {
    // Somebody else may have made it in the meantime.
    if (systemCode(thrown) !== 'EEXIST') throw thrown
  }
}

const maxLinks = 40

/** The path that is written to in the end: also links to what does not exist yet are followed. */
export async function followLinks(path: string, links = 0): Promise<string> {
  const known = await realpath(path).catch(ifAbsent)
  if (known !== undefined) return known
  const parent = dirname(path)
  if (parent === path) return path
  const place = join(await followLinks(parent, links), basename(path))
  const isLink = (await lstat(place).catch(ifAbsent))?.isSymbolicLink()
  if (!isLink) return place
  if (links === maxLinks) throw failure('invalid', 'path.links', `'${path}' leads through too many symbolic links.`)
  return await followLinks(resolve(dirname(place), await readlink(place)), links + 1)
}

/** Whether a path lies inside a directory, and is not the directory itself. */
export function isBelow(directory: string, path: string): boolean {
  const rest = relative(directory, path)
  return rest !== '' && rest !== '..' && !/^\.\.[/\\]/.test(rest) && !isAbsolute(rest)
}

/**
 * True for the directories a machine boots and runs from: those who choose paths over the network must not fill them.
 */
export const isSystemDirectory = (directory: string): boolean => systemDirectory.test(directory)

const systemDirectory =
  /^\/(?:boot|dev(?!\/shm\/)|etc|lib(?:32|64|x32)?|proc|run\/systemd|s?bin|sys|usr(?!\/local(?:\/|$)))(?:\/|$)/

/** Makes new names in a directory survive a crash. Windows cannot open directories and needs no such call. */
export async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

/**
 * Writes a file that only its owner may read, completely or not at all: to a temporary file first, which is then
 * renamed.
 */
export async function writePrivateFile(path: string, content: string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`
  const file = await open(temporary, 'w', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
  await syncDirectory(dirname(path))
}
