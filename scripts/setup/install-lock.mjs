import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const HEARTBEAT_MS = 2_000
const ABANDONED_MS = 60_000

/**
 * Runs `work` while no other start in this checkout installs. The lock file is next to node_modules, since npm empties
 * that.
 * @template T
 * @param {string} root
 * @param {(holder: string) => void} onWait told once, if somebody else is installing
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withInstallLock(root, onWait, work) {
  const file = join(root, '.holdfast-setup.lock')
  for (let waited = false; !acquire(file); waited = true) {
    if (!waited) onWait(read(file)?.split(' ')[0] ?? 'unknown')
    await sleep(200)
    if (isAbandoned(file)) rmSync(file, { force: true })
  }
  const release = () => rmSync(file, { force: true })
  const heartbeat = setInterval(() => touch(file), HEARTBEAT_MS)
  process.once('exit', release)
  try {
    return await work()
  } finally {
    clearInterval(heartbeat)
    process.off('exit', release)
    release()
  }
}

/** @param {string} file */
function acquire(file) {
  try {
    writeFileSync(file, `${process.pid} ${hostname()}\n`, { flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/**
 * A holder is gone if its process is, or, when it lives in another container, if it stopped touching the file.
 * @param {string} file
 */
function isAbandoned(file) {
  const text = read(file)
  if (text === undefined) return false
  const [pid, host] = text.trim().split(' ')
  if (host === hostname() && !isAlive(Number(pid))) return true
  const touched = statSync(file, { throwIfNoEntry: false })?.mtimeMs
  return touched !== undefined && Date.now() - touched > ABANDONED_MS
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined // released between two looks
  }
}

/**
 * Removing the lock by hand does no harm to its holder.
 * @param {string} file
 */
function touch(file) {
  const now = new Date()
  try {
    utimesSync(file, now, now)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}
