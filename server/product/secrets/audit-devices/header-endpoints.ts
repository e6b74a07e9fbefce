import { headerNames, headerUnknownText } from '../../../compat/vendor-names.ts'
import { failure } from '../../../kernel/failure.ts'
import { fields } from '../../../kit/bodies.ts'
import { acl, defineSystemEndpoints, type Endpoint, endpoint, model, Type } from '../../../kit/endpoint.ts'
import { field } from '../../../kit/fields.ts'
import { refuseLongName } from '../../../kit/name-length.ts'
import { data, nothing } from '../../../kit/reply.ts'
import { secretHeaders } from '../../../kit/secret-headers.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { deleteHeader, loadHeaders, saveHeader } from './header-store.ts'
import { nodeTrail } from './node-trail-adapter.ts'

const header = {
  header: {
    description: 'Name of the header; case-insensitive.',
    pattern: /^[\w!#$%&'*+.^`|~-]+$/,
    example: 'x-trace',
  },
}
const sudo = { access: acl({ sudo: true }), doubleRendered: true } as const

const unrecordedHeaders: ReadonlySet<string> = new Set([...headerNames.token, ...secretHeaders])

const HeaderInfo = model('AuditHeader', { hmac: Type.Boolean({ description: 'Whether values are hashed.' }) })

/** Request headers that are written into audit records. */
export const headerEndpoints: readonly Endpoint[] = defineSystemEndpoints([
  endpoint({
    ...sudo,
    id: 'audit.list-headers',
    route: 'GET /config/auditing/request-headers',
    summary: 'List the request headers that are included in audit records.',
    returns: { 200: Type.Object({ headers: Type.Record(Type.String(), HeaderInfo) }) },
    handle: async ({ deps }) => data({ headers: Object.fromEntries(await loadHeaders(deps.db)) }),
  }),
  endpoint({
    ...sudo,
    id: 'audit.read-header',
    route: 'GET /config/auditing/request-headers/:header',
    summary: 'Read how a request header is recorded in audit records.',
    params: header,
    returns: { 200: Type.Record(Type.String(), HeaderInfo) },
    fails: ['invalid'],
    handle: async ({ deps, params: { header: name = '' } }) => {
      const found = (await loadHeaders(deps.db)).get(name.toLowerCase())
      if (!found) throw failure('invalid', 'audit.header-missing', headerUnknownText)
      return data({ [name]: found })
    },
  }),
  endpoint({
    ...sudo,
    id: 'audit.write-header',
    route: 'POST /config/auditing/request-headers/:header',
    summary: 'Include a request header in audit records.',
    params: header,
    body: fields(Type.Object({ hmac: field.flag('Hash the values. By default they are recorded unhashed.') })),
    returns: { 204: null },
    fails: ['invalid'],
    handle: async ({ deps, params: { header: sent = '' }, body }) => {
      const name = sent.toLowerCase()
      if (unrecordedHeaders.has(name)) {
        throw failure('invalid', 'audit.header-secret', `The header '${name}' holds secrets and is never recorded.`)
      }
      refuseLongName('The name of the header', name)
      await inTransaction(deps.db, (tx) => saveHeader(tx, name, body.hmac ?? false))
      await nodeTrail(deps).syncDevices()
      return nothing()
    },
  }),
  endpoint({
    ...sudo,
    id: 'audit.delete-header',
    route: 'DELETE /config/auditing/request-headers/:header',
    summary: 'Stop including a request header in audit records.',
    params: header,
    returns: { 204: null },
    handle: async ({ deps, params: { header: sent = '' } }) => {
      await inTransaction(deps.db, (tx) => deleteHeader(tx, sent.toLowerCase()))
      await nodeTrail(deps).syncDevices()
      return nothing()
    },
  }),
])
