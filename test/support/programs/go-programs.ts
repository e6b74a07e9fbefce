import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Go, on the path or where a variable says. */
export const go: string = process.env.HOLDFAST_COMPAT_GO ?? 'go'

/** Nothing is fetched here: `go mod download all` in the folder of a program does that once. */
export const goOffline: NodeJS.ProcessEnv = { ...process.env, GOFLAGS: '-mod=readonly', GOPROXY: 'off' }

/** What is missing to build against a package in a folder; undefined if nothing is. */
export function lacksGoPackage(folder: string, name: string): string | undefined {
  try {
    execFileSync(go, ['list', '-test', '-deps', name], { cwd: folder, env: goOffline, stdio: 'ignore' })
    return undefined
  } catch (thrown) {
    const isAbsent = thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT'
    return isAbsent ? 'Go' : `the packages of ${folder} in Go's module cache`
  }
}

/** Builds a program in a new folder, with `build` or `test -c`, and returns its path. */
export async function buildGo(folder: string, command: 'build' | 'test', ...args: string[]): Promise<string> {
  const output = join(await mkdtemp(join(tmpdir(), 'holdfast-go-')), 'program')
  await promisify(execFile)(go, [command, '-o', output, ...args], { cwd: folder, env: goOffline })
  return output
}
