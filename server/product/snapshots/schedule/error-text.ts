import { Failure, textOf } from '../../../kernel/failure.ts'
import { withoutCredentials } from '../../../kernel/hidden-credentials.ts'
import type { Configuration } from '../configurations/configuration.ts'
import { fieldsOf } from '../configurations/configuration-fields.ts'
import { attemptDeadline } from './schedule-rules.ts'
import { serviceReason } from './service-reason.ts'

const maxLength = 1024

/** Why an attempt failed, for people: the stage, the reason, no secret, and not longer than a screen. */
export function errorText(thrown: unknown, configuration: Configuration, signal?: AbortSignal): string {
  return singleLineText(withoutCredentials(withoutSecrets(reasonOf(thrown, configuration, signal), configuration)))
}

/**
 * Text from elsewhere without control characters, on one line: not every database takes a NUL, and terminals must not
 * obey it.
 */
export const singleLineText = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').slice(0, maxLength)

/** A cancelled attempt did not fail at any stage, so its text names none. */
function reasonOf(thrown: unknown, configuration: Configuration, signal: AbortSignal | undefined): string {
  const isTimedOut = signal?.reason instanceof Error && signal.reason.name === 'TimeoutError'
  if (signal?.aborted && !isTimedOut) return `cancelled: ${textOf(signal.reason)}`
  const stage = thrown instanceof Failure && thrown.code === 'snapshot.failed' ? `${thrown.message}: ` : ''
  const cause = stage === '' ? thrown : (thrown as Failure).cause
  const why = isTimedOut
    ? `timed out after ${attemptDeadline(configuration) / 1_000}s`
    : serviceReason(cause, configuration)
  return `${stage}${why}`
}

/** No service should repeat a secret in its answer; if one does, it is removed here. */
function withoutSecrets(text: string, { type, settings }: Configuration): string {
  let clean = text
  for (const { name, secret } of fieldsOf(type)) {
    const value = settings[name]
    if (secret && typeof value === 'string' && value.length > 3) clean = clean.replaceAll(value, '[redacted]')
  }
  return clean
}
