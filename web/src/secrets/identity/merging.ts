import type { Schemas } from '../../api/client.ts'

type Entity = Pick<Schemas['Entity'], 'id' | 'name' | 'policies' | 'disabled' | 'aliases'>
type Alias = Schemas['EntityAlias']

/** Aliases at one mount, of which only one can stay. */
export type Conflict = { readonly mount: string; readonly aliases: readonly (Alias & { readonly of: string })[] }

/** What a merge would do, for those who are asked to do it. */
export type MergePreview = {
  readonly moved: readonly (Alias & { readonly of: string })[]
  readonly conflicts: readonly Conflict[]
  /** Policies that tokens of the merged entities lose: the target keeps its own. */
  readonly lost: readonly string[]
  /** Policies that tokens of the merged entities gain. */
  readonly gained: readonly string[]
  /** Merged entities whose tokens stay refused. */
  readonly disabled: readonly string[]
}

/** What becomes of two entities when one is merged into the other. */
export function previewMerge(into: Entity, from: Entity): MergePreview {
  const named = ({ aliases, name }: Entity) => aliases.map((alias) => ({ ...alias, of: name }))
  const own = named(into)
  const byMount = Map.groupBy([...own, ...named(from)], ({ mount_accessor }) => mount_accessor)
  const conflicts = [...byMount.values()]
    .filter((aliases) => aliases.length > 1)
    .map((aliases) => ({ mount: aliases[0]?.mount_path ?? '', aliases }))
  const disputed = new Set(conflicts.flatMap(({ aliases }) => aliases.map(({ id }) => id)))
  return {
    moved: named(from).filter(({ id }) => !disputed.has(id)),
    conflicts,
    lost: from.policies.filter((policy) => !into.policies.includes(policy)),
    gained: into.policies.filter((policy) => !from.policies.includes(policy)),
    disabled: from.disabled ? [from.name] : [],
  }
}
