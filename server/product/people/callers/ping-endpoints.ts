import { defineEndpoints, type Endpoint, endpoint, open } from '../../../kit/endpoint.ts'
import { nothing } from '../../../kit/reply.ts'

/** Clients call this first and read the headers: which version of the API, and how many requests per second. */
export const pingEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'ping.show',
    route: 'GET /ping',
    summary: 'Return the API version and the rate limit in response headers.',
    access: open('Clients look at the headers before they have a token.'),
    returns: { 204: null },
    unaudited: true,
    handle: () => nothing(),
  }),
])
