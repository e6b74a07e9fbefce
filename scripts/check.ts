// npm run check [-- --report FILE]: all checks of the code that do not run it.
import { spawn } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Step = { name: string; command: readonly string[] }

/** One step of the check, as `--report` writes it down. */
type StepResult = { name: string; ok: boolean; seconds: number }

const ROOT = join(import.meta.dirname, '..')
const bin = (name: string): string => join(ROOT, 'node_modules', '.bin', name)

const STEPS: readonly Step[] = [
  { name: 'types', command: [bin('tsc'), '--noEmit', '-p', '.'] },
  { name: 'types of the web UI', command: [bin('tsc'), '--noEmit', '-p', 'web'] },
  { name: 'lint', command: [bin('biome'), 'check', '--error-on-warnings', '.'] },
  { name: 'boundaries', command: [process.execPath, 'scripts/check-boundaries.ts'] },
  { name: 'generated files', command: [process.execPath, 'scripts/generate.ts', '--check'] },
]

async function run({ name, command }: Step): Promise<StepResult & { output: string }> {
  const began = performance.now()
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    cwd: ROOT,
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return { name, ok: code === 0, seconds: (performance.now() - began) / 1000, output }
}

/** The longest sources, since a file that grows is easier to split early. */
function largestFiles(count: number): string[] {
  const files = globSync('{server,cli,runner,api-client,web/src,scripts,test,bench}/**/*.{ts,tsx,mjs}', {
    cwd: ROOT,
    exclude: ['**/*.d.ts'],
  })
  const sized = files.map((file) => ({ file, lines: readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1 }))
  const longest = sized.sort((a, b) => b.lines - a.lines || a.file.localeCompare(b.file)).slice(0, count)
  return longest.map(({ file, lines }) => `${String(lines).padStart(6)}  ${file}`)
}

async function main(args: readonly string[]): Promise<number> {
  const results: StepResult[] = []
  for (const step of STEPS) {
    const { output, ...result } = await run(step)
    results.push(result)
    console.log(`${result.ok ? 'ok    ' : 'FAILED'}  ${result.name} (${result.seconds.toFixed(1)} s)`)
    if (!result.ok) console.log(output.trimEnd())
  }
  console.log(`\nThe ten largest files, in lines:\n${largestFiles(10).join('\n')}`)
  const report = args[args.indexOf('--report') + 1]
  if (args.includes('--report') && report) writeFileSync(report, JSON.stringify(results))
  return results.every(({ ok }) => ok) ? 0 : 1
}

if (import.meta.main) process.exit(await main(process.argv.slice(2)))
