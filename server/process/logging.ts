import { hostname } from 'node:os'
import type { Config } from '../config/index.ts'
import type { Log, LogFields } from '../kernel/log.ts'
import { jsonLog } from './json-log.ts'
import { LineOutput } from './line-output.ts'
import { renderLogLine } from './log-line.ts'
import { Repetitions } from './repetitions.ts'

/** Where lines go: a stream of the process, or what a test gives. */
type LogOutput = { write(text: string): unknown; isTTY?: boolean }

/** The process log, a way to write what still waits before the process ends, and how many lines it has lost. */
export type ProcessLog = { log: Log; flush(): void; lostLines(): number }

/** Opens the log of the process: text for people at a terminal in dev mode, JSON for everything else. */
export function openLog({ mode, log }: Pick<Config, 'mode' | 'log'>, output?: LogOutput): ProcessLog {
  const stream = output ?? process.stderr
  const format = log.format === 'auto' ? (mode === 'dev' && stream.isTTY ? 'text' : 'json') : log.format
  const render = format === 'text' ? (line: string) => renderLogLine(line, stream.isTTY ?? false) : asItIs
  // The lines of several nodes and processes end up in one place.
  const common = { node: hostname(), pid: process.pid }
  const repetitions = new Repetitions()
  const open = (write: (line: string) => unknown): Log =>
    jsonLog(log.level, { write: (line) => write(render(line)), common, repetitions })
  if (output || stream.isTTY)
    return { log: open((line) => stream.write(line)), flush: () => repetitions.flush(), lostLines: () => 0 }
  const lines = new LineOutput(process.stderr.fd, (count) => render(lostLine(count, common)))
  const flush = (): void => {
    repetitions.flush()
    lines.flush()
  }
  return { log: open((line) => lines.write(line)), flush, lostLines: () => lines.lostInAll }
}

const asItIs = (line: string): string => line

/** The line that stands in the log for lines that were lost. */
function lostLine(count: number, common: LogFields): string {
  let text = ''
  const write = (line: string): void => {
    text = line
  }
  jsonLog('warn', { write, common }).warn({ lines: count }, 'log lines were lost')
  return text
}
