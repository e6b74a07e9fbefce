import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NODE_PACKAGES } from './setup/pinned-node.mjs'

type Entry = {
  version?: string
  resolved?: string
  integrity?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const root = join(import.meta.dirname, '..')
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'))
const packages: Record<string, Entry> = read('package-lock.json').packages

/** Looks up a name as Node does: next to the importing package, then in each directory above. */
function isLocked(from: string, name: string): boolean {
  if (`${from ? `${from}/` : ''}node_modules/${name}` in packages) return true
  if (from === '') return false
  const outer = from.lastIndexOf('/node_modules/')
  return isLocked(outer < 0 ? '' : from.slice(0, outer), name)
}

test('lock file: every package has an integrity hash and no download URL', () => {
  const entries = Object.entries(packages).filter(([path]) => path !== '')
  expect(entries.filter(([, entry]) => entry.resolved !== undefined).map(([path]) => path)).toEqual([])
  expect(entries.filter(([, entry]) => entry.integrity === undefined).map(([path]) => path)).toEqual([])
})

test('lock file: it contains the optional packages of every platform', () => {
  const absent = Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !isLocked(path, name))
      .map((name) => `${path} needs ${name}`),
  )
  expect(absent).toEqual([])
})

test('lock file: every platform gets the same Node', () => {
  const pinned: Record<string, string> = read('package.json').optionalDependencies
  expect(Object.keys(pinned).sort()).toEqual(Object.values(NODE_PACKAGES).sort())
  const versions = Object.values(NODE_PACKAGES).map((name) => packages[`node_modules/${name}`]?.version)
  expect(new Set([...Object.values(pinned), ...versions]).size).toBe(1)
})
