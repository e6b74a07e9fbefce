import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { authenticateActor, findVisitor, sessionServiceToken } from './caller-actions.ts'
import { pingEndpoints } from './ping-endpoints.ts'
import { takeFromRateLimit } from './rate-actions.ts'

/** Who calls `/api/v2`, and how often. */
export const callersFeature: Feature = defineFeature({
  name: 'callers',
  endpoints: pingEndpoints,
  hooks: (deps) => ({
    authenticateActor: (request) => authenticateActor(deps, request),
    findVisitor: (request) => findVisitor(deps, request),
    sessionServiceToken: (request) => sessionServiceToken(deps, request),
    consumeRateLimit: (caller, request) => takeFromRateLimit(deps, caller, request),
  }),
})
