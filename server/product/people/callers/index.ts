import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { authenticateActor, findVisitor, rateLimiter, sessionServiceToken } from './caller-actions.ts'
import { pingEndpoints } from './ping-endpoints.ts'

/** Who calls `/api/v2`, and how often. */
export const callersFeature: Feature = defineFeature({
  name: 'callers',
  endpoints: pingEndpoints,
  services: (deps) => ({
    callers: {
      authenticate: (request) => authenticateActor(deps, request),
      findVisitor: (request) => findVisitor(deps, request),
      serviceToken: (request) => sessionServiceToken(deps, request),
      takeFromRateLimit: rateLimiter(deps),
    },
  }),
})
