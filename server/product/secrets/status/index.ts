import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { clusterEndpoints } from './cluster-endpoints.ts'
import { measureLoad, measureNodes, measureSeal, measureSpace, measureStore, watchNodes } from './figures-actions.ts'
import { healthEndpoints } from './health-endpoints.ts'
import { namespaceEndpoints } from './namespace-endpoints.ts'
import { nodeEndpoints } from './node-endpoints.ts'
import { siteEndpoints } from './site-endpoints.ts'
import { systemEndpoints } from './system-endpoints.ts'

/** The state and the figures of a node. */
export const statusFeature: Feature = defineFeature({
  name: 'status',
  parts: { serverWatch: watchNodes },
  start: async (deps) => {
    measureSeal(deps)
    measureStore(deps)
    measureLoad(deps)
    measureSpace(deps)
    measureNodes(deps)
  },
  endpoints: [
    ...healthEndpoints,
    ...clusterEndpoints,
    ...nodeEndpoints,
    ...systemEndpoints,
    ...namespaceEndpoints,
    ...siteEndpoints,
  ],
})
