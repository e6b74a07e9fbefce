import { type Instant, toIsoNano } from '../kernel/clock.ts'
import type { Principal } from '../kernel/principal.ts'
import type { AuditEvent } from '../kit/audit-trail.ts'
import type { Mount } from '../kit/mount.ts'
import { accessorOf, clientIdOf, rememberCallers } from './caller-record.ts'
import { serialOf } from './certificate-serial.ts'
import { compact, type Fields, type Part, partOf, put } from './record-parts.ts'
import { describeReply } from './reply-record.ts'

/** A record before any device hashed it. It holds tokens and values in clear and must reach no log. */
export type AuditRecord = {
  time: string
  type: 'request' | 'response'
  /** Who calls. The token stands in `request` alone, so that this part can be kept while the caller is known. */
  auth?: Part | undefined
  /** True if this caller always comes with the token in `request`, so that its hash can be kept as well. */
  ownToken: boolean
  request: Part
  response?: Fields | undefined
  error?: string | undefined
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

/** How a record is hashed where nothing is exempt. */
const plainRules: RecordRules = {
  requestKeys: none,
  responseKeys: none,
  clearResponse: false,
  hashedHeaders: none,
  list: false,
}

/** Makes records. What request and answer, or requests of one caller, have in common is built once. */
export function createRecorder(
  headers: AuditedHeaders,
): (type: AuditRecord['type'], event: AuditEvent, at: Instant) => Recorded {
  const hashedHeaders = new Set([...headers].filter(([, { hmac }]) => hmac).map(([name]) => name))
  const usual = { ...plainRules, hashedHeaders }
  const timeOf = rememberLast(toIsoNano)
  const callerOf = rememberCallers()
  return (type, event, at) => {
    const answer = type === 'response' ? describeReply(event) : undefined
    const record: AuditRecord = {
      time: timeOf(at),
      type,
      auth: callerOf(event),
      ownToken: event.caller.kind === 'token',
      request: rememberRequest(event, () => partOf(describeRequest(event, headers))),
      response: answer && describeAnswer(answer.fields, event.request.mount),
      error: event.error,
    }
    return { record, rules: rulesOf(event, answer?.clear ?? false, usual) }
  }
}

type KnownRequest = { readonly caller: Principal; readonly path: string | undefined; readonly part: Part }

/** The answer is recorded with the same request, unless a later step found out more about it. */
function rememberRequest(event: AuditEvent, make: () => Part): Part {
  const { memo, caller, endpoint } = event
  const known = memo.value as KnownRequest | undefined
  if (known && known.caller === caller && known.path === endpoint?.path) return known.part
  const part = make()
  memo.value = { caller, path: endpoint?.path, part } satisfies KnownRequest
  return part
}

/** Many records fall into one millisecond. */
function rememberLast(make: (at: Instant) => string): (at: Instant) => string {
  let last = { at: Number.NaN, text: '' }
  return (at) => {
    if (last.at !== at) last = { at, text: make(at) }
    return last.text
  }
}

function rulesOf({ request, operation }: AuditEvent, clearResponse: boolean, usual: RecordRules): RecordRules {
  const config = request.mount?.config
  const requestKeys = setOf(config?.auditNonHmacRequestKeys)
  const responseKeys = setOf(config?.auditNonHmacResponseKeys)
  const list = operation === 'list'
  if (!clearResponse && !list && requestKeys === none && responseKeys === none) return usual
  return { requestKeys, responseKeys, clearResponse, hashedHeaders: usual.hashedHeaders, list }
}

const setOf = (keys: readonly string[] = []): ReadonlySet<string> => (keys.length > 0 ? new Set(keys) : none)

/** The record a new device must take before it is enabled. */
export function testRecord(at: Instant, id: string): Recorded {
  const request = { id, operation: 'update', path: 'sys/audit/test', namespace: { id: 'root' } }
  return {
    record: { time: toIsoNano(at), type: 'request', ownToken: false, request: partOf(request) },
    rules: plainRules,
  }
}

function describeRequest(
  { request, endpoint, operation, caller, wrapTtl }: AuditEvent,
  headers: AuditedHeaders,
): Fields {
  // A path that holds a signed address is written as its route; query strings are part of `data`, hashed.
  const path = endpoint?.secretPath ? endpoint.path.slice(1) : request.path
  const prefix = endpoint?.api === 'api/v2' ? 'api/v2/' : ''
  const fields: Fields = { id: request.id }
  put(fields, 'client_id', clientIdOf(caller))
  put(fields, 'operation', operation)
  putMount(fields, request.mount)
  put(fields, 'client_token', request.presentedToken)
  put(fields, 'client_token_accessor', accessorOf(caller))
  fields.namespace = rootNamespace
  put(fields, 'path', `${prefix}${path}`)
  put(fields, 'data', request.fields)
  if (headers.size > 0) put(fields, 'headers', pickHeaders(request.headers, headers))
  put(fields, 'remote_address', request.remoteAddress)
  put(fields, 'remote_port', request.remotePort)
  fields.request_uri = endpoint?.api === 'v1' ? `/v1/${path}` : `/${prefix}${path}`
  put(fields, 'wrap_ttl', wrapTtl)
  if (request.certificate) put(fields, 'client_certificate_serial_number', serialOf(request.certificate))
  if (request.forwardedCertificate !== 'none') put(fields, 'client_certificate_forwarded', request.forwardedCertificate)
  return fields
}

const rootNamespace = { id: 'root' }

function putMount(fields: Fields, mount: Mount | undefined): void {
  if (!mount) return
  fields.mount_point = mount.path
  fields.mount_type = mount.type
  fields.mount_accessor = mount.accessor
  fields.mount_class = mount.path.startsWith('auth/') ? 'auth' : 'secret'
}

/** The answer, with what is not empty of it. */
function describeAnswer(answer: Fields, mount: Mount | undefined): Fields {
  const fields = compact(answer)
  putMount(fields, mount)
  return fields
}

function pickHeaders(sent: AuditEvent['request']['headers'], wanted: AuditedHeaders): Fields {
  const found = [...wanted.keys()].map((name) => [name, [sent[name] ?? []].flat()] as const)
  return compact(Object.fromEntries(found))
}
