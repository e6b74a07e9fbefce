import { andThen } from '../../../kernel/awaitable.ts'
import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { aclOf, ensureDefaultPolicy } from './policy-actions.ts'
import { equivalentPolicyPaths, policyEndpoints } from './policy-endpoints.ts'

export { aclOf, findPolicies } from './policy-actions.ts'

/** Policies: what tokens may do. */
export const policiesFeature: Feature = defineFeature({
  name: 'policies',
  endpoints: policyEndpoints,
  hooks: (deps) => ({ authorize: (token, question) => andThen(aclOf(deps, token), (acl) => acl.check(question)) }),
  equivalentPaths: { type: 'system', with: () => equivalentPolicyPaths },
  start: ensureDefaultPolicy,
})
