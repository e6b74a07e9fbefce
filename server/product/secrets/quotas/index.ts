import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { moveQuotas, quotaEnforcer } from './quota-actions.ts'
import { quotaEndpoints } from './quota-endpoints.ts'

/** Quotas: how many requests a client may make. */
export const quotasFeature: Feature = defineFeature({
  name: 'quotas',
  endpoints: quotaEndpoints,
  services: (deps) => ({ quotas: { enforce: quotaEnforcer(deps) } }),
  parts: { mountStep: { moving: (tx, { mount, to }) => moveQuotas(tx, { from: mount.path, to }) } },
})
