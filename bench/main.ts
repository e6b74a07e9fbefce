import { globSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Bench, describeMachine } from './harness/bench.ts'
import type { Pace } from './harness/compare-rates.ts'

const usage = `Usage: npm run bench [-- [NAME...] [--rounds N] [--ms N] [--warmup MS] [--list]]

Each figure is a ratio of two things measured in turns within one run; rates of different runs do not compare.
`

/** Runs the benches named, or all, and returns the exit code. */
async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      // Many short rounds: a shared machine changes its speed from one second to the next.
      rounds: { type: 'string', default: '30' },
      ms: { type: 'string', default: '300' },
      warmup: { type: 'string', default: '15000' },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const known = benchNames()
  const unknown = positionals.filter((name) => !known.includes(name))
  if (values.help || unknown.length > 0) {
    const problem = unknown.map((name) => `There is no bench '${name}'.\n`).join('')
    process.stderr.write(`${problem}${usage}\nBenches: ${known.join(', ')}\n`)
    return unknown.length > 0 ? 2 : 0
  }
  const pace = { rounds: Number(values.rounds), roundMs: Number(values.ms), warmupMs: Number(values.warmup) }
  process.stdout.write(`${describeMachine()}\n`)
  for (const name of positionals.length > 0 ? positionals : known) await runBench(name, pace, values.list)
  return 0
}

const benchNames = (): string[] =>
  globSync('*-bench.ts', { cwd: import.meta.dirname })
    .map((file) => file.replace(/-bench\.ts$/, ''))
    .sort()

async function runBench(name: string, pace: Pace, onlyList: boolean): Promise<void> {
  const { bench } = (await import(join(import.meta.dirname, `${name}-bench.ts`))) as { bench: Bench }
  process.stdout.write(`\n## ${name}: ${bench.about}\n\n`)
  if (onlyList) return
  for await (const part of bench.run(pace)) process.stdout.write(`${part}\n\n`)
}

process.exit(await main(process.argv.slice(2)))
