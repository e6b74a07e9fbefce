import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { text } from 'node:stream/consumers'
import { COMPILED } from '../scripts/setup/root.mjs'

enableCompileCache(COMPILED)

/** Whoever read our output may have gone (`| head`): the command goes on to its end, and nobody is left to tell. */
function endUnlessGone({ code }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') return
  process.stderr.write(
    `holdfast: The output cannot be written${code === 'ENOSPC' ? ': the disk is full' : ''} (${code}).\n`,
  )
  process.exit(1)
}
process.stdout.on('error', endUnlessGone)
process.stderr.on('error', () => undefined)

const { runCommandLine } = await import('./program.ts')

process.exitCode = await runCommandLine(
  {
    out: (words) => process.stdout.write(words),
    err: (words) => process.stderr.write(words),
    environment: process.env,
    directory: process.cwd(),
    home: homedir(),
    readInput: () => text(process.stdin),
    isTerminal: process.stderr.isTTY === true,
  },
  process.argv.slice(2),
)
