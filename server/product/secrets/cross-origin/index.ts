import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { originJudge } from './cross-origin-actions.ts'
import { crossOriginEndpoints } from './cross-origin-endpoints.ts'

/** Cross-origin access: whose pages may call `/v1` from a browser. */
export const crossOriginFeature: Feature = defineFeature({
  name: 'cross-origin',
  endpoints: crossOriginEndpoints,
  services: (deps) => ({ origins: { check: originJudge(deps) } }),
})
