import type { Config } from '../config/index.ts'
import type { Log } from '../kernel/log.ts'
import { jsonLog } from './json-log.ts'
import { LineOutput } from './line-output.ts'
import { renderLogLine } from './log-line.ts'

/** Where lines go: a stream of the process, or what a test gives. */
export type LogOutput = { write(text: string): unknown; isTTY?: boolean }

/** The process log, and a way to write what still waits before the process ends. */
export type ProcessLog = { log: Log; flush(): void }

/** Opens the log of the process: text for people at a terminal in dev mode, JSON for everything else. */
export function openLog({ mode, log }: Pick<Config, 'mode' | 'log'>, output?: LogOutput): ProcessLog {
  const stream = output ?? process.stderr
  const format = log.format === 'auto' ? (mode === 'dev' && stream.isTTY ? 'text' : 'json') : log.format
  const render = format === 'text' ? (line: string) => renderLogLine(line, stream.isTTY ?? false) : asItIs
  if (output || stream.isTTY) return { log: jsonLog(log.level, (line) => stream.write(render(line))), flush: nothing }
  const lines = new LineOutput(process.stderr.fd, (count) => render(lostLine(count)))
  return { log: jsonLog(log.level, (line) => lines.write(render(line))), flush: () => lines.flush() }
}

const asItIs = (line: string): string => line

const nothing = (): void => undefined

/** The line that stands in the log for lines that were lost. */
function lostLine(count: number): string {
  let text = ''
  jsonLog('warn', (line) => {
    text = line
  }).warn({ lines: count }, 'log lines were lost')
  return text
}
