import { type Config, renderProblems } from '../config/index.ts'
import { textOf } from '../kernel/failure.ts'
import { examineConfig } from './config-check.ts'

/**
 * A command that works on the store of a configuration without asking a server. Prints what `work` has to say; returns
 * the exit code.
 */
export async function runOnStore(flags: readonly string[], work: (config: Config) => Promise<string>): Promise<number> {
  const { loaded } = examineConfig(flags)
  if (!loaded.ok) return refuseCommand(renderProblems(loaded.problems).trimEnd())
  try {
    process.stdout.write(`${await work(loaded.config)}\n`)
    return 0
  } catch (thrown) {
    return refuseCommand(textOf(thrown))
  }
}

/** Takes a flag that names a file out of the words of a command line; like the others, it may be written with `=`. */
export function takeFileFlag(args: readonly string[], flag: string): { file: string | undefined; rest: string[] } {
  const words = args.flatMap((arg) => (arg.startsWith(`${flag}=`) ? [flag, arg.slice(flag.length + 1)] : [arg]))
  const at = words.indexOf(flag)
  return at < 0 ? { file: undefined, rest: words } : { file: words[at + 1], rest: words.toSpliced(at, 2) }
}

/** Says why a command does nothing; returns its exit code. */
export function refuseCommand(text: string): number {
  process.stderr.write(`holdfast: ${text}\n`)
  return 1
}
