import type { FailureKind } from '../kernel/failure.ts'
import { type Endpoint, querySchema } from '../kit/endpoint.ts'

/**
 * Kinds of failures of an endpoint: those it names, and those that follow from what it asks for, since the steps before its
 * handler refuse in its name. What any request may meet, such as 429, is said once for the whole document.
 */
export function failuresOf(endpoint: Endpoint): readonly FailureKind[] {
  return [...new Set([...(endpoint.fails ?? []), ...failuresOfAccess(endpoint), ...failuresOfInput(endpoint)])]
}

/** What holds for every call, in words. */
export const failuresOfAll =
  'Any request may also fail with 400, 405, 406, 408, 415, 417, 429, 431, 500 or 503, in the format of other errors.'

/** The kinds in words. */
export const failureWords: Readonly<Record<FailureKind, string>> = {
  malformed: 'malformed request',
  invalid: 'invalid input',
  unauthenticated: 'not authenticated',
  forbidden: 'permission denied',
  refused: 'not allowed',
  missing: 'not found',
  'unsupported-operation': 'unsupported operation',
  'not-acceptable': 'not acceptable',
  'unsupported-media': 'unsupported media type',
  conflict: 'conflict',
  precondition: 'precondition failed',
  'unmet-expectation': 'expectation failed',
  'too-large': 'request too large',
  'header-too-large': 'headers too large',
  'too-slow': 'request timeout',
  'rate-limited': 'too many requests',
  sealed: 'server is sealed',
  unavailable: 'temporarily unavailable',
  upstream: 'another service failed',
  'no-space': 'not enough disk space',
  internal: 'internal error',
}

/** Rules about people alone. */
const personalRules: readonly string[] = ['user', 'user:read', 'user:manage-tokens', 'site:admin']

/** What hides something looks into an organization, unless it is about people; and that may be closed to user tokens. */
const isWithinOrganization = ({ access, fails = [] }: Endpoint): boolean =>
  access.kind === 'rule' && !personalRules.includes(access.name) && fails.includes('missing')

function failuresOfAccess(endpoint: Endpoint): readonly FailureKind[] {
  const { api, access, verb } = endpoint
  if (access.kind === 'open') return []
  if (api !== 'api/v2') return ['forbidden']
  // A write with the session of a browser needs the proof that it comes from a page of ours.
  return verb !== 'GET' || isWithinOrganization(endpoint) ? ['unauthenticated', 'refused'] : ['unauthenticated']
}

function failuresOfInput(endpoint: Endpoint): readonly FailureKind[] {
  if (endpoint.body) return ['malformed', 'too-large']
  // A choice of fields is never refused: names that no resource has choose nothing.
  const names = Object.keys(querySchema(endpoint)?.properties ?? {}).filter((name) => name !== 'fields')
  return names.length > 0 ? ['malformed'] : []
}
