import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { buffer } from 'node:stream/consumers'
import { COMPILE_CACHE } from '../scripts/setup/root.mjs'

enableCompileCache(COMPILE_CACHE)

/** The reader of our output may be gone (`| head`): the command still runs to its end, without reporting this. */
function exitOnOutputError({ code }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') return
  process.stderr.write(
    `holdfast: The output cannot be written${code === 'ENOSPC' ? ': the disk is full' : ''} (${code}).\n`,
  )
  process.exit(1)
}
/** A user that the machine does not know has no home, for whom containers take the root. */
function homeDirectory(): string {
  try {
    return homedir()
  } catch {
    return '/'
  }
}

process.stdout.on('error', exitOnOutputError)
process.stderr.on('error', () => undefined)

const [{ runCommandLine }, { decodeText }] = await Promise.all([import('./program.ts'), import('./io.ts')])

process.exitCode = await runCommandLine(
  {
    out: (words) => process.stdout.write(words),
    err: (words) => process.stderr.write(words),
    environment: process.env,
    directory: process.cwd(),
    home: homeDirectory(),
    readInput: async () => decodeText(await buffer(process.stdin), 'Standard input'),
    ...(process.stdin.isTTY && { keyboard: process.stdin }),
    isTerminal: process.stderr.isTTY === true,
    isOutputTerminal: process.stdout.isTTY === true,
    ...(process.stdout.isTTY && { columns: process.stdout.columns }),
  },
  process.argv.slice(2),
)
