import { type Instant, toIsoNano } from '../kernel/clock.ts'
import type { Principal, TokenPrincipal } from '../kernel/principal.ts'
import type { AuditEvent } from '../kit/audit-trail.ts'
import type { Mount } from '../kit/mount.ts'
import { serialOf } from './certificate-serial.ts'
import { describeReply } from './reply-record.ts'

/** Part of a record: keys as they are written. */
export type Fields = Record<string, unknown>

/** A record before any device hashed it. It holds tokens and values in clear and must reach no log. */
export type AuditRecord = {
  time: string
  type: 'request' | 'response'
  /** Who calls. The token stands in `request` alone, so that this part can be kept while the caller is known. */
  auth?: Fields
  request: Fields
  response?: Fields
  error?: string
}

/** Which values of a record a device leaves in clear. */
export type RecordRules = {
  requestKeys: ReadonlySet<string>
  responseKeys: ReadonlySet<string>
  /** The whole of `response.data` stands in clear. */
  clearResponse: boolean
  hashedHeaders: ReadonlySet<string>
  /** The answer is a list, whose names a device may replace by their number. */
  list: boolean
}

/** A record and how it is to be hashed. */
export type Recorded = { record: AuditRecord; rules: RecordRules }

/** Request headers that are written down, by lower-case name. */
export type AuditedHeaders = ReadonlyMap<string, { hmac: boolean }>

const none: ReadonlySet<string> = new Set()

/** Makes records. What request and answer, or requests of one caller, have in common is built once. */
export function createRecorder(
  headers: AuditedHeaders,
): (type: AuditRecord['type'], event: AuditEvent, at: Instant) => Recorded {
  const hashedHeaders = new Set([...headers].filter(([, { hmac }]) => hmac).map(([name]) => name))
  const requestOf = remembering(
    (event) => event.request,
    ({ caller, endpoint }) => `${endpoint?.path} ${clientIdOf(caller)} ${accessorOf(caller)}`,
    (event) => describeRequest(event, headers),
  )
  const authOf = remembering(
    (event) => event.caller,
    ({ verdict }) => `${verdict?.allowed} ${verdict?.grantingPolicies.join(' ')}`,
    describeCaller,
  )
  return (type, event, at) => {
    const auth = authOf(event)
    const answer = type === 'response' ? describeReply(event) : undefined
    const record: AuditRecord = { time: toIsoNano(at), type, request: requestOf(event) }
    if (auth) record.auth = auth
    if (answer) record.response = compact({ ...answer.fields, ...describeMount(event.request.mount) })
    if (event.error) record.error = event.error
    return { record, rules: rulesOf(event, answer?.clear ?? false, hashedHeaders) }
  }
}

/** Keeps what was made for a key while the key lives and the sign, all else that it depends on, is the same. */
function remembering<T>(
  keyOf: (event: AuditEvent) => object,
  signOf: (event: AuditEvent) => string,
  make: (event: AuditEvent) => T,
): (event: AuditEvent) => T {
  const known = new WeakMap<object, { sign: string; made: T }>()
  return (event) => {
    const sign = signOf(event)
    const found = known.get(keyOf(event))
    if (found?.sign === sign) return found.made
    const made = make(event)
    known.set(keyOf(event), { sign, made })
    return made
  }
}

function rulesOf(
  { request, operation }: AuditEvent,
  clearResponse: boolean,
  hashedHeaders: ReadonlySet<string>,
): RecordRules {
  const config = request.mount?.config
  const setOf = (keys: readonly string[] = []) => (keys.length > 0 ? new Set(keys) : none)
  return {
    requestKeys: setOf(config?.auditNonHmacRequestKeys),
    responseKeys: setOf(config?.auditNonHmacResponseKeys),
    clearResponse,
    hashedHeaders,
    list: operation === 'list',
  }
}

