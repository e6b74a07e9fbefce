import { Failure, failure } from '../kernel/failure.ts'

/** What can go wrong with an outgoing call; codes are `outbound.<problem>`. */
type Problem =
  | 'bad-url'
  | 'bad-request'
  | 'scheme'
  | 'denied-address'
  | 'unresolved'
  | 'unreachable'
  | 'tls'
  | 'protocol'
  | 'broken-off'
  | 'deadline'
  | 'cancelled'
  | 'too-large'
  | 'encoded'
  | 'status'
  | 'too-many-redirects'
  | 'downgrade'

/** A failed outgoing call. Texts name scheme, host and port only: paths and queries may hold credentials. */
export const problem = (
  code: Problem,
  text: string,
  extras?: { cause?: unknown; data?: Record<string, unknown> },
): Failure => failure('upstream', `outbound.${code}`, text, extras)

/** The code of a call that the address guard refused; another try would not help. */
export const deniedAddress = 'outbound.denied-address'

const byCode: Readonly<Record<string, Problem>> = {
  ENOTFOUND: 'unresolved',
  EAI_AGAIN: 'unresolved',
  EAI_FAIL: 'unresolved',
  ENODATA: 'unresolved',
  ECONNREFUSED: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ETIMEDOUT: 'unreachable',
  ENOENT: 'unreachable',
  EACCES: 'unreachable',
  EPROTO: 'tls',
  ERR_PROXY_TUNNEL: 'unreachable',
  HPE_HEADER_OVERFLOW: 'too-large',
}

const problemTexts: Readonly<Partial<Record<Problem, string>>> = {
  unresolved: 'its name was not found',
  unreachable: 'it cannot be reached',
  tls: 'TLS failed',
  protocol: 'it does not speak HTTP',
  'broken-off': 'the connection broke off',
  'too-large': 'its headers are too large',
  'bad-request': 'the request has an invalid header',
}

/**
 * Turns an error of the network into a failure; failures pass unchanged, and an expired budget explains any other
 * error.
 */
export function toFailure(thrown: unknown, where: string, signal: AbortSignal): Failure {
  if (thrown instanceof Failure) return thrown
  if (signal.aborted && signal.reason instanceof Failure) return signal.reason
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  const kind = byCode[code] ?? kindOf(code)
  return problem(kind, `The call to ${where} failed: ${problemTexts[kind] ?? kind}${code ? ` (${code})` : ''}.`, {
    cause: thrown,
  })
}

function kindOf(code: string): Problem {
  if (code.startsWith('HPE_')) return 'protocol'
  if (
    /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE)/.test(
      code,
    )
  ) {
    return 'tls'
  }
  if (/^ERR_(INVALID_CHAR|HTTP_INVALID_HEADER|INVALID_HTTP_TOKEN|UNESCAPED)/.test(code)) return 'bad-request'
  return 'broken-off'
}
