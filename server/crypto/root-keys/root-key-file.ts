import { link, open, readFile, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { syncDirectory } from '../../kernel/directories.ts'
import { failure } from '../../kernel/failure.ts'
import type { Ids } from '../../kernel/ids.ts'
import { ifAbsent, systemCode } from '../../kernel/system-errors.ts'

/** Others may not read the key, and nobody but the owner may write it. A group may read, as mounted secrets need it. */
const forbiddenBits = 0o027

/** The text of a key file; undefined when there is none. */
export async function readKeyFile(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path)
    if (found.isDirectory()) throw directoryAsKeyFile(path)
    const { mode } = found
    if (process.platform !== 'win32' && (mode & forbiddenBits) !== 0) throw exposedKeyFile(path, mode)
    return await readFile(path, 'utf8')
  } catch (thrown) {
    return ifAbsent(thrown)
  }
}

/**
 * Creates a key file with mode 0600, whole or not at all: written and synced under another name, then linked. A link
 * never replaces a file, so of several processes one wins and the others find its key. What root creates belongs to the
 * owner of the folder: the server runs as another user and has to read it.
 */
export async function createKeyFile(ids: Pick<Ids, 'hex'>, path: string, text: string): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${ids.hex(12)}`)
  try {
    await writeSynced(temporary, text)
    await link(temporary, path)
  } catch (thrown) {
    if (systemCode(thrown) !== 'EEXIST') throw notWritable(path, thrown)
  } finally {
    await unlink(temporary).catch(ifAbsent)
  }
  await syncDirectory(dirname(path))
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    if (process.getuid?.() === 0) {
      const { uid, gid } = await stat(dirname(path))
      await file.chown(uid, gid)
    }
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

const directoryAsKeyFile = (path: string): Error =>
  failure(
    'refused',
    'seal.root-key-not-a-file',
    `The seal key file '${path}' is a directory. Name a file in it with seal.key_file.`,
  )

const exposedKeyFile = (path: string, mode: number): Error =>
  failure(
    'refused',
    'seal.root-key-exposed',
    `The seal key file '${path}' has mode 0${(mode & 0o777).toString(8)}, so others can read or change it. Run: chmod 600 '${path}'`,
  )

const notWritable = (path: string, cause: unknown): Error =>
  failure('unavailable', 'seal.root-key-not-writable', `The seal key file '${path}' cannot be created.`, { cause })
