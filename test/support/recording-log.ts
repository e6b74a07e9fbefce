import type { Log, LogFields } from '../../server/kernel/log.ts'

/** A log whose lines a test can read. Errors are written out with their causes, as a real log would. */
export function recordingLog(): { log: Log; text: () => string } {
  const lines: string[] = []
  const plain = (value: unknown): unknown =>
    value instanceof Error ? { ...value, message: value.message, stack: value.stack, cause: plain(value.cause) } : value
  const note = (fields: LogFields, message: string): void => {
    const told = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, plain(value)]))
    lines.push(JSON.stringify({ ...told, message }))
  }
  const log: Log = { debug: note, info: note, warn: note, error: note, child: () => log }
  return { log, text: () => lines.join('\n') }
}
