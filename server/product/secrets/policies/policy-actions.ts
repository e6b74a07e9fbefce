import {
  type Acl,
  compileAcl,
  decodePolicyText,
  defaultPolicyName,
  defaultPolicyText,
  normalizePolicyName,
  normalizePolicyNames,
  type Policy,
  parsePolicy,
  policyDeleteRefusal,
  policyWriteRefusal,
  responseWrappingPolicyName,
  responseWrappingPolicyText,
  rootPolicy,
  rootPolicyName,
} from '../../../access/policies/index.ts'
import { failure } from '../../../kernel/failure.ts'
import type { TokenPrincipal } from '../../../kernel/principal.ts'
import { type Deps, perApp } from '../../../kit/deps.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { VersionedCache } from '../../../storage/versions.ts'
import { identityFactsOf, type KnownEntity } from '../identity/index.ts'
import { loadPolicyText, loadPolicyTexts, removePolicy, savePolicy, savePolicyIfAbsent } from './policy-store.ts'

type PolicyDeps = Pick<Deps, 'db' | 'store' | 'clock'>

/** A policy that was written, with warnings about it. */
export type WrittenPolicy = { readonly name: string; readonly warnings: readonly string[] }

const parsedPolicies = perApp(
  (deps) => new VersionedCache<string, Policy>(deps.store.versions, 'policies', { max: 5_000 }),
)
const compiledAcls = perApp((deps) => new VersionedCache<string, Acl>(deps.store.versions, 'policies', { max: 5_000 }))

/** The internal policy is not stored, so that nothing can change it. */
const builtInPolicies: ReadonlyMap<string, string> = new Map([[responseWrappingPolicyName, responseWrappingPolicyText]])

const policyTexts = perApp(
  (deps) => new VersionedCache<string, string>(deps.store.versions, 'policies', { max: 5_000 }),
)

/** The text of a policy; undefined when there is none of this name. */
export const findPolicyText = async (deps: PolicyDeps, name: string): Promise<string | undefined> =>
  builtInPolicies.get(name) ?? (await policyTexts(deps).recall(name, () => loadPolicyText(deps.db, name)))

/** Those of these policies that exist, parsed; all that are not in memory are read in one query. */
export async function findPolicies(deps: PolicyDeps, names: readonly string[]): Promise<ReadonlyMap<string, Policy>> {
  const cache = parsedPolicies(deps)
  const asOf = cache.version()
  const found = new Map<string, Policy>()
  for (const name of names) {
    const known = name === rootPolicyName ? rootPolicy : cache.get(name)
    if (known) found.set(name, known)
  }
  const unknown = names.filter((name) => !found.has(name))
  const stored = await loadPolicyTexts(deps.db, unknown)
  for (const name of unknown) {
    const text = builtInPolicies.get(name) ?? stored.get(name)
    if (text === undefined) continue
    const policy = parsePolicy(name, text)
    cache.set(name, policy, asOf)
    found.set(name, policy)
  }
  return found
}

/** The rules of a caller take some 20 KB: those of callers unseen for long are dropped, and compiled again. */
type KnownAcl = { readonly acl: WeakRef<Acl>; readonly entity: KnownEntity; readonly policies: number }

const aclsOfCallers = new WeakMap<TokenPrincipal, KnownAcl>()

/** What a token may do: its own policies and those of its entity, compiled once for each combination. */
export async function aclOf(deps: PolicyDeps, token: TokenPrincipal): Promise<Acl> {
  const entity = await identityFactsOf(deps, token.entityId)
  const policies = compiledAcls(deps).version()
  const known = aclsOfCallers.get(token)
  const recalled = known && known.entity === entity && known.policies === policies ? known.acl.deref() : undefined
  if (recalled) return recalled
  const acl = await compiledFor(deps, token, entity)
  aclsOfCallers.set(token, { acl: new WeakRef(acl), entity, policies })
  return acl
}

async function compiledFor(deps: PolicyDeps, token: TokenPrincipal, entity: KnownEntity): Promise<Acl> {
  const names = normalizePolicyNames([...token.policies, ...token.identityPolicies])
  // Names may contain any character, so joining them with a separator would not keep two lists apart.
  const key = JSON.stringify([names, entity.version, token.entityId])
  return compiledAcls(deps).get(key) ?? (await compile(deps, key, names, entity))
}

async function compile(deps: PolicyDeps, key: string, names: readonly string[], entity: KnownEntity): Promise<Acl> {
  const cache = compiledAcls(deps)
  const asOf = cache.version()
  const found = await findPolicies(deps, names)
  const acl = compileAcl(
    names.flatMap((name) => found.get(name) ?? []),
    entity.facts,
  )
  cache.set(key, acl, asOf)
  return acl
}

/** Checks and stores a policy. */
export async function writePolicy(deps: PolicyDeps, sentName: string, sentText: string): Promise<WrittenPolicy> {
  const refusal = policyWriteRefusal(sentName)
  if (refusal) throw failure('invalid', 'policy.name', refusal)
  const name = normalizePolicyName(sentName)
  const text = decodePolicyText(sentText)
  const policy = parsePolicy(name, text)
  await inTransaction(deps.db, (tx) => savePolicy(tx, name, text, deps.clock.now()))
  const lowered = name === sentName ? [] : [`The policy is stored under the name '${name}'.`]
  return { name, warnings: [...lowered, ...policy.warnings] }
}

/** Deletes a policy; tokens that carry its name lose what it granted. */
export async function deletePolicy(deps: PolicyDeps, sentName: string): Promise<void> {
  const refusal = policyDeleteRefusal(sentName)
  if (refusal) throw failure('invalid', 'policy.name', refusal)
  await inTransaction(deps.db, (tx) => removePolicy(tx, normalizePolicyName(sentName)))
}

/** Writes a policy unless there is one of that name. */
export const ensurePolicy = (deps: PolicyDeps, name: string, text: string): Promise<void> =>
  inTransaction(deps.db, (tx) => savePolicyIfAbsent(tx, name, text, deps.clock.now()))

/** Writes the default policy of a new store. */
export const ensureDefaultPolicy = (deps: PolicyDeps): Promise<void> =>
  ensurePolicy(deps, defaultPolicyName, defaultPolicyText)
