import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, chown, type FileHandle, lchown, lstat, mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { SlotUser } from '../sandbox/slot-users.ts'
import { PhaseFailure } from './failure.ts'

/**
 * Opens a file below a folder that a job can write, without following a link in any part of its path. Undefined if there
 * is nothing. What is there but is no plain file, or is too large, ends the phase: the job made it.
 */
export async function openPlain(root: string, path: string, maxBytes: number): Promise<FileHandle | undefined> {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.')
  const last = segments.pop() ?? ''
  const handles: FileHandle[] = []
  try {
    let at = root
    for (const segment of segments) {
      const handle = await openStep(
        join(at, segment),
        constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW,
      )
      if (!handle) return undefined
      handles.push(handle)
      // Where there is a `/proc`, what was opened is gone on from, whatever takes its name meanwhile.
      at = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : join(at, segment)
    }
    const file = await openStep(join(at, last), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    if (!file) return undefined
    const { size, nlink } = await requirePlain(file, path)
    if (size > maxBytes || nlink > 1) {
      await file.close()
      throw new PhaseFailure('output-too-large', `The file '${last}' has ${size} bytes; at most ${maxBytes} are taken.`)
    }
    return file
  } finally {
    await Promise.all(handles.map((handle) => handle.close()))
  }
}

async function openStep(path: string, flags: number): Promise<FileHandle | undefined> {
  try {
    return await open(path, flags)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new PhaseFailure('tool-failed', `A link or device stands where the tool writes its result (${code}).`)
  }
}

async function requirePlain(file: FileHandle, path: string) {
  const info = await file.stat()
  if (info.isFile()) return info
  await file.close()
  throw new PhaseFailure('tool-failed', `What stands at '${path}' is no plain file.`)
}

/** A copy that no job can reach, and its digest. */
export type TakenFile = { readonly file: string; readonly sha256: string; readonly md5: string; readonly size: number }

/** Copies a file of a job to `to`; undefined if there is none. */
export async function takeOut(
  root: string,
  path: string,
  to: string,
  maxBytes: number,
): Promise<TakenFile | undefined> {
  const from = await openPlain(root, path, maxBytes)
  if (!from) return undefined
  const [sha256, md5] = [createHash('sha256'), createHash('md5')]
  let size = 0
  try {
    const copy = await open(to, 'w', 0o600)
    try {
      const block = Buffer.alloc(256 * 1024)
      for (;;) {
        const { bytesRead } = await from.read(block, 0, block.length, size)
        if (bytesRead === 0) break
        size += bytesRead
        if (size > maxBytes)
          throw new PhaseFailure('output-too-large', `The file '${path}' grows beyond ${maxBytes} bytes.`)
        const bytes = block.subarray(0, bytesRead)
        sha256.update(bytes)
        md5.update(bytes)
        await copy.writeFile(bytes)
      }
    } finally {
      await copy.close()
    }
  } finally {
    await from.close()
  }
  return { file: to, sha256: sha256.digest('hex'), md5: md5.digest('hex'), size }
}

/** Writes a file where a job may have put something else; that is removed, and never written through. */
export async function putFile(
  file: string,
  bytes: string | Buffer,
  user: SlotUser | undefined,
  mode = 0o600,
): Promise<void> {
  await rm(file, { recursive: true, force: true })
  const handle = await open(
    file,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    mode,
  )
  try {
    await handle.writeFile(bytes)
    if (user) await handle.chown(user.uid, user.uid)
  } finally {
    await handle.close()
  }
}

/** Makes a folder for a job, and those that lead to it below `root`. */
export async function putFolder(folder: string, user: SlotUser | undefined, mode = 0o700): Promise<void> {
  await mkdir(folder, { recursive: true, mode })
  await chmod(folder, mode)
  if (user) await chown(folder, user.uid, user.uid)
}

/** Gives all of a folder to the user of a slot. Nothing of a job may run while this does. */
export async function giveAll(folder: string, user: SlotUser | undefined): Promise<void> {
  if (!user) return
  await lchown(folder, user.uid, user.uid)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await giveAll(path, user)
    else await lchown(path, user.uid, user.uid)
  }
}

/** True if each part of a path below a folder is a folder and no link. */
export async function isPlainFolder(root: string, path: string): Promise<boolean> {
  let at = root
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue
    at = join(at, segment)
    const info = await lstat(at).catch(() => undefined)
    if (!info?.isDirectory()) return false
  }
  return true
}
