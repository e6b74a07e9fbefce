import { pino } from 'pino'
import type { Config } from '../config/index.ts'
import type { Log } from '../kernel/log.ts'
import { jsonLog } from './json-log.ts'
import { renderLogLine } from './log-line.ts'

/** Where lines go: a stream of the process, or what a test gives. */
export type LogOutput = { write(text: string): unknown; isTTY?: boolean }

/** The process log, with a way to push out what still waits before the process ends. */
export type ProcessLog = { log: Log; flush(): void }

/** Opens the log of the process: text for people at a terminal in dev mode, JSON for everything else. */
export function openLog({ mode, log }: Pick<Config, 'mode' | 'log'>, output?: LogOutput): ProcessLog {
  const stream = output ?? process.stderr
  const format = log.format === 'auto' ? (mode === 'dev' && stream.isTTY ? 'text' : 'json') : log.format
  if (format === 'text' || output) {
    const write = (line: string): unknown =>
      stream.write(format === 'text' ? renderLogLine(line, stream.isTTY ?? false) : line)
    return { log: jsonLog(log.level, write), flush: () => undefined }
  }
  // Lines are gathered for a moment: one write per request would cost more than the request's own work.
  const destination = pino.destination({ fd: process.stderr.fd, sync: false, minLength: 4096, periodicFlush: 200 })
  return { log: jsonLog(log.level, (line) => destination.write(line)), flush: () => destination.flushSync() }
}
