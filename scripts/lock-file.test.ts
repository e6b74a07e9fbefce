import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NODE_PACKAGES } from './setup/pinned-node.mjs'

type Entry = {
  version?: string
  license?: string
  dev?: boolean
  devOptional?: boolean
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
  const names = Object.values(NODE_PACKAGES)
  expect(names.filter((name) => !(name in pinned))).toEqual([])
  expect(new Set(names.flatMap((name) => [pinned[name], packages[`node_modules/${name}`]?.version])).size).toBe(1)
})

test('package.json: every package has its reason in docs/decisions/0009', () => {
  const reasons = readFileSync(join(root, 'docs/decisions/0009-dependencies.md'), 'utf8')
  const { dependencies, devDependencies, optionalDependencies, overrides } = read('package.json')
  const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies, ...overrides })
  const isNamed = (name: string) => new RegExp(`(?<![\\w@/-])${name}(?![\\w/-])`).test(reasons)
  const packagesOfNode: readonly string[] = Object.values(NODE_PACKAGES)
  expect(names.filter((name) => !packagesOfNode.includes(name) && !isNamed(name))).toEqual([])
})

test('lock file: docs/licences.md names every licence of a package that a server installs', () => {
  const listed = readFileSync(join(root, 'docs/licences.md'), 'utf8')
  const installed = Object.entries(packages).filter(([path, { dev, devOptional }]) => path && !dev && !devOptional)
  expect(installed.filter(([, { license }]) => !listed.includes(`| ${license} |`))).toEqual([])
  const strict = installed.filter(([, { license = '' }]) => /GPL/.test(license)).map(([path]) => path)
  expect(strict).toEqual(['node_modules/openpgp'])
})
