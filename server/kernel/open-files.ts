import { readFileSync } from 'node:fs'

/**
 * Kept free for files that are not connections of clients: the database, audit files, snapshots, calls to other
 * servers.
 */
const reservedFiles = 128

/** How many files this process may have open at once; undefined where the system does not say. */
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
 * How many connections may be open at once. Each is an open file, and a process that has reached its limit can neither
 * take a snapshot nor reopen its audit file, and drops connections silently.
 */
export function connectionLimit(openFiles: number | undefined, wanted: number): number {
  if (openFiles === undefined) return wanted
  return Math.max(1, Math.min(wanted, openFiles - Math.min(reservedFiles, Math.ceil(openFiles / 2))))
}
