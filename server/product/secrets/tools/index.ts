import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { toolEndpoints } from './tool-endpoints.ts'

/** Tools: hashes and random bytes. */
export const toolsFeature: Feature = defineFeature({ name: 'tools', endpoints: toolEndpoints })
