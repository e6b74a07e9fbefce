import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { secretsEngine } from '../../../kit/mount-kind.ts'
import { aclOf, ensureDefaultPolicy, noteOnMove } from './policy-actions.ts'
import { equivalentPolicyPaths, policyEndpoints } from './policy-endpoints.ts'
import { policyUseEndpoints } from './policy-use-endpoints.ts'

export { aclOf, countPolicies, eachPolicy, ensurePolicy, findPolicies } from './policy-actions.ts'

/** The mount below which many features have endpoints; of their names, only those of policies have no case. */
const systemMount = secretsEngine({
  type: 'system',
  description: 'Control, policies and status of this server.',
  singleton: { path: 'sys/' },
  endpoints: [],
  equivalentPaths: equivalentPolicyPaths,
})

/** Policies: what tokens may do. */
export const policiesFeature: Feature = defineFeature({
  name: 'policies',
  endpoints: [...policyEndpoints, ...policyUseEndpoints],
  mounts: [systemMount],
  parts: { mountStep: { moveNotes: noteOnMove } },
  services: (deps) => ({
    policies: { authorize: async (token, aclRequest) => (await aclOf(deps, token)).check(aclRequest) },
  }),
  start: ensureDefaultPolicy,
})
