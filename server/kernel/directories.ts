import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/**
 * Makes a directory that only its owner may enter, with all that is missing above it. Level by level: a recursive `mkdir`
 * of Node tries for ever below a directory that exists and takes none, such as /proc.
 */
export async function makePrivateDirectory(path: string): Promise<void> {
  const missing: string[] = []
  for (let each = resolve(path); !(await isThere(each)); each = dirname(each)) missing.unshift(each)
  for (const each of missing) await makeOne(each)
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return false
    throw thrown
  }
}

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (thrown) {
    // Somebody else may have made it in the meantime.
    if (codeOf(thrown) !== 'EEXIST') throw thrown
  }
}

const codeOf = (thrown: unknown): unknown => (thrown instanceof Error && 'code' in thrown ? thrown.code : undefined)
