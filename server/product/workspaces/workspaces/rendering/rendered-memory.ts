import { type Awaitable, andThen } from '../../../../kernel/awaitable.ts'
import type { Resource } from '../../../../kit/jsonapi/index.ts'
import type { Workspace, WorkspaceLock } from '../workspace-rules.ts'

type Rendered = { readonly around: readonly unknown[]; readonly resource: Resource }

/** Callers with different rights see different documents of one workspace; no more than this many are kept. */
const maxKept = 8

/** What is kept for one state of a workspace. */
type Memory = { readonly rendered: Rendered[]; readonly links: Map<string, readonly string[]> }

const memories = new WeakMap<Workspace, Memory>()

function memoryOf(workspace: Workspace): Memory {
  const known = memories.get(workspace)
  if (known) return known
  const memory: Memory = { rendered: [], links: new Map() }
  memories.set(workspace, memory)
  return memory
}

/** Hands what was kept for a workspace to its next state, when only the lock has changed. */
export const inheritRendered = (before: Workspace, after: Workspace): void => void memories.set(after, memoryOf(before))

/**
 * The document of a workspace without its lock, rendered again only if the workspace or anything around it has changed.
 * `around` lists everything that the document depends on besides the workspace, compared one by one.
 */
export function recallOrRender(workspace: Workspace, around: readonly unknown[], render: () => Resource): Resource {
  const { rendered } = memoryOf(workspace)
  const same = rendered.find((each) => isSame(each.around, around))
  if (same) return same.resource
  const resource = render()
  if (rendered.length >= maxKept) rendered.shift()
  rendered.push({ around, resource })
  return resource
}

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index])

type Locked = { readonly lock: WorkspaceLock; readonly resource: Resource }

const lockedDocuments = new WeakMap<Resource, Locked>()

/** The document with its lock, rendered again only if the lock has changed. */
export function recallOrRenderLock(unlocked: Resource, lock: WorkspaceLock, render: () => Resource): Resource {
  const known = lockedDocuments.get(unlocked)
  if (known?.lock === lock) return known.resource
  const resource = render()
  lockedDocuments.set(unlocked, { lock, resource })
  return resource
}

/** Ids that documents link to, by workspace. */
export type Links = ReadonlyMap<string, readonly string[]>

/** No links at all. */
export const noLinks: Links = new Map()

/**
 * Links that change only with the revision of their workspace: those of a known state are in memory, the others are
 * read.
 */
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
