import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { clusterEndpoints } from './cluster-endpoints.ts'
import { measureLoad, measureSeal, measureSpace, measureStore } from './figures-actions.ts'
import { healthEndpoints } from './health-endpoints.ts'
import { namespaceEndpoints } from './namespace-endpoints.ts'
import { siteEndpoints } from './site-endpoints.ts'

/** The state and the figures of a node. */
export const statusFeature: Feature = defineFeature({
  name: 'status',
  start: async (deps) => {
    measureSeal(deps)
    measureStore(deps)
    measureLoad(deps)
    measureSpace(deps)
  },
  endpoints: [...healthEndpoints, ...clusterEndpoints, ...namespaceEndpoints, ...siteEndpoints],
})
