import { prepareRuntime } from './process/runtime.ts'

prepareRuntime()
const { runCommand } = await import('./process/commands.ts')
process.exit(await runCommand(process.argv.slice(2)))
