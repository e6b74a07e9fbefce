import { compileAcl } from '../../../access/policies/index.ts'
import { failure } from '../../../kernel/failure.ts'
import type { TokenPrincipal } from '../../../kernel/principal.ts'
import { withoutOuterSlashes } from '../../../kernel/slashes.ts'
import type { Deps } from '../../../kit/deps.ts'
import { identityFactsOf } from '../identity/index.ts'
import { aclOf, findPolicies } from '../policies/index.ts'
import { capabilitiesAt } from './capability-actions.ts'
import { decidingRule, explainedOperations } from './explanation.ts'

/** Why a token may do what it may at a path, and not the rest. */
export type Explanation = {
  readonly path: string
  readonly capabilities: readonly string[]
  /** The pattern of the rule that decides; null for none. */
  readonly rule: string | null
  /** The policies that have that rule. */
  readonly policies: readonly string[]
  readonly missing: readonly string[]
  /** The path that was probably meant. */
  readonly did_you_mean: string | null
}

/** Explains what a token may do at a path. */
export async function explain(deps: Deps, token: TokenPrincipal, sent: string): Promise<Explanation> {
  const path = sent.replace(/^\/+/, '')
  if (path === '') throw failure('invalid', 'capabilities.no-path', "'path' must name the path to explain.")
  const capabilities = (await capabilitiesAt(deps, token, [path]))[path] ?? ['deny']
  const acl = await aclOf(deps, token)
  const rule = decidingRule(acl, path)
  const isAll = capabilities.includes('root')
  return {
    path,
    capabilities,
    rule: rule ?? null,
    policies: isAll ? ['root'] : rule === undefined ? [] : await policiesWith(deps, token, { path, rule }),
    missing: isAll ? [] : explainedOperations.filter((operation) => !capabilities.includes(operation)),
    did_you_mean: (await meantPath(deps, token, path)) ?? null,
  }
}

/** Those policies of a token that have the rule: of one policy's rules, too, it is the one that decides. */
async function policiesWith(
  deps: Deps,
  token: TokenPrincipal,
  { path, rule }: { readonly path: string; readonly rule: string },
): Promise<string[]> {
  const { facts } = await identityFactsOf(deps, token.entityId)
  const found = await findPolicies(deps, [...new Set([...token.policies, ...token.identityPolicies])])
  return [...found.values()]
    .filter((policy) => decidingRule(compileAcl([policy], facts), path) === rule)
    .map(({ name }) => name)
    .sort()
}

/** What somebody meant by a path, if its mount has paths of another kind; only for mounts that the token may know of. */
async function meantPath(deps: Deps, token: TokenPrincipal, path: string): Promise<string | undefined> {
  const mount = await deps.mounts.find(`${withoutOuterSlashes(path)}/`)
  if (!mount || !(await aclOf(deps, token)).anyCapabilityUnder(mount.path)) return undefined
  return deps.mountKinds.get(mount.type)?.meantPath?.(mount, path)
}
