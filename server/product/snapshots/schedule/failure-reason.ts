import { Failure, textOf } from '../../../kernel/failure.ts'
import { withoutCredentials } from '../../../kernel/hidden-credentials.ts'
import type { Configuration, StorageType } from '../configurations/configuration.ts'
import { fieldsOf, spellField } from '../configurations/configuration-fields.ts'
import { attemptDeadline } from './schedule.ts'

/** What errors of the three libraries carry besides their text. */
type ServiceError = Error & {
  readonly code?: unknown
  readonly statusCode?: unknown
  readonly response?: { readonly status?: unknown; readonly data?: unknown }
  readonly $metadata?: { readonly httpStatusCode?: unknown }
  readonly errors?: unknown
}

/** Why a service did not do what was asked, for people: its answer, or why it could not be reached. */
export function serviceReason(thrown: unknown, configuration: Configuration): string {
  if (!(thrown instanceof Error) || thrown instanceof Failure) return textOf(thrown)
  const error = thrown as ServiceError
  const status = error.$metadata?.httpStatusCode ?? error.statusCode ?? error.response?.status ?? error.code
  if (typeof status === 'number') return responseReason(error, status, configuration)
  return connectionText(error, configuration) ?? credentialText(error, configuration) ?? firstLine(error)
}

const firstLine = ({ message, name }: Error): string => message.split('\n')[0] || name

function responseReason(error: ServiceError, status: number, configuration: Configuration): string {
  if (/XML parse error/.test(error.message)) {
    return `the endpoint is not a store of this kind (status ${status})${endpointHint(configuration)}`
  }
  const code = typeof error.code === 'string' ? error.code : error.name
  const isTelling = code !== 'Error' && code !== 'RestError'
  return `the service returned ${status}${isTelling ? ` ${code}` : ''}: ${responseMessage(error)}`
}

/** If there are several errors in one answer, the message is only a heading; the first of them is used. */
function responseMessage(error: ServiceError): string {
  const [first] = Array.isArray(error.errors) ? (error.errors as { message?: unknown }[]) : []
  const isHeading = error.message.startsWith('Multiple errors')
  if (isHeading && typeof first?.message === 'string') return first.message
  return tokenRefusal(error.response?.data) ?? firstLine(error)
}

/** The answer of the service that issues tokens; the library makes a text from only one of its two forms. */
function tokenRefusal(data: unknown): string | undefined {
  const { error, error_description: reason } = Object(data) as { error?: unknown; error_description?: unknown }
  if (typeof error === 'string') return typeof reason === 'string' ? `${error}: ${reason}` : error
  const { message } = Object(error) as { message?: unknown }
  return typeof message === 'string' ? message : undefined
}

const untrustedPattern = /^(?:SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_(?:VERIFY|GET_ISSUER)|CERT_(?:UNTRUSTED|SIGNATURE))/

/** How a connection failed; undefined if it was not the connection. */
function connectionText(error: ServiceError, configuration: Configuration): string | undefined {
  const { code, text: message } = systemErrorIn(error)
  const [, at = 'the host'] = /(?:connect|getaddrinfo) [A-Z_]+ (\S+)/.exec(message) ?? []
  const withHint = (text: string): string => `${text} (${code})${endpointHint(configuration)}`
  if (code === 'ECONNREFUSED') return withHint(`nothing listens at ${at}`)
  if (code === 'ENOTFOUND') return withHint(`the host name ${at} is not known`)
  if (code === 'EAI_AGAIN') return withHint(`the host name ${at} cannot be looked up at the moment`)
  if (code === 'EPROTO' && message.includes('wrong version number')) return withHint('the service does not speak TLS')
  if (untrustedPattern.test(code)) {
    const remedy = 'start the server with NODE_EXTRA_CA_CERTS naming the file of its CA'
    return `the certificate of the service is not trusted (${code}); ${remedy}`
  }
  return undefined
}

/** Libraries wrap the error of the system, or combine those of several addresses. */
function systemErrorIn(error: ServiceError): { code: string; text: string } {
  for (let each: unknown = error; each instanceof Error; each = innerErrorOf(each)) {
    const { code, message } = each as ServiceError
    if (typeof code === 'string' && message !== '') return { code, text: message }
  }
  return { code: '', text: '' }
}

const innerErrorOf = (error: ServiceError): unknown => (Array.isArray(error.errors) ? error.errors[0] : error.cause)

/** The field that determines which host is asked: the endpoint, or else the one that its name is made from. */
const hostFields: Readonly<Record<StorageType, readonly [endpoint: string, otherwise?: string]>> = {
  local: [''],
  'cloudA-store': ['cloudA_endpoint', 'cloudA_region'],
  'cloudB-store': ['cloudB_endpoint'],
  'cloudC-store': ['cloudC_endpoint', 'cloudC_account_name'],
}

function endpointHint({ type, dialect, settings }: Configuration): string {
  const [endpoint, otherwise] = hostFields[type]
  const field = settings[endpoint] === undefined ? otherwise : endpoint
  return field === undefined ? '' : `; check ${spellField(field, dialect)}`
}

/** True if the provider's library looked everywhere and there is no credential; a broken one is another error. */
export const foundNoCredential = (thrown: unknown): boolean =>
  thrown instanceof Error && thrown.message.startsWith('Could not load the default credentials')

/** If no field names a credential, the libraries look elsewhere; where is documented by the provider. */
function credentialText(error: ServiceError, { dialect }: Configuration): string | undefined {
  const notFound = (...fields: readonly string[]): string => {
    const names = fields.map((field) => spellField(field, dialect)).join(' and ')
    return `no credential was found: set ${names}, or give the server one where the tools of the provider look for it`
  }
  if (error.name === 'CredentialsProviderError') return notFound('cloudA_access_key_id', 'cloudA_secret_access_key')
  if (foundNoCredential(error)) return notFound('cloudB_service_account_key')
  if (/DECODER routines|PEM routines/.test(error.message)) {
    return `the private_key of ${spellField('cloudB_service_account_key', dialect)} cannot be read`
  }
  if (error.name === 'CredentialUnavailableError' || error.name === 'AuthenticationRequiredError') {
    return `${spellField('cloudC_auth_mode', dialect)} finds no credential: ${firstLine(error)}`
  }
  return undefined
}

const maxLength = 1024

/** Why an attempt failed, for people: the stage, the reason, no secret, and not longer than a screen. */
export function errorText(thrown: unknown, configuration: Configuration, signal?: AbortSignal): string {
  return singleLineText(withoutCredentials(withoutSecrets(reasonOf(thrown, configuration, signal), configuration)))
}

/** True if two errors differ in numbers alone, such as sizes, times, and the names of snapshots. */
export const isSameReason = (one: string, other: string): boolean =>
  one.replaceAll(/\d+/g, '0') === other.replaceAll(/\d+/g, '0')

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
