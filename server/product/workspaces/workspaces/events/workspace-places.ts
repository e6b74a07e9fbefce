import { feedTurn, loadRemovals, type RecordedChange } from '../../../../kit/change-log/index.ts'
import { type Deps, perApp } from '../../../../kit/deps.ts'
import { loadWorkspaces } from '../workspace-store.ts'

/** The project of a workspace, or the one it was in when it was deleted. */
export type WorkspacePlace = { readonly projectId: string; readonly isGone: boolean }

type Places = ReadonlyMap<string, WorkspacePlace>

/** How many places are remembered at most. */
const maxKnown = 5_000

/** Places by workspace, each as part of what was loaded with it, and as of which content of the database. */
class KnownPlaces {
  #content = 0
  #loads = new Map<string, Promise<Places>>()

  /** What is known as long as nothing was written; all who ask meanwhile share it. */
  asOf(content: number): Map<string, Promise<Places>> {
    if (content !== this.#content || this.#loads.size > maxKnown) this.#loads = new Map()
    this.#content = content
    return this.#loads
  }
}

const knownPlaces = perApp(() => new KnownPlaces())

/**
 * The projects of the workspaces that these changes are about, as of the last check of the caller or later. Streams that
 * send the same changes share one load.
 */
export async function placesOf(
  deps: Pick<Deps, 'db' | 'store'>,
  changes: readonly RecordedChange[],
): Promise<ReadonlyMap<string, WorkspacePlace>> {
  const ids = [...new Set(changes.flatMap(({ workspaceId }) => workspaceId ?? []))]
  const known = knownPlaces(deps).asOf(deps.store.versions.content())
  const missing = ids.filter((id) => !known.has(id))
  if (missing.length > 0) {
    const load = feedTurn(deps)(() => loadPlaces(deps, missing))
    for (const id of missing) known.set(id, load)
    load.catch(() => {
      for (const id of missing) known.delete(id)
    })
  }
  const loads = await Promise.all(ids.map((id) => known.get(id)))
  return new Map(
    ids.flatMap((id, index): [string, WorkspacePlace][] => {
      const place = loads[index]?.get(id)
      return place ? [[id, place]] : []
    }),
  )
}

async function loadPlaces({ db }: Pick<Deps, 'db'>, ids: readonly string[]): Promise<Places> {
  const places = new Map<string, WorkspacePlace>()
  for (const { id, projectId } of await loadWorkspaces(db, ids)) places.set(id, { projectId, isGone: false })
  const missing = ids.filter((id) => !places.has(id))
  for (const { workspaceId = '', before } of await loadRemovals(db, missing)) {
    places.set(workspaceId, { projectId: String(before?.['project-id'] ?? ''), isGone: true })
  }
  return places
}
