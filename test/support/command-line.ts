import type { Io } from '../../cli/io.ts'
import { runCommandLine } from '../../cli/program.ts'

/** How a command ended, and all it said. */
export type Ended = { readonly code: number; readonly out: string; readonly err: string }

/** Where a command runs: at no terminal, with nothing to read and no folder of its own, unless told otherwise. */
export type Surroundings = Partial<Omit<Io, 'out' | 'err'>>

/** Runs a command in this process. */
export async function runCommand(args: readonly string[], surroundings: Surroundings): Promise<Ended> {
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
    ...surroundings,
  }
  const code = await runCommandLine(io, [...args])
  return { code, out, err }
}

/** What leads commands to a server, with a token. */
export const ledTo = (url: string, token: string): Record<string, string> => ({
  HOLDFAST_ADDR: url,
  HOLDFAST_TOKEN: token,
})
