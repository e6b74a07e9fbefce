import {
  normalizePolicyNames,
  responseWrappingPolicyName,
  rootPolicyName,
} from '../../../access/policies/policy-names.ts'
import { failure } from '../../../kernel/failure.ts'
import type { Alias, Entity } from './identity.ts'

const maxPairs = 64
const maxKey = 128
const maxValue = 512

/** The policies of an entity, from those sent. Neither `root` nor the internal policy may be among them. */
export function entityPolicies(sent: readonly string[]): Pick<Entity, 'policies' | 'writtenPolicies'> {
  const policies = normalizePolicyNames(sent)
  const refused = policies.find((name) => name === rootPolicyName || name === responseWrappingPolicyName)
  if (refused) throw failure('invalid', 'entity.policy', `An entity cannot have the policy '${refused}'.`)
  const written = new Set(sent.map((name) => name.trim()))
  written.delete('')
  return { policies, writtenPolicies: [...written].sort() }
}

/** Refuses metadata that is too large: it is copied into every answer and compared at every login. */
export function checkMetadata(field: string, metadata: Readonly<Record<string, string>>): void {
  const pairs = Object.entries(metadata)
  if (pairs.length > maxPairs) throw tooLarge(`'${field}' has more than ${maxPairs} keys.`)
  for (const [key, value] of pairs) {
    if (key === '') throw tooLarge(`'${field}' has an empty key.`)
    if (key.length > maxKey) throw tooLarge(`'${field}' has a key of more than ${maxKey} characters.`)
    if (value.length > maxValue)
      throw tooLarge(`'${field}' has a value of more than ${maxValue} characters at '${key}'.`)
  }
}

const tooLarge = (text: string) => failure('invalid', 'entity.metadata', text)

/** Refuses names that could not be addressed or told apart. */
export function checkEntityName(name: string): void {
  if (name.length > 512) throw failure('invalid', 'entity.name', 'The name has more than 512 characters.')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(name)) {
    throw failure('invalid', 'entity.name', 'The name holds control characters.')
  }
}

/** What a merge does: the entity afterwards, the aliases that move, and the aliases that are deleted. */
type MergePlan = {
  readonly entity: Entity
  readonly moved: readonly Alias[]
  readonly dropped: readonly Alias[]
  /** The merged entities whose tokens act as the target's from now on: those that were not disabled. */
  readonly livingIds: readonly string[]
}

/**
 * Plans the merge of some entities into another. The target keeps its own policies, since a merge must not widen what
 * its tokens may do. Two aliases at one mount cannot both stay: the caller says by id which one does.
 */
export function planMerge(into: Entity, from: readonly Entity[], keep: readonly string[]): MergePlan {
  const kept = new Map(into.aliases.map((alias) => [alias.mountAccessor, alias]))
  const dropped: Alias[] = []
  for (const alias of from.flatMap(({ aliases }) => aliases)) {
    const rival = kept.get(alias.mountAccessor)
    const winner = rival ? chooseAlias(rival, alias, keep) : alias
    if (rival) dropped.push(winner === rival ? alias : rival)
    kept.set(alias.mountAccessor, winner)
  }
  const own = new Set(into.aliases.map(({ id }) => id))
  const moved = [...kept.values()]
    .filter(({ id }) => !own.has(id))
    .map((alias) => ({ ...alias, entityId: into.id, mergedFromIds: [...alias.mergedFromIds, alias.entityId] }))
  const mergedIds = [...into.mergedIds, ...from.flatMap(allIds)]
  // Disabling an entity stopped its tokens; only enabling it may start them again, and not a merge.
  const livingIds = from.filter(({ disabled }) => !disabled).map(({ id }) => id)
  return { entity: { ...into, mergedIds }, moved, dropped, livingIds }
}

/** The ids an entity is known by: its own, and those of the entities merged into it. */
const allIds = ({ id, mergedIds }: Entity): string[] => [id, ...mergedIds]

function chooseAlias(rival: Alias, alias: Alias, keep: readonly string[]): Alias {
  const wanted = [rival, alias].filter(({ id }) => keep.includes(id))
  const [only] = wanted
  if (wanted.length === 1 && only) return only
  const text =
    `The aliases '${rival.id}' and '${alias.id}' are at the same mount, and only one can stay. ` +
    "Name it in 'conflicting_alias_ids_to_keep'."
  throw failure('invalid', 'merge.conflict', text)
}
