import { readFileSync } from 'node:fs'

/** Kept free for what is no connection: the database, audit files, snapshots, calls to others. */
const keptFree = 128

/** How many files this process may have open at once; undefined where the system does not tell. */
export function openFilesLimit(file = '/proc/self/limits'): number | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync(file, 'utf8')) ?? []
    return soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}

/**
 * How many connections may be open at once. Each is an open file, and a process that has no more of them neither takes a
 * snapshot nor opens its audit file anew, and drops connections without anybody being told.
 */
export function connectionsWithin(openFiles: number | undefined, wanted: number): number {
  if (openFiles === undefined) return wanted
  return Math.max(1, Math.min(wanted, openFiles - Math.min(keptFree, Math.ceil(openFiles / 2))))
}
