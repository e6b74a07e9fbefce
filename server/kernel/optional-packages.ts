import packageFile from '../../package.json' with { type: 'json' }
import { failure } from './failure.ts'

const versions = packageFile.peerDependencies

/** A package that few need: npm installs it only if it is named. */
export type OptionalPackage = keyof typeof versions

/** Why something does not work that needs these packages, and what to do about it; undefined if they are installed. */
export function packagesProblem(what: string, names: readonly OptionalPackage[]): string | undefined {
  const missing = names.filter((name) => !isInstalled(name))
  if (missing.length === 0) return undefined
  const [noun, verb] = missing.length === 1 ? ['package', 'is'] : ['packages', 'are']
  const named = missing.map((name) => `'${name}'`).join(' and ')
  const wanted = missing.map((name) => `${name}@${majorOf(versions[name])}`).join(' ')
  const remedy = `run 'npm install ${wanted}' where Holdfast was installed, or 'npm ci' in a checkout, and restart it`
  return `${what} need the optional ${noun} ${named}, which ${verb} not installed: ${remedy}`
}

/** Refuses something that needs these packages, unless they are installed. */
export function requirePackages(what: string, names: readonly OptionalPackage[]): void {
  const problem = packagesProblem(what, names)
  if (problem) throw failure('invalid', 'package.not-installed', `${problem}.`)
}

function isInstalled(name: OptionalPackage): boolean {
  try {
    return import.meta.resolve(name) !== ''
  } catch {
    return false
  }
}

const majorOf = (range: string): string => range.replace(/^\D*(\d+).*$/, '$1')
