import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readdir, realpath, rename, stat, statfs, unlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { instant } from '../../../kernel/clock.ts'
import {
  followLinks,
  isBelow,
  isSystemDirectory,
  makePrivateDirectory,
  syncDirectory,
} from '../../../kernel/directories.ts'
import { failure } from '../../../kernel/failure.ts'
import { ifAbsent, systemCode } from '../../../kernel/system-errors.ts'
import type { Configuration } from '../configurations/configuration.ts'
import type { Content, Destination, DestinationDeps, PutOptions, StoredObject } from './destination-adapter.ts'
import { snapshotNumber } from './object-name.ts'

/** `freeSpace` tells how many bytes the file system of a directory can still take; tests have small ones. */
type LocalDeps = Pick<DestinationDeps, 'clock' | 'ids'> & {
  readonly settings: Pick<DestinationDeps['settings'], 'localPaths'>
  readonly freeSpace?: (directory: string) => Promise<number>
}

const hour = 3_600_000

/** Snapshots in a directory of this machine. */
export function localDestination(deps: LocalDeps, configuration: Configuration): Destination {
  const { pathPrefix } = configuration
  const at = async (name: string): Promise<string> => join(await realDirectory(deps, pathPrefix), name)
  return {
    stage: 'writing',
    urlOf: (name) => pathToFileURL(join(pathPrefix, name)).href,
    put: (name, content, options) => put(deps, configuration, { name, content, options }),
    list: (start) => listFrom(deps, pathPrefix, start),
    get: async (name) => {
      const file = await open(await at(name), constants.O_RDONLY | constants.O_NOFOLLOW)
      return file.createReadStream({ highWaterMark: 1024 * 1024 })
    },
    delete: async (name) => {
      const file = await at(name)
      if ((await lstat(file).catch(ifAbsent))?.isFile()) await remove(file)
    },
    close: () => undefined,
  }
}

type Work = { readonly name: string; readonly content: Content; readonly options: PutOptions }

async function put(deps: LocalDeps, configuration: Configuration, { name, content, options }: Work): Promise<void> {
  const { pathPrefix } = configuration
  // What was checked is what is written to, wherever links lead by then.
  const directory = await ensureDirectory(deps, pathPrefix)
  await sweepTemporary(deps, directory, configuration.filePrefix)
  await requireAllowance(configuration, directory, content.summary.size)
  await requireFreeSpace(deps, directory, content.summary.size)
  const final = join(directory, name)
  const temporary = join(directory, `.${name}.tmp-${deps.ids.hex(8)}`)
  try {
    await write(temporary, content, options.signal)
    await verifyWritten(temporary, content, options.signal)
    // Others may have stored snapshots meanwhile. The disk holds this one already, so its free space does not matter now.
    await requireAllowance(configuration, directory, content.summary.size)
    await options.confirm()
    await requireAbsent(final)
    await rename(temporary, final)
  } catch (thrown) {
    // The first error is reported; a file that cannot be removed now is removed by a later attempt.
    await remove(temporary).catch(() => undefined)
    throw toDestinationFailure(thrown, pathPrefix)
  }
  await syncDirectory(directory)
}

async function ensureDirectory(deps: LocalDeps, directory: string): Promise<string> {
  try {
    const place = await realDirectory(deps, directory)
    await makePrivateDirectory(place)
    if ((await realpath(place)) !== place || !(await stat(place)).isDirectory()) throw notDirectory(directory)
    return place
  } catch (thrown) {
    throw toDestinationFailure(thrown, directory)
  }
}

/**
 * The directory that a path leads to after all links, whether it exists or not; refuses those of the system. Links may
 * have been exchanged since the configuration was written.
 */
async function realDirectory({ settings }: LocalDeps, directory: string): Promise<string> {
  const place = await followLinks(resolve(directory))
  const isNamed = settings.localPaths.some(
    (root) => isSystemDirectory(root) && (place === root || isBelow(root, place)),
  )
  if (place === '/' || (isSystemDirectory(place) && !isNamed)) throw leadsToSystem(directory, place)
  return place
}

async function* listFrom(deps: LocalDeps, directory: string, start: string): AsyncGenerator<StoredObject> {
  yield* list(await realDirectory(deps, directory), start)
}

