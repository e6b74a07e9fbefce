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

/** Builds the record of a request about to be carried out, or of its answer. */
export function recordOf(type: AuditRecord['type'], event: AuditEvent, at: Instant, headers: AuditedHeaders): Recorded {
  const answer = type === 'response' ? describeReply(event) : undefined
  const auth = describeCaller(event)
  const record: AuditRecord = {
    time: toIsoNano(at),
    type,
    ...(auth && { auth }),
    request: describeRequest(event, headers),
    ...(answer && { response: compact({ ...answer.fields, ...describeMount(event.request.mount) }) }),
    ...(event.error && { error: event.error }),
  }
  const config = event.request.mount?.config
  const rules: RecordRules = {
    requestKeys: new Set(config?.auditNonHmacRequestKeys),
    responseKeys: new Set(config?.auditNonHmacResponseKeys),
    clearResponse: answer?.clear ?? false,
    hashedHeaders: new Set([...headers].filter(([, { hmac }]) => hmac).map(([name]) => name)),
    list: event.operation === 'list',
  }
  return { record, rules }
}

/** The record a new device must take before it is enabled. */
export function testRecord(at: Instant, id: string): Recorded {
  const request = { id, operation: 'update', path: 'sys/audit/test', namespace: { id: 'root' } }
  const none: ReadonlySet<string> = new Set()
  const rules = { requestKeys: none, responseKeys: none, clearResponse: false, hashedHeaders: none, list: false }
  return { record: { time: toIsoNano(at), type: 'request', request }, rules }
}

/** Leaves out what is empty: nothing, no text, zero, false, empty lists and maps. */
export function compact(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)))
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
    client_token_accessor: caller.kind === 'token' ? caller.accessor : '',
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

function describeCaller(event: AuditEvent): Fields | undefined {
  const { caller } = event
  if (caller.kind === 'anonymous') return undefined
  if (caller.kind === 'token') return describeToken(caller, event)
  return compact({
    client_token: event.request.presentedToken,
    display_name: caller.name,
    entity_id: caller.id,
    token_type: caller.via,
    metadata: compact({ kind: caller.kind, organization_id: caller.organizationId }),
  })
}

function describeToken(token: TokenPrincipal, { request, verdict }: AuditEvent): Fields {
  return compact({
    client_token: request.presentedToken,
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
