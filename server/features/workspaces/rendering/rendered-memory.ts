import { type Awaitable, andThen } from '../../../kernel/awaitable.ts'
import type { Resource } from '../../../kit/jsonapi/index.ts'
import type { Workspace, WorkspaceLock } from '../workspace-rules.ts'

type Rendered = { readonly around: readonly unknown[]; readonly resource: Resource }

/** Callers with different rights see different documents of one workspace; more than so many are not kept. */
const mostKept = 8

/** What is kept of one state of a workspace. */
type Memory = { readonly rendered: Rendered[]; readonly links: Map<string, readonly string[]> }

const memories = new WeakMap<Workspace, Memory>()

function memoryOf(workspace: Workspace): Memory {
  const known = memories.get(workspace)
  if (known) return known
  const memory: Memory = { rendered: [], links: new Map() }
  memories.set(workspace, memory)
  return memory
}

/** Lets a workspace have what was kept of the one before it, when the lock is all that has changed. */
export const carryRendered = (before: Workspace, after: Workspace): void => void memories.set(after, memoryOf(before))

/**
 * The document of a workspace without its lock as it was rendered before, while neither the workspace nor anything around
 * it has changed. `around` lists all that the document depends on beside the workspace, compared one by one.
 */
export function recallOrRender(workspace: Workspace, around: readonly unknown[], render: () => Resource): Resource {
  const { rendered } = memoryOf(workspace)
  const same = rendered.find((each) => isSame(each.around, around))
  if (same) return same.resource
  const resource = render()
  if (rendered.length >= mostKept) rendered.shift()
  rendered.push({ around, resource })
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

/** Links that follow the revision of their workspace: those of a state seen before are at hand, the others are read. */
export function recallLinks(
  name: string,
  workspaces: readonly Workspace[],
  read: (unknown: readonly Workspace[]) => Awaitable<Links>,
): Awaitable<Links> {
  const recalled = new Map<string, readonly string[]>()
  const unknown: Workspace[] = []
  for (const workspace of workspaces) {
    const ids = memoryOf(workspace).links.get(name)
    if (ids) recalled.set(workspace.id, ids)
    else unknown.push(workspace)
  }
  if (unknown.length === 0) return recalled
  return andThen(read(unknown), (found) => {
    for (const workspace of unknown) {
      const ids = found.get(workspace.id) ?? []
      memoryOf(workspace).links.set(name, ids)
      recalled.set(workspace.id, ids)
    }
    return recalled
  })
}
