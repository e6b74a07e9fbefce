import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Most of the time to ready goes into stripping types, so the result is kept: beside the packages, where nobody can
// write who could not change the program itself.
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'holdfast'))

const { runCommand } = await import('./process/commands.ts')
process.exit(await runCommand(process.argv.slice(2)))
