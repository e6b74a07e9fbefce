import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Runs a program of the machine and returns what it prints; it gets nothing of our environment. */
export async function run(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, [...args], {
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', CHECKPOINT_DISABLE: '1', HOME: '/nonexistent' },
    timeout: 60_000,
    maxBuffer: 1024 * 1024,
  })
  return stdout
}
