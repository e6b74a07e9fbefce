import { spawnSync } from 'node:child_process'
import packageFile from '../package.json' with { type: 'json' }

/** The version of this server. */
export const version: string = packageFile.version

/** The commit of a checkout; undefined where there is none. */
export function headCommit(): string | undefined {
  const { stdout, status } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: import.meta.dirname, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** Version, commit and runtime in one line. A package holds its commit; that of a checkout is looked up. */
export function fullVersion(): string {
  const { gitHead = headCommit() ?? '' } = Object(packageFile) as { readonly gitHead?: string }
  const commit = gitHead === '' ? '' : `commit ${gitHead.slice(0, 12)}, `
  return `holdfast ${version} (${commit}Node ${process.versions.node}, ${process.platform}-${process.arch})`
}
