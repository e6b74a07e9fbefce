import { type Awaitable, andThen } from '../../kernel/awaitable.ts'
import type { Resource } from '../../kit/jsonapi/index.ts'
import type { Workspace, WorkspaceLock } from './workspace-rules.ts'

type Rendered = { readonly around: readonly unknown[]; readonly resource: Resource }

/** Callers with different rights see different documents of one workspace; more than so many are not kept. */
const mostKept = 8

const rendered = new WeakMap<Workspace, Rendered[]>()

/**
 * The document of a workspace without its lock as it was rendered before, while neither the workspace nor anything around
 * it has changed. `around` lists all that the document depends on beside the workspace, compared one by one.
 */
export function recallOrRender(workspace: Workspace, around: readonly unknown[], render: () => Resource): Resource {
  const kept = rendered.get(workspace) ?? []
  const same = kept.find((each) => isSame(each.around, around))
  if (same) return same.resource
  const resource = render()
  if (kept.length >= mostKept) kept.shift()
  kept.push({ around, resource })
  rendered.set(workspace, kept)
  return resource
}

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index])

type Locked = { readonly lock: WorkspaceLock; readonly resource: Resource }

const lockedOf = new WeakMap<Resource, Locked>()

/** A document with the lock laid over it, as it was before while the lock is the same. */
export function recallOrLock(unlocked: Resource, lock: WorkspaceLock, render: () => Resource): Resource {
  const known = lockedOf.get(unlocked)
  if (known?.lock === lock) return known.resource
  const resource = render()
  lockedOf.set(unlocked, { lock, resource })
  return resource
}

/** Ids that documents link to, by workspace. */
export type Links = ReadonlyMap<string, readonly string[]>

/** Nobody links to anything. */
export const noLinks: Links = new Map()

const linked = new Map<string, WeakMap<Workspace, readonly string[]>>()

/** Lets a workspace have what was rendered of the one before it and its links, when the lock is all that has changed. */
export function carryRendered(before: Workspace, after: Workspace): void {
  const known = rendered.get(before)
  if (known) rendered.set(after, known)
  for (const kept of linked.values()) {
    const ids = kept.get(before)
    if (ids) kept.set(after, ids)
  }
}

/** Links that follow the revision of their workspace: those of a state seen before are at hand, the others are read. */
export function recallLinks(
  name: string,
  workspaces: readonly Workspace[],
  read: (unknown: readonly Workspace[]) => Awaitable<Links>,
): Awaitable<Links> {
  const kept = linked.get(name) ?? new WeakMap<Workspace, readonly string[]>()
  linked.set(name, kept)
  const unknown = workspaces.filter((workspace) => !kept.has(workspace))
  return andThen(unknown.length > 0 ? read(unknown) : noLinks, (found) => {
    for (const workspace of unknown) kept.set(workspace, found.get(workspace.id) ?? [])
    return new Map(workspaces.map((workspace) => [workspace.id, kept.get(workspace) ?? []]))
  })
}
