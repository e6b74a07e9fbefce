import { constants } from 'node:fs'
import { access, chmod, opendir, readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { makePrivateDirectory } from '../kernel/directories.ts'
import { failure } from '../kernel/failure.ts'
import { isProcessAlive } from '../kernel/processes.ts'
import { ifAbsent } from '../kernel/system-errors.ts'

/** Makes a directory that only its owner may enter, or restricts an existing one. */
export async function ensurePrivateDirectory(path: string): Promise<void> {
  try {
    await makePrivateDirectory(path)
    // If there is a file in its place, this fails before the mode is changed.
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

/** Temporary files of dev mode, with the id of the process that writes them. */
const temporaryName = /^(?:dev(?:-state)?\.json|[a-z]+(?:-key)?\.pem)\.(\d+)\.tmp$/

/**
 * Removes temporary files that killed processes left behind. One with our own process id is from an earlier process,
 * too.
 */
export async function removeTemporaryFiles(directory: string): Promise<void> {
  for (const name of (await readdir(directory).catch(ifAbsent)) ?? []) {
    const [, digits] = temporaryName.exec(name) ?? []
    if (digits === undefined || isOtherLiveProcess(Number(digits))) continue
    await unlink(join(directory, name)).catch(ifAbsent)
  }
}

const isOtherLiveProcess = (pid: number): boolean => pid !== process.pid && isProcessAlive(pid)
