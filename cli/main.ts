import { homedir } from 'node:os'
import { text } from 'node:stream/consumers'
import { runCommandLine } from './program.ts'

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
