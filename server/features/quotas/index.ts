import { defineFeature, type Feature } from '../../kit/feature.ts'
import { enforceQuota } from './quota-actions.ts'
import { quotaEndpoints } from './quota-endpoints.ts'

/** Quotas: how much a client may ask for. */
export const quotasFeature: Feature = defineFeature({
  name: 'quotas',
  endpoints: quotaEndpoints,
  hooks: (deps) => ({ enforceQuota: (request) => enforceQuota(deps, request) }),
})
