import { link, open, readFile, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { failure } from '../../kernel/failure.ts'
import type { Ids } from '../../kernel/ids.ts'

/** Others may not read the key, and nobody but the owner may write it. A group may read, as mounted secrets need it. */
const forbiddenBits = 0o027

/** The text of a key file; undefined when there is none. */
export async function readKeyFile(path: string): Promise<string | undefined> {
  try {
    const { mode } = await stat(path)
    if (process.platform !== 'win32' && (mode & forbiddenBits) !== 0) throw tooOpen(path, mode)
    return await readFile(path, 'utf8')
  } catch (thrown) {
    if (hasCode(thrown, 'ENOENT')) return undefined
    throw thrown
  }
}

/**
 * Creates a key file with mode 0600, whole or not at all: written and synced under another name, then linked. A link
 * never replaces a file, so of several processes one wins and the others find its key.
 */
export async function createKeyFile(ids: Pick<Ids, 'hex'>, path: string, text: string): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${ids.hex(12)}`)
  try {
    await writeSynced(temporary, text)
    await link(temporary, path)
  } catch (thrown) {
    if (!hasCode(thrown, 'EEXIST')) throw notWritable(path, thrown)
  } finally {
    await removeIfThere(temporary)
  }
  await syncDirectory(dirname(path))
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function removeIfThere(path: string): Promise<void> {
  try {
    await unlink(path)
  } catch (thrown) {
    if (!hasCode(thrown, 'ENOENT')) throw thrown
  }
}

/** Makes the new name itself durable. Windows cannot sync a directory and needs no such call. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

const hasCode = (thrown: unknown, code: string): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === code

const tooOpen = (path: string, mode: number): Error =>
  failure(
    'refused',
    'seal.root-key-exposed',
    `The seal key file '${path}' has mode 0${(mode & 0o777).toString(8)}, so others can read or change it. Run: chmod 600 '${path}'`,
  )

const notWritable = (path: string, cause: unknown): Error =>
  failure('unavailable', 'seal.root-key-not-writable', `The seal key file '${path}' cannot be created.`, { cause })
