import { failure } from '../../../kernel/failure.ts'
import { acl, defineSystemEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import { listTerms } from '../../../kit/list.ts'
import { keys, nothing } from '../../../kit/reply.ts'

const params = { path: { description: 'Path of the namespace.' } }
const unsupported = () =>
  failure('missing', 'namespace.closed', 'namespaces are not supported: there is only the root namespace')

/** There is only the root namespace, and clients that ask for others learn so. */
export const namespaceEndpoints: readonly Endpoint[] = defineSystemEndpoints([
  endpoint({
    ...listTerms,
    id: 'namespaces.list',
    route: 'LIST /namespaces',
    summary: 'List the namespaces below the root; always empty.',
    access: acl(),
    handle: () => keys([]),
  }),
  endpoint({
    id: 'namespaces.read',
    route: 'GET /namespaces/*path',
    summary: 'Read a namespace; never found, as there is only the root namespace.',
    access: acl(),
    params,
    fails: ['missing'],
    handle: () => nothing(),
  }),
  endpoint({
    id: 'namespaces.create',
    route: 'POST /namespaces/*path',
    summary: 'Always refused: there is only the root namespace.',
    access: acl(),
    params,
    fails: ['missing'],
    handle: () => {
      throw unsupported()
    },
  }),
  endpoint({
    id: 'namespaces.delete',
    route: 'DELETE /namespaces/*path',
    summary: 'Always refused: there is only the root namespace.',
    access: acl(),
    params,
    fails: ['missing'],
    handle: () => {
      throw unsupported()
    },
  }),
])
