import { failure } from '../../../kernel/failure.ts'
import { acl, defineSystemEndpoints, type Endpoint, type EndpointDefinition, endpoint } from '../../../kit/endpoint.ts'
import { requireLicence } from '../licence.ts'

const nameParams = { name: { description: 'Name of the configuration.' } }
const loadedParams = { id: { description: 'Identifier of the loaded snapshot.' } }

type AbsentEndpoint = Pick<EndpointDefinition<never, never>, 'id' | 'route' | 'params'>

const absentEndpoint = ({ id, route, params = {} }: AbsentEndpoint) =>
  endpoint({
    id,
    route,
    summary: 'Not available: snapshots are not loaded for inspection. Inspect or preview them instead.',
    access: acl(),
    params,
    fails: ['missing'],
    handle: ({ deps }) => {
      requireLicence(deps)
      throw failure('missing', 'route.unsupported-path', 'unsupported path')
    },
  })

/**
 * The addresses where clients load snapshots for inspection: refused for the licence first, then as not implemented.
 */
export const loadEndpoints: readonly Endpoint[] = defineSystemEndpoints([
  absentEndpoint({
    id: 'snapshots.load-automated',
    route: 'POST /storage/raft/snapshot-auto/snapshot-load/:name',
    params: nameParams,
  }),
  absentEndpoint({
    id: 'snapshots.loaded-automated',
    route: 'GET /storage/raft/snapshot-auto/snapshot-load/:name',
    params: nameParams,
  }),
  absentEndpoint({
    id: 'snapshots.unload-automated',
    route: 'DELETE /storage/raft/snapshot-auto/snapshot-load/:name',
    params: nameParams,
  }),
  absentEndpoint({ id: 'snapshots.load', route: 'POST /storage/raft/snapshot-load' }),
  absentEndpoint({ id: 'snapshots.loaded', route: 'LIST /storage/raft/snapshot-load' }),
  absentEndpoint({ id: 'snapshots.loaded-one', route: 'GET /storage/raft/snapshot-load/:id', params: loadedParams }),
  absentEndpoint({ id: 'snapshots.unload', route: 'DELETE /storage/raft/snapshot-load/:id', params: loadedParams }),
])
