/** Values that describe an event; never a secret in clear. */
export type LogFields = Record<string, unknown>

/** Where events go: a constant message, its values in fields. Only the process entry knows what writes them. */
export type Log = {
  debug(fields: LogFields, message: string): void
  info(fields: LogFields, message: string): void
  warn(fields: LogFields, message: string): void
  error(fields: LogFields, message: string): void
  /** The same log with fields that every line carries. */
  child(fields: LogFields): Log
}

/** A log that keeps nothing, for parts that run where nobody reads. */
export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
}
