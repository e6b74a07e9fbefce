import { systemClock, toIso } from '../kernel/clock.ts'
import { Failure, textOf } from '../kernel/failure.ts'
import { withoutCredentials } from '../kernel/hidden-credentials.ts'
import type { Log, LogFields } from '../kernel/log.ts'
import type { Repetitions } from './repetitions.ts'

/** How much is written: lines of lower levels are dropped. */
type LogLevel = keyof typeof severities

const severities = { debug: 20, info: 30, warn: 40, error: 50 } as const

type Write = (line: string) => unknown

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

const redacted = '[redacted]'

/** What a log is made of besides its level. */
type LogParts = {
  readonly write: Write
  /** Fields of every line. */
  readonly common?: LogFields
  readonly repetitions?: Repetitions
}

/**
 * A log whose lines are JSON objects. Every request writes one, so lines are put together by hand: a general serializer
 * took as long as everything else the server does for a small answer.
 */
export function jsonLog(level: LogLevel, { common = {}, ...parts }: LogParts): Log {
  return createLog(severities[level], fieldsText(common), parts)
}

function createLog(least: number, bound: string, parts: Omit<LogParts, 'common'>): Log {
  const { write, repetitions } = parts
  const at = (label: 'debug' | 'info' | 'warn' | 'error') => {
    if (severities[label] < least) return () => undefined
    const tell = (fields: LogFields, message: string): void => {
      write(
        `{"level":"${label}","time":"${toIso(systemClock.now())}"${bound}${fieldsText(fields)},"msg":${quoted(message)}}\n`,
      )
    }
    if (!repetitions || severities[label] < severities.warn) return tell
    return (fields: LogFields, message: string): void => {
      const isDue =
        fields.error === undefined ||
        repetitions.isNew(`${bound}${failureText(fields)} ${message}`, (repeated) =>
          tell({ ...fields, repeated }, message),
        )
      if (isDue) tell(fields, message)
    }
  }
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => createLog(least, bound + fieldsText(fields), parts),
  }
}

/** What a failure is recognised by: whom it happened to. Requests and numbers differ each time. */
function failureText({ request: _, error, ...fields }: LogFields): string {
  const texts = Object.values(fields).filter((value) => typeof value === 'string')
  return [textOf(error), ...texts].join(' ')
}

/** Names of fields as they appear in a line. The code has a limited number of them, so each is prepared once. */
const fieldHeads = new Map<string, string>()

function fieldHead(name: string): string {
  const head = `,${quoted(name)}:`
  fieldHeads.set(name, head)
  return head
}

function fieldsText(fields: LogFields): string {
  let text = ''
  for (const name in fields) {
    const value = fields[name]
    if (value === undefined) continue
    text += (fieldHeads.get(name) ?? fieldHead(name)) + (secretFields.has(name) ? `"${redacted}"` : valueText(value))
  }
  return text
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return quoted(withoutCredentials(value))
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null'
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Failure && value.kind !== 'internal') return quoted(withoutCredentials(refusalText(value)))
  return stringify(value instanceof Error ? errorFields(value) : value)
}

/**
 * A refusal is expected, so its text suffices and a stack would only bury it. Its cause is meant for logs, and added.
 */
function refusalText({ message, cause }: Failure): string {
  return cause === undefined ? message : `${message} (${textOf(cause)})`
}

/** An error with all its causes, and whatever else it carries. */
function errorFields(error: Error): object {
  const causes = withCauses(error)
  return {
    ...error,
    cause: undefined,
    type: error.constructor.name,
    message: causes.map(({ message }) => message).join(': '),
    stack: causes.map(({ stack, message }) => stack ?? message).join('\ncaused by: '),
    ...(error instanceof AggregateError && { errors: error.errors.map(textOf) }),
  }
}

function withCauses(error: Error): Error[] {
  const found = new Set<Error>()
  for (let each: unknown = error; each instanceof Error && !found.has(each); each = each.cause) found.add(each)
  return [...found]
}

/** A value that cannot be written as JSON, such as a circular one, is described instead: a log line never fails. */
function stringify(value: unknown): string {
  try {
    return JSON.stringify(value, redactSecret) ?? 'null'
  } catch (error) {
    return quoted(`not writable: ${error instanceof Error ? error.message : 'unknown'}`)
  }
}

function redactSecret(name: string, value: unknown): unknown {
  if (secretFields.has(name)) return redacted
  return typeof value === 'string' ? withoutCredentials(value) : value
}

/** Lone surrogates count too: JSON in UTF-8 cannot hold them as they are. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const needsEscape = /["\\\u0000-\u001f\ud800-\udfff]/

const quoted = (text: string): string => (needsEscape.test(text) ? JSON.stringify(text) : `"${text}"`)
