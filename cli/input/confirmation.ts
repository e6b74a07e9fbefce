import { CliFailure, type Io } from '../io.ts'

/**
 * Asks before something that cannot be undone. Without a terminal nobody can answer, so `--yes` must say it. What is at
 * stake is found out only if the question is asked.
 */
export async function confirm(io: Io, isSure: boolean | undefined, stakes: () => Promise<string>): Promise<void> {
  if (isSure) return
  const { keyboard } = io
  if (!keyboard) throw new CliFailure('Nothing was done: this cannot be undone. Add --yes to do it without a question.')
  io.err(`${await stakes()}\nThis cannot be undone. Type yes to go on: `)
  if ((await readLine(keyboard)).trim() !== 'yes') throw new CliFailure('Nothing was done.')
}

/** One line, which the terminal shows as it is typed; empty at its end. */
async function readLine(keyboard: NonNullable<Io['keyboard']>): Promise<string> {
  let line = ''
  keyboard.setEncoding('utf8')
  for await (const piece of keyboard.iterator({ destroyOnReturn: false })) {
    line += String(piece)
    if (line.includes('\n')) break
  }
  return line
}
