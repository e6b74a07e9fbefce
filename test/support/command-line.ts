import type { Io } from '../../cli/io.ts'
import { runCommandLine } from '../../cli/program.ts'

/** How a command ended, and everything it printed. */
export type CommandResult = { readonly code: number; readonly out: string; readonly err: string }

/** The environment of a command: by default no terminal, empty input and no folder of its own. */
type CommandEnvironment = Partial<Omit<Io, 'out' | 'err'>>

/** Runs a command in this process. */
export async function runCommand(args: readonly string[], surroundings: CommandEnvironment): Promise<CommandResult> {
  let [out, err] = ['', '']
  const io: Io = {
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
    environment: {},
    directory: '/nonexistent',
    home: '/nonexistent',
    readInput: async () => '',
    isTerminal: false,
    isOutputTerminal: false,
    ...surroundings,
  }
  const code = await runCommandLine(io, [...args])
  return { code, out, err }
}

/** The variables by which commands find a server, with a token. */
export const clientEnvironment = (url: string, token: string): Record<string, string> => ({
  HOLDFAST_ADDR: url,
  HOLDFAST_TOKEN: token,
})
