import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

// See server/main.ts: most of the time of a short command goes into stripping types.
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'holdfast'))

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
