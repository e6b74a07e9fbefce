import { Failure, textOf } from '../../../kernel/failure.ts'
import type { Configuration } from '../configurations/configuration.ts'
import { fieldsOf } from '../configurations/configuration-fields.ts'
import { attemptDeadline } from './schedule-rules.ts'
import { serviceReason } from './service-reason.ts'

const maxLength = 1024

/** Why an attempt failed, for people: the stage, the reason, no secret, and not longer than a screen. */
export function errorText(thrown: unknown, configuration: Configuration, signal?: AbortSignal): string {
  const stage = thrown instanceof Failure && thrown.code === 'snapshot.failed' ? `${thrown.message}: ` : ''
  const cause = stage === '' ? thrown : (thrown as Failure).cause
  const why = signal?.aborted ? abortText(signal.reason, configuration) : serviceReason(cause, configuration)
  return singleLineText(withoutSecrets(`${stage}${why}`, configuration))
}

/**
 * Text from elsewhere without control characters, on one line: not every database takes a NUL, and terminals must not
 * obey it.
 */
export const singleLineText = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').slice(0, maxLength)

function abortText(reason: unknown, configuration: Configuration): string {
  if (reason instanceof Error && reason.name === 'TimeoutError') {
    return `timed out after ${attemptDeadline(configuration) / 1_000}s`
  }
  return `cancelled: ${textOf(reason)}`
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
