import type { Acl } from '../../../access/policies/acl.ts'

/** The operations that a token may lack, in the order in which they are shown. */
export const explainedOperations = ['create', 'read', 'update', 'patch', 'delete', 'list'] as const

/** The pattern of the rule that decides about a path as it was written, which the list of a folder may have another of. */
export const decidingRule = (acl: Acl, path: string): string | undefined =>
  acl.check({ path, operation: 'read' }).rule ?? acl.check({ path, operation: 'list' }).rule

/** True if rules give a capability at a path. */
export function grants(acl: Acl, path: string, capability: string): boolean {
  const words: readonly string[] = acl.capabilities(path)
  return words.includes(capability) || words.includes('root')
}
