import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SetupProblem } from './problem.mjs'

/** @typedef {'production' | 'full'} Mode */
/** @typedef {{ version?: string, dev?: boolean, optional?: boolean, devOptional?: boolean, link?: boolean,
 *   os?: string | string[], cpu?: string | string[], libc?: string | string[] }} LockedPackage */
/** @typedef {{ packages: Record<string, LockedPackage> }} Lock */
/** @typedef {{ os: string, cpu: string, libc: string | undefined }} Platform */
/** @typedef {{ required: string[], optional: string[] }} Missing */

/**
 * The lock file as npm reads it, after checking that package.json asks for the same.
 * @param {string} root
 * @returns {Lock}
 */
export function readLock(root) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const wanted = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const locked = lock.packages?.[''] ?? {}
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies']) {
    const differing = differingKey(wanted[kind] ?? {}, locked[kind] ?? {})
    if (differing) throw new SetupProblem(lockMismatch(differing))
  }
  return lock
}

/** @param {string} name */
const lockMismatch = (name) =>
  `package.json and package-lock.json disagree about '${name}'.\n` +
  'If you changed package.json, run `npm install` once; if not, restore both files from git.'

/**
 * @param {Record<string, string>} a
 * @param {Record<string, string>} b
 */
function differingKey(a, b) {
  return Object.keys({ ...a, ...b }).find((key) => a[key] !== b[key])
}

/**
 * A fingerprint of what an install depends on: if it is unchanged, there is nothing to do.
 * @param {string} root
 * @param {Platform} platform
 * @returns {string}
 */
export function fingerprint(root, platform) {
  const lock = readFileSync(join(root, 'package-lock.json'))
  return createHash('sha256').update(`${platform.os} ${platform.cpu}\n`).update(lock).digest('hex')
}

/**
 * Which packages of the lock are not in node_modules, by the record npm leaves there when it has finished.
 * @param {string} root
 * @param {Lock} lock
 * @param {Mode} mode
 * @param {Platform} platform
 * @returns {Missing}
 */
export function missingPackages(root, lock, mode, platform) {
  const present = installedPackages(root)
  // The copy holds the C library as a plain value, so that it is looked up once and not for every package.
  const here = { ...platform }
  /** @type {Missing} */
  const missing = { required: [], optional: [] }
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path === '' || entry.link || (mode === 'production' && entry.dev)) continue
    if (!fitsPlatform(entry, here)) continue
    if (present[path]?.version === entry.version && existsSync(join(root, path))) continue
    if (!entry.optional && !entry.devOptional) missing.required.push(path)
    // An optional package that names no platform may belong to one that does, and is then rightly absent.
    else if (entry.os || entry.cpu) missing.optional.push(path)
  }
  return missing
}

/**
 * True if an earlier install of node_modules ran to its end.
 * @param {string} root
 */
export const hasInstall = (root) => existsSync(installRecord(root))

/** @param {string} root */
const installRecord = (root) => join(root, 'node_modules', '.package-lock.json')

/**
 * @param {string} root
 * @returns {Record<string, LockedPackage>}
 */
function installedPackages(root) {
  if (!hasInstall(root)) return {}
  return JSON.parse(readFileSync(installRecord(root), 'utf8')).packages ?? {}
}

/**
 * @param {LockedPackage} entry
 * @param {Platform} platform
 */
function fitsPlatform(entry, platform) {
  return (
    allowsValue(entry.os, platform.os) && allowsValue(entry.cpu, platform.cpu) && allowsValue(entry.libc, platform.libc)
  )
}

/**
 * npm's rule: a list of accepted names, or of refused ones written with `!`.
 * @param {string | string[] | undefined} list
 * @param {string | undefined} value
 */
function allowsValue(list, value) {
  if (list === undefined || value === undefined) return true
  const names = [list].flat()
  if (names.includes(`!${value}`)) return false
  return names.includes(value) || names.every((name) => name.startsWith('!'))
}

/**
 * The machine we install for. The C library is looked up only when an install is compared, since asking takes a while.
 * @returns {Platform}
 */
export function thisPlatform() {
  return {
    os: process.platform,
    cpu: process.arch,
    get libc() {
      return process.platform === 'linux' ? linuxLibc() : undefined
    },
  }
}

function linuxLibc() {
  const report = /** @type {{ header?: { glibcVersionRuntime?: string } }} */ (process.report?.getReport())
  return report?.header?.glibcVersionRuntime ? 'glibc' : 'musl'
}
