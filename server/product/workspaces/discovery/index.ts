import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { discoveryEndpoints } from './discovery-endpoints.ts'

/** Discovery: what this host offers to command lines. */
export const discoveryFeature: Feature = defineFeature({ name: 'discovery', endpoints: discoveryEndpoints })
