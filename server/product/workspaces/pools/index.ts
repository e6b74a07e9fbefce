import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { poolEndpoints, poolTokenEndpoints } from './pool-endpoints.ts'
import { deleteScopesOf } from './pool-store.ts'

export { onPool } from './pool-actions.ts'
export { deleteScopesOf } from './pool-store.ts'

/** Pools of executors, and who may use them. */
export const agentPoolsFeature: Feature = defineFeature({
  name: 'agent-pools',
  endpoints: [...poolEndpoints, ...poolTokenEndpoints],
  parts: { removalStep: (tx, workspace) => deleteScopesOf(tx, workspace.id) },
})
