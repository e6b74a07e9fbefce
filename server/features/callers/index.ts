import { defineFeature, type Feature } from '../../kit/feature.ts'
import { authenticateActor, sessionServiceToken, visitor } from './caller-actions.ts'
import { pingEndpoints } from './ping-endpoints.ts'
import { takeRate } from './rate-actions.ts'

/** Who calls `/api/v2`, and how often. */
export const callersFeature: Feature = defineFeature({
  name: 'callers',
  endpoints: pingEndpoints,
  hooks: (deps) => ({
    authenticateActor: (request) => authenticateActor(deps, request),
    visitor: (request) => visitor(deps, request),
    sessionServiceToken: (request) => sessionServiceToken(deps, request),
    takeRate: (caller, request) => takeRate(deps, caller, request),
  }),
})
