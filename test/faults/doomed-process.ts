import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** What happens to a process. */
export type Doom = {
  /** It is killed this many milliseconds after its first output. */
  readonly killAfter?: number
  /** Its files may not grow beyond this many KiB, as on a full disk. */
  readonly fileKiB?: number
  /** It is killed at this call; see `kill-at-call.ts`. */
  readonly killAt?: string
}

const killer = join(import.meta.dirname, 'kill-at-call.ts')

/** Everything a process printed, and how many milliseconds it ran after its first output. */
export type Ended = { readonly output: string; readonly took: number }

/** Runs a program of ours, which prints a word when it begins its work, until it exits or is killed. */
export async function runDoomed(
  program: string,
  parameters: readonly string[],
  { killAfter, fileKiB, killAt }: Doom = {},
): Promise<Ended> {
  const command = [process.execPath, program, ...parameters] as const
  // Unlike parameters, threads have the environment as well.
  const killing = { HOLDFAST_KILL_AT: killAt, NODE_OPTIONS: `--require=${killer}` }
  const env = killAt === undefined ? process.env : { ...process.env, ...killing }
  const child = fileKiB
    ? spawn('bash', ['-c', `trap '' XFSZ; ulimit -f ${fileKiB}; exec "$0" "$@"`, ...command])
    : spawn(process.execPath, command.slice(1), { env })
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  child.stderr.resume()
  const ended = once(child, 'close')
  await Promise.race([once(child.stdout, 'data'), ended])
  const began = performance.now()
  if (killAfter !== undefined) {
    await Promise.race([sleep(killAfter), ended])
    child.kill('SIGKILL')
  }
  await ended
  return { output, took: performance.now() - began }
}
