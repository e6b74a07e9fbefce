import { X509Certificate } from 'node:crypto'
import { toIsoNano } from '../kernel/clock.ts'
import type { Principal } from '../kernel/principal.ts'
import type { AuditEvent } from '../kit/audit-trail.ts'
import { runningVersionOf } from '../kit/mount.ts'
import type { ClientCertificate } from '../kit/request.ts'
import { type CallerPart, createCallerWriter } from './caller-record.ts'
import { type Hash, type HashOptions, type Mask, maskOf } from './hashing.ts'
import type { AuditedHeaders, AuditRecord } from './record.ts'
import { type Fields, field, isEmpty, type MountPart, mountPartOf } from './record-parts.ts'
import { type ReplyPart, replyPart } from './reply-record.ts'

/** A certificate is read once per connection, not once per request. */
const known = new WeakMap<Buffer, string>()

/** The serial number of a client's certificate in decimal; `unreadable` if the certificate is none. */
function serialOf({ leaf }: ClientCertificate): string {
  const serial = known.get(leaf) ?? readSerial(leaf)
  known.set(leaf, serial)
  return serial
}

function readSerial(leaf: Buffer): string {
  try {
    const { serialNumber } = new X509Certificate(leaf)
    // None should be below zero, some are (RFC 5280 §4.1.2.2).
    const [sign, digits] = serialNumber.startsWith('-') ? ['-', serialNumber.slice(1)] : ['', serialNumber]
    return `${sign}${BigInt(`0x${digits}`)}`
  } catch {
    // Whoever sends a broken certificate is refused elsewhere; that refusal must still be recorded.
    return 'unreadable'
  }
}

/** What the `request` part of a record is made with. `runningVersion` is the field of the version that answers at mounts. */
type RequestRules = { mask: Mask; headers: AuditedHeaders; runningVersion: string }

/** The `request` part of a record. Every request comes by here, so that it is put together as text. */
function requestText(
  { request, endpoint, operation, wrapTtl }: AuditEvent,
  caller: CallerPart,
  mount: MountPart,
  { mask, headers, runningVersion }: RequestRules,
): string {
  // A path that holds a secret is written as its route.
  const path = endpoint?.secretPath ? endpoint.path.slice(1) : request.path
  // Quoted once for both fields that contain it, each of which begins the quotes itself.
  const place = JSON.stringify(
    endpoint?.api === 'api/v2' || endpoint?.api === 'api/runner/v1' ? `${endpoint.api}/${path}` : path,
  ).slice(1)
  let text = `{"id":"${request.id}"${caller.client},"operation":"${operation}"${mount.text}`
  if (mount.text !== '') text += runningVersion
  text += `${caller.credentials},"namespace":{"id":"root"}`
  if (place !== '"') text += `,"path":"${place}`
  if (!isEmpty(request.fields)) text += `,"data":${mask.json(request.fields, mount.requestKeys)}`
  if (request.query.size > 0 && !isQueryData(request, endpoint)) {
    text += `,"query":${mask.json(queryFields(request.query), mount.requestKeys)}`
  }
  if (headers.size > 0) text += field('headers', pickHeaders(request.headers, headers, mask))
  text += field('remote_address', request.remoteAddress)
  if (request.remotePort > 0) text += `,"remote_port":${request.remotePort}`
  text += `,"request_uri":"${endpoint?.api === 'v1' ? '/v1/' : '/'}${place}`
  if (wrapTtl > 0) text += `,"wrap_ttl":${wrapTtl}`
  if (request.certificate) text += field('client_certificate_serial_number', serialOf(request.certificate))
  if (request.forwardedCertificate !== 'none')
    text += field('client_certificate_forwarded', request.forwardedCertificate)
  return `${text}}`
}

const withBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

/** Under `/v1` the query of a request that has no body is its data. */
const isQueryData = ({ verb }: AuditEvent['request'], endpoint: AuditEvent['endpoint']): boolean =>
  endpoint?.api === 'v1' && !withBody.has(verb)

/** A name that was sent several times has all its values. */
function queryFields(query: URLSearchParams): Fields {
  const names = [...new Set(query.keys())]
  return Object.fromEntries(
    names.map((name) => {
      const values = query.getAll(name)
      return [name, values.length === 1 ? values[0] : values]
    }),
  )
}

function pickHeaders(sent: AuditEvent['request']['headers'], wanted: AuditedHeaders, mask: Mask): Fields {
  const picked: Fields = {}
  for (const [name, { hmac }] of wanted) {
    const values = [sent[name] ?? []].flat()
    if (values.length > 0) picked[name] = hmac ? values.map(mask.text) : values
  }
  return picked
}

/**
 * Writes records as one device does: every secret replaced by its keyed hash, unless the device logs raw values. Each line
 * is a JSON object whose closing brace is left to whoever adds the fields of the chain.
 */
export function createRecordWriter(
  hash: Hash,
  options: HashOptions,
  version: string,
): (recorded: AuditRecord) => string[] {
  const mask = maskOf(hash, options)
  const callerOf = createCallerWriter(mask)
  const requestOf = createRequestMemo()
  const runningVersion = field('mount_running_version', runningVersionOf(version))
  return ({ event, headers, requestAt, responseAt }) => {
    const caller = callerOf(event)
    const mount = mountPartOf(event.request.mount)
    const write = () => requestText(event, caller, mount, { mask, headers, runningVersion })
    // Where both lines are written at once, nothing has to be remembered from one for the other.
    const request = requestAt !== undefined && responseAt !== undefined ? write() : requestOf(event, write)
    const lines: string[] = []
    if (requestAt !== undefined) {
      lines.push(`{"time":"${toIsoNano(requestAt)}","type":"request",${caller.auth}"request":${request}`)
    }
    if (responseAt !== undefined) {
      const reply = replyPart(event, mount, { mask, hash: reuseCallerHashes(event, caller, hash), options })
      const both = `"request":${request},"response":${reply.text}`
      lines.push(`{"time":"${toIsoNano(responseAt)}","type":"response",${caller.auth || authAfterLogin(reply)}${both}`)
    }
    // A request that fails is recorded as it was sent; what went wrong is added at the end.
    if (event.error) lines.push(`${lines.pop()}${field('error', event.error)}`)
    return lines
  }
}

/** A caller without a token that is handed one, at a login, is recorded as the one that the token is for. */
const authAfterLogin = ({ auth }: ReplyPart): string => (auth === '' ? '' : `${auth.slice(1)},`)

/** The token and the accessor of a caller often come up in answers; their hashes are taken from where they were made. */
const reuseCallerHashes =
  ({ caller, request }: AuditEvent, { token, accessor }: CallerPart, hash: Hash): Hash =>
  (text) => {
    if (text === '') return hash(text)
    if (text === request.presentedToken) return token
    return caller.kind === 'token' && text === caller.accessor ? accessor : hash(text)
  }

type KnownRequest = { readonly caller: Principal; readonly path: string | undefined; readonly text: string }

/** The answer repeats the request as it was written first, unless a later step found out more about it. */
function createRequestMemo(): (event: AuditEvent, write: () => string) => string {
  const own = {}
  return ({ memo, caller, endpoint }, write) => {
    memo.value ??= new Map()
    const requests = memo.value as Map<object, KnownRequest>
    const known = requests.get(own)
    if (known && known.caller === caller && known.path === endpoint?.path) return known.text
    const text = write()
    requests.set(own, { caller, path: endpoint?.path, text })
    return text
  }
}
