import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type Acl,
  compileAcl,
  decodePolicyText,
  defaultPolicyName,
  defaultPolicyText,
  normalizePolicyName,
  normalizePolicyNames,
  type Policy,
  type PolicyRule,
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
import { partsOf } from '../../../kit/parts.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { VersionedCache } from '../../../storage/versions.ts'
import { identityFactsOf, type KnownEntity } from '../identity/index.ts'
import {
  listPolicyNames,
  loadPolicyText,
  loadPolicyTexts,
  removePolicy,
  savePolicy,
  savePolicyIfAbsent,
} from './policy-store.ts'

type PolicyDeps = Pick<Deps, 'db' | 'store' | 'clock'>

/** What a feature knows of rules about its paths, to tell those who write them. */
type PolicyAdvice = (deps: Deps, rules: readonly PolicyRule[]) => Promise<readonly string[]>

declare module '../../../kit/parts.ts' {
  interface FeatureParts {
    /** What those should know who have written a policy. */
    policyAdvice: PolicyAdvice
  }
}

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

/** So many policies are read in one go; between two pages others get a turn. */
const pageSize = 200

/** All stored policies. */
export async function* eachPolicy(deps: PolicyDeps & Pick<Deps, 'reads'>): AsyncGenerator<Policy> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const names: string[] = await listPolicyNames(deps.reads, { after, most: pageSize })
    yield* (await findPolicies(deps, names)).values()
    after = names.length < pageSize ? undefined : names.at(-1)
    await nextTurn()
  }
}

/** How many policies have a rule like this, and the name of the first. */
export async function countPolicies(
  deps: PolicyDeps & Pick<Deps, 'reads'>,
  isMeant: (rule: PolicyRule) => boolean,
): Promise<{ readonly count: number; readonly first: string }> {
  let [count, first] = [0, '']
  for await (const { name, rules } of eachPolicy(deps)) {
    if (!rules.some(isMeant)) continue
    first ||= name
    count += 1
  }
  return { count, first }
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
export async function writePolicy(deps: Deps, sentName: string, sentText: string): Promise<WrittenPolicy> {
  const refusal = policyWriteRefusal(sentName)
  if (refusal) throw failure('invalid', 'policy.name', refusal)
  const name = normalizePolicyName(sentName)
  const text = decodePolicyText(sentText)
  const policy = parsePolicy(name, text)
  await inTransaction(deps.db, (tx) => savePolicy(tx, name, text, deps.clock.now()))
  const lowered = name === sentName ? [] : [`The policy is stored under the name '${name}'.`]
  const advice = await Promise.all(partsOf(deps, 'policyAdvice').map((advise) => advise(deps, policy.rules)))
  return { name, warnings: [...lowered, ...policy.warnings, ...advice.flat()] }
}

/** What a caller should know who has moved a mount: no policy follows. */
export async function noteOnMove(deps: Deps, from: string, to: string): Promise<readonly string[]> {
  const { count, first } = await countPolicies(deps, ({ path }) => path.startsWith(from))
  if (count === 0) return []
  const who = count === 1 ? `The policy '${first}' has` : `${count} policies, such as '${first}', have`
  return [`${who} rules about paths below '${from}', and policies do not follow a mount: write them for '${to}'.`]
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
