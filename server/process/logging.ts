import { pino } from 'pino'
import type { Config } from '../config/index.ts'
import type { Log } from '../kernel/log.ts'
import { renderLogLine } from './log-line.ts'

/** Where lines go: a stream of the process, or what a test gives. */
export type LogOutput = { write(text: string): unknown; isTTY?: boolean }

/** The process log, with a way to push out what still waits before the process ends. */
export type ProcessLog = { log: Log; flush(): void }

/** Names of fields whose values are secret wherever they turn up. */
const secretFields: ReadonlySet<string> = new Set([
  'token',
  'client_token',
  'root_token',
  'user_token',
  'password',
  'secret',
  'secret_key',
  'private_key',
  'authorization',
  'cookie',
  'share',
  'shares',
  'key',
])

/** Opens the log of the process: text for people at a terminal in dev mode, JSON for everything else. */
export function openLog({ mode, log }: Pick<Config, 'mode' | 'log'>, output?: LogOutput): ProcessLog {
  const stream = output ?? process.stderr
  const format = log.format === 'auto' ? (mode === 'dev' && stream.isTTY ? 'text' : 'json') : log.format
  const options = {
    level: log.level,
    base: null,
    formatters: { level: (label: string) => ({ level: label }), log: withoutSecrets },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { error: readableError, err: readableError, cause: readableError },
  }
  if (format === 'text' || output) {
    const write = (line: string): unknown =>
      stream.write(format === 'text' ? renderLogLine(line, stream.isTTY ?? false) : line)
    return { log: pino(options, { write }), flush: () => undefined }
  }
  // Lines are gathered for a moment: one write per request would cost more than the request's own work.
  const destination = pino.destination({ fd: process.stderr.fd, sync: false, minLength: 4096, periodicFlush: 200 })
  return { log: pino(options, destination), flush: () => destination.flushSync() }
}

/**
 * Blanks fields with secret names, here and one level down. A line without any, which is nearly every line, is handed on
 * as it is: pino's own redaction costs more than the rest of the line.
 */
function withoutSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  let clean = fields
  for (const name in fields) {
    const value = fields[name]
    const safe = secretFields.has(name) ? '[redacted]' : isPlainObject(value) ? withoutSecretsInside(value) : value
    if (safe !== value) clean = { ...clean, [name]: safe }
  }
  return clean
}

function withoutSecretsInside(fields: Record<string, unknown>): Record<string, unknown> {
  const names = Object.keys(fields).filter((name) => secretFields.has(name))
  return names.length === 0 ? fields : { ...fields, ...Object.fromEntries(names.map((name) => [name, '[redacted]'])) }
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** An error with its stack and its causes; other values stay as they are. */
function readableError(value: unknown): unknown {
  return value instanceof Error ? pino.stdSerializers.err(value) : value
}
