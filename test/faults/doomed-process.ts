import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** What befalls a process. */
export type Doom = {
  /** It is killed so many milliseconds after its first word. */
  readonly killAfter?: number
  /** Its files may not grow beyond so many KiB, as on a full disk. */
  readonly fileKiB?: number
}

/** All that a process said, and how many milliseconds it went on after its first word. */
export type Ended = { readonly output: string; readonly took: number }

/** Runs a program of ours, which says a first word when it begins its work, to the end that it comes to. */
export async function runDoomed(
  program: string,
  parameters: readonly string[],
  { killAfter, fileKiB }: Doom = {},
): Promise<Ended> {
  const command = [process.execPath, program, ...parameters] as const
  const child = fileKiB
    ? spawn('bash', ['-c', `trap '' XFSZ; ulimit -f ${fileKiB}; exec "$0" "$@"`, ...command])
    : spawn(process.execPath, command.slice(1))
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
