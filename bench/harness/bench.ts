import { cpus, loadavg, totalmem } from 'node:os'
import type { Pace } from './compare-rates.ts'

/** A benchmark: a file `bench/<name>-bench.ts` that exports `bench`. */
export type Bench = {
  /** One line that says what is measured against what. */
  about: string
  /** Runs it and yields what to print, part by part as it is measured: tables, with a line of settings above each. */
  run(pace: Pace): AsyncIterable<string>
}

/** The machine that the figures were measured on; they mean little without it. */
export function describeMachine(): string {
  const [cpu] = cpus()
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  const load = loadavg()[0]?.toFixed(1)
  return `${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, ${memory}, ${process.platform} ${process.arch}, Node ${process.version}, load ${load}`
}
