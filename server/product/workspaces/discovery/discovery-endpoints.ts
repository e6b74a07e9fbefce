import { discoveredServices, discoveryPath } from '../../../compat/vendor-names.ts'
import { defineEndpoints, type Endpoint, endpoint, open, Type } from '../../../kit/endpoint.ts'
import { bare } from '../../../kit/reply.ts'

/** Where command lines learn which services this host offers. Services that are not implemented are left out. */
export const discoveryEndpoints: readonly Endpoint[] = defineEndpoints('site', [
  endpoint({
    id: 'discovery.show',
    route: `GET ${discoveryPath as `/${string}`}`,
    summary: 'List the services of this host, for command-line clients.',
    access: open('Clients call it before they have a token.'),
    unaudited: true,
    whileSealed: true,
    returns: { 200: Type.Record(Type.String(), Type.Unknown(), { description: 'Services by name.' }) },
    handle: () => bare(discoveredServices('/api/v2/')),
  }),
])
