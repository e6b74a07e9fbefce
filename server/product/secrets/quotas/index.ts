import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { enforceQuota, moveQuotas } from './quota-actions.ts'
import { quotaEndpoints } from './quota-endpoints.ts'

/** Quotas: how many requests a client may make. */
export const quotasFeature: Feature = defineFeature({
  name: 'quotas',
  endpoints: quotaEndpoints,
  hooks: (deps) => ({ enforceQuota: (request) => enforceQuota(deps, request) }),
  parts: { mountStep: { moving: (tx, { mount, to }) => moveQuotas(tx, { from: mount.path, to }) } },
})
