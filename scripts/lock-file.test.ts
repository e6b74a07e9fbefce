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
  return from !== '' && isLocked(outerOf(from), name)
}

const outerOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/')))

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
  const { dependencies, devDependencies, optionalDependencies, peerDependencies, overrides } = read('package.json')
  const all = { ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies, ...overrides }
  const names = Object.keys(all)
  const isNamed = (name: string) => new RegExp(`(?<![\\w@/-])${name}(?![\\w/-])`).test(reasons)
  const packagesOfNode: readonly string[] = Object.values(NODE_PACKAGES)
  expect(names.filter((name) => !packagesOfNode.includes(name) && !isNamed(name))).toEqual([])
})

test('package.json: packages that few need are those that are tested here, and npm leaves them out', () => {
  const { devDependencies, peerDependencies, peerDependenciesMeta } = read('package.json')
  for (const [name, range] of Object.entries<string>(peerDependencies)) {
    expect(`^${devDependencies[name]}`).toBe(range)
    expect(peerDependenciesMeta[name]).toEqual({ optional: true })
  }
})

/** The paths of some packages and of all that these need. */
function withDependencies(names: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (from: string, name: string): void => {
    const path = `${from ? `${from}/` : ''}node_modules/${name}`
    if (found.has(path)) return
    const entry = packages[path]
    if (entry) {
      found.add(path)
      for (const each of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) add(path, each)
    } else if (from !== '') add(outerOf(from), name)
  }
  for (const name of names) add('', name)
  return found
}

test('lock file: docs/licences.md names every licence of a package that a server installs, or may', () => {
  const listed = readFileSync(join(root, 'docs/licences.md'), 'utf8')
  const optional = withDependencies(Object.keys(read('package.json').peerDependencies))
  const installed = Object.entries(packages).filter(
    ([path, { dev, devOptional }]) => path && ((!dev && !devOptional) || optional.has(path)),
  )
  expect(installed.filter(([, { license }]) => !listed.includes(`| ${license} |`))).toEqual([])
  const strict = installed.filter(([, { license = '' }]) => /GPL/.test(license)).map(([path]) => path)
  expect(strict).toEqual(['node_modules/openpgp'])
})