/** The record a new device must take before it is enabled. */
export function testRecord(at: Instant, id: string): Recorded {
  const request = { id, operation: 'update', path: 'sys/audit/test', namespace: { id: 'root' } }
  const rules = { requestKeys: none, responseKeys: none, clearResponse: false, hashedHeaders: none, list: false }
  return { record: { time: toIsoNano(at), type: 'request', request }, rules }
}

/** Leaves out what is empty: nothing, no text, zero, false, empty lists and maps. */
export function compact(fields: Fields): Fields {
  const kept: Fields = {}
  for (const key of Object.keys(fields)) {
    const value = fields[key]
    if (!isEmpty(value)) kept[key] = value
  }
  return kept
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true
  if (typeof value !== 'object') return false
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0
}

function describeRequest(
  { request, endpoint, operation, caller, wrapTtl }: AuditEvent,
  headers: AuditedHeaders,
): Fields {
  // A path that holds a signed address is written as its route; query strings are part of `data`, hashed.
  const path = endpoint?.secretPath ? endpoint.path.slice(1) : request.path
  const prefix = endpoint?.api === 'api/v2' ? 'api/v2/' : ''
  return compact({
    id: request.id,
    client_id: clientIdOf(caller),
    operation,
    ...describeMount(request.mount),
    client_token: request.presentedToken,
    client_token_accessor: accessorOf(caller),
    namespace: { id: 'root' },
    path: `${prefix}${path}`,
    data: request.fields,
    headers: pickHeaders(request.headers, headers),
    remote_address: request.remoteAddress,
    remote_port: request.remotePort,
    request_uri: endpoint?.api === 'v1' ? `/v1/${path}` : `/${prefix}${path}`,
    wrap_ttl: wrapTtl,
    client_certificate_serial_number: request.certificate ? serialOf(request.certificate) : '',
  })
}

const describeMount = (mount: Mount | undefined): Fields =>
  mount
    ? {
        mount_point: mount.path,
        mount_type: mount.type,
        mount_accessor: mount.accessor,
        mount_class: mount.path.startsWith('auth/') ? 'auth' : 'secret',
      }
    : {}

function pickHeaders(sent: AuditEvent['request']['headers'], wanted: AuditedHeaders): Fields {
  const found = [...wanted.keys()].map((name) => [name, [sent[name] ?? []].flat()] as const)
  return compact(Object.fromEntries(found))
}

function clientIdOf(caller: Principal): string {
  if (caller.kind === 'anonymous') return ''
  return caller.kind === 'token' ? caller.entityId : caller.id
}

const accessorOf = (caller: Principal): string => (caller.kind === 'token' ? caller.accessor : '')

function describeCaller(event: AuditEvent): Fields | undefined {
  const { caller } = event
  if (caller.kind === 'anonymous') return undefined
  if (caller.kind === 'token') return describeToken(caller, event.verdict)
  return compact({
    display_name: caller.name,
    entity_id: caller.id,
    token_type: caller.via,
    metadata: compact({ kind: caller.kind, organization_id: caller.organizationId }),
  })
}

function describeToken(token: TokenPrincipal, verdict: AuditEvent['verdict']): Fields {
  return compact({
    accessor: token.accessor,
    display_name: token.displayName,
    policies: [...new Set([...token.policies, ...token.identityPolicies])].sort(),
    token_policies: token.policies,
    identity_policies: token.identityPolicies,
    policy_results: verdict && {
      allowed: verdict.allowed,
      ...compact({
        granting_policies: verdict.grantingPolicies.map((name) => ({ name, namespace_id: 'root', type: 'acl' })),
      }),
    },
    metadata: token.metadata,
    entity_id: token.entityId,
    remaining_uses: token.limitedUses ? token.remainingUses : 0,
    token_type: token.type,
    token_ttl: token.ttlSeconds,
    token_issue_time: toIsoNano(token.issuedAt),
    no_default_policy: !token.root && !token.policies.includes('default'),
  })
}
