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

/** Says why a command does nothing; returns its exit code. */
export function refuseCommand(text: string): number {
  process.stderr.write(`holdfast: ${text}\n`)
  return 1
}
