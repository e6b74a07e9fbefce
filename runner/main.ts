import { enableCompileCache } from 'node:module'
import { createInterface } from 'node:readline'
import { COMPILE_CACHE } from '../scripts/setup/root.mjs'

enableCompileCache(COMPILE_CACHE)

const [{ helpText, readOptions, textIn }, { Runner, RunnerFailure }, { version }] = await Promise.all([
  import('./options.ts'),
  import('./runner.ts'),
  import('../server/version.ts'),
])

/** How long the tools of a runner whose server is gone have to write their state. */
const abandonMs = 20_000

const write = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

/** The token in a file is read anew for each registration; that of the standard input comes as its first line. */
function tokenSource(file: string | undefined, onInputEnd: () => void): () => Promise<string> {
  if (file === undefined) throw new RunnerFailure('Name the file that holds the token of an agent pool: --token-file.')
  if (file !== '-') return async () => textIn(file).trim()
  const { promise, resolve } = Promise.withResolvers<string>()
  const lines = createInterface({ input: process.stdin })
  lines.once('line', (line) => resolve(line.trim()))
  lines.once('close', onInputEnd)
  return () => promise
}

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(helpText())
    return 0
  }
  try {
    const { settings, tokenFile } = readOptions(args, process.env)
    const token = tokenSource(tokenFile, () => void runner.abandon(abandonMs).then(() => process.exit(1)))
    const runner = new Runner(settings, version, token, {
      note: write,
      ready: ({ id, layer, missing, tools, maxJobs }) => {
        const names = tools.map((tool) => `${tool.name} ${tool.version}`).join(', ') || 'tools of the catalogue'
        write(`Runner ${id} is ready: layer ${layer}, ${maxJobs} jobs at once, ${names}.`)
        if (missing.length > 0) write(`Not in force: ${missing.join(', ')}.`)
        // For the server that started this runner.
        if (tokenFile === '-') process.stdout.write(`${JSON.stringify({ id, layer, not_in_force: missing })}\n`)
      },
    })
    let isAsked = false
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        runner.stop(isAsked || tokenFile === '-')
        isAsked = true
      })
    }
    await runner.run()
    return 0
  } catch (error) {
    if (!(error instanceof RunnerFailure)) throw error
    write(`holdfast: ${error.message}`)
    return 1
  }
}

process.exit(await main(process.argv.slice(2).filter((word, index) => index > 0 || word !== 'runner')))
