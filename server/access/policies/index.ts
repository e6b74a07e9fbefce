export { type Acl, compileAcl, rootPolicy } from './acl.ts'
export { defaultPolicyText, responseWrappingPolicyText } from './default-policy.ts'
export type { IdentityFacts } from './identity-template.ts'
export type { Policy, PolicyRule } from './policy.ts'
export {
  defaultPolicyName,
  globMatches,
  normalizePolicyName,
  normalizePolicyNames,
  policyDeleteRefusal,
  policyWriteRefusal,
  responseWrappingPolicyName,
  rootPolicyName,
} from './policy-names.ts'
export { parsePolicy } from './policy-text.ts'
export { decodePolicyText } from './syntax/policy-document.ts'
