import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { capabilityEndpoints } from './capability-endpoints.ts'
import { visibleMountEndpoints } from './visible-mount-endpoints.ts'

/** Capabilities: what a token may do and see, before it tries. */
export const capabilitiesFeature: Feature = defineFeature({
  name: 'capabilities',
  endpoints: [...capabilityEndpoints, ...visibleMountEndpoints],
})
