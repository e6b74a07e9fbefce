import { constants } from 'node:fs'
import { access, chmod, open, opendir, readdir, rename, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makePrivateDirectory, syncDirectory } from '../kernel/directories.ts'
import { failure } from '../kernel/failure.ts'
import { isProcessAlive } from '../kernel/processes.ts'
import { ifAbsent } from '../kernel/system-errors.ts'

/** Makes a directory that only its owner may enter, and closes one that stood open. */
export async function ensurePrivateDirectory(path: string): Promise<void> {
  try {
    await makePrivateDirectory(path)
    // A file in its place is found here, before its mode would be changed.
    await (await opendir(path)).close()
    await chmod(path, 0o700)
    await access(path, constants.W_OK | constants.X_OK)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const why = code === 'ENOTDIR' ? 'is a file, or lies below one' : `is not writable (${code ?? cause})`
    const text = `The data directory '${path}' ${why}.`
    throw failure('unavailable', 'data-dir.not-writable', `${text} Choose another with HOLDFAST_DATA_DIR.`, { cause })
  }
}

/** Files of dev mode beside their place, with the number of the process that writes them. */
const unfinished = /^(?:dev(?:-state)?\.json|[a-z]+(?:-key)?\.pem)\.(\d+)\.tmp$/

/** Removes what processes that were killed left unfinished. The own number is that of an earlier process, too. */
export async function removeUnfinished(directory: string): Promise<void> {
  for (const name of (await readdir(directory).catch(ifAbsent)) ?? []) {
    const [, digits] = unfinished.exec(name) ?? []
    if (digits === undefined || isOther(Number(digits))) continue
    await unlink(join(directory, name)).catch(ifAbsent)
  }
}

const isOther = (pid: number): boolean => pid !== process.pid && isProcessAlive(pid)

/** Writes a file that only its owner may read, whole or not at all: beside its place first, then renamed into it. */
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
