import type { AuditEvent } from '../kit/audit-trail.ts'
import type { CallerPart } from './caller-record.ts'
import { serialOf } from './certificate-serial.ts'
import type { Mask } from './hashing.ts'
import type { AuditedHeaders } from './record.ts'
import { type Fields, field, isEmpty, type MountPart } from './record-parts.ts'

/** What the `request` part of a record is made with. `runningVersion` is the field of the version that answers at mounts. */
type RequestRules = { mask: Mask; headers: AuditedHeaders; runningVersion: string }

/** The `request` part of a record. Every request comes by here, so that it is put together as text. */
export function requestText(
  { request, endpoint, operation, wrapTtl }: AuditEvent,
  caller: CallerPart,
  mount: MountPart,
  { mask, headers, runningVersion }: RequestRules,
): string {
  // A path that holds a secret is written as its route.
  const path = endpoint?.secretPath ? endpoint.path.slice(1) : request.path
  // Quoted once for both fields that contain it, each of which begins the quotes itself.
  const place = JSON.stringify(endpoint?.api === 'api/v2' ? `api/v2/${path}` : path).slice(1)
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