/** Counts the apparent size of files, so that sparse files do not hide what they may grow to. */
async function requireAllowance(configuration: Configuration, directory: string, needed: number): Promise<void> {
  const most = Number(configuration.settings.local_max_space)
  let used = 0
  for await (const { name, size } of list(directory, `${configuration.filePrefix}-`)) {
    if (snapshotNumber(configuration.filePrefix, name) !== undefined) used += size
  }
  if (used + needed > most) {
    const text = `${used} bytes used + ${needed} bytes needed exceeds local_max_space of ${most}`
    throw failure('unavailable', 'snapshot.no-space', `insufficient space: ${text}`)
  }
}

/** Fails before the first byte is written to a disk that cannot take all of them. */
async function requireFreeSpace(
  { freeSpace = freeOnDisk }: LocalDeps,
  directory: string,
  needed: number,
): Promise<void> {
  const free = await freeSpace(directory)
  if (free < needed) {
    const text = `${needed} bytes needed, the file system has ${free} bytes free`
    throw failure('unavailable', 'snapshot.no-space', `insufficient space: ${text}`)
  }
}

async function freeOnDisk(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

async function write(file: string, content: Content, signal: AbortSignal): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    // The umask only removes bits from the mode given to `open`; an unusual one must not make the file unreadable.
    await handle.chmod(0o600)
    for await (const piece of content.lend()) {
      signal.throwIfAborted()
      await handle.writeFile(piece as Buffer)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Reads back what was written, so that a faulty disk is noticed before the file gets its name. */
async function verifyWritten(file: string, { summary }: Content, signal: AbortSignal): Promise<void> {
  const hash = createHash('sha256')
  let size = 0
  const handle: FileHandle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  for await (const piece of handle.createReadStream({ highWaterMark: 1024 * 1024 })) {
    signal.throwIfAborted()
    hash.update(piece as Buffer)
    size += (piece as Buffer).length
  }
  if (size !== summary.size || hash.digest('hex') !== summary.sha256) {
    throw failure('unavailable', 'snapshot.checksum', 'checksum mismatch: the file has other content than was written')
  }
}

async function requireAbsent(file: string): Promise<void> {
  const found = await lstat(file).catch(ifAbsent)
  if (found) throw failure('conflict', 'snapshot.exists', `${file} exists already`)
}

/** Removes temporary files that attempts of this configuration left behind; no attempt goes an hour without writing. */
async function sweepTemporary({ clock }: LocalDeps, directory: string, filePrefix: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const [, stem] = /^\.(.+)\.tmp-[0-9a-f]{8}$/.exec(name) ?? []
    if (stem === undefined || snapshotNumber(filePrefix, stem) === undefined) continue
    const found = await lstat(join(directory, name)).catch(ifAbsent)
    if (found?.isFile() && found.mtimeMs < clock.now() - hour) await remove(join(directory, name))
  }
}

/** Regular files only: a link or a directory is not ours, whatever its name. */
async function* list(directory: string, start: string): AsyncGenerator<StoredObject> {
  for (const entry of (await readdir(directory, { withFileTypes: true }).catch(ifAbsent)) ?? []) {
    if (!entry.isFile() || !entry.name.startsWith(start)) continue
    const found = await lstat(join(directory, entry.name)).catch(ifAbsent)
    if (found?.isFile()) yield { name: entry.name, size: found.size, modifiedAt: instant(Math.floor(found.mtimeMs)) }
  }
}

async function remove(file: string): Promise<void> {
  await unlink(file).catch(ifAbsent)
}

const notDirectory = (directory: string) =>
  failure('unavailable', 'snapshot.no-directory', `${directory} is not a directory`)

const leadsToSystem = (directory: string, place: string) =>
  failure(
    'unavailable',
    'snapshot.system-directory',
    `${directory} leads to ${place}, a directory of the operating system`,
  )

function toDestinationFailure(thrown: unknown, directory: string): unknown {
  const code = systemCode(thrown)
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return failure('unavailable', 'snapshot.denied', `permission denied creating ${directory}`, { cause: thrown })
  }
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG') {
    const text = 'insufficient space: no space left on the device'
    return failure('unavailable', 'snapshot.no-space', text, { cause: thrown })
  }
  return code === 'ENOTDIR' || code === 'EEXIST' ? notDirectory(directory) : thrown
}
