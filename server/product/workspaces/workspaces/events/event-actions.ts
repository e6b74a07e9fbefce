import { Readable } from 'node:stream'
import { canOnWorkspace, grantsInOrganization, type OrganizationGrants } from '../../../../access/permissions/index.ts'
import { Failure, failure } from '../../../../kernel/failure.ts'
import {
  ChangeFollower,
  type ChangeReader,
  type FeedScope,
  feedTurn,
  loadRemovals,
  type RecordedChange,
} from '../../../../kit/change-log/index.ts'
import { type Deps, perApp } from '../../../../kit/deps.ts'
import type { Call } from '../../../../kit/endpoint.ts'
import { currentCaller } from '../../../../kit/still-allowed.ts'
import { canSeeEveryTeam } from '../../../people/teams/index.ts'
import { loadWorkspaces } from '../workspace-store.ts'
import { type EventName, type EventVisibility, eventOf, isVisibleType } from './event.ts'
import { heartbeat, streamOpening, toEvent } from './event-fields.ts'

/** Streams open at once, in this process and by one caller. */
const maxStreams = 2_000
const maxStreamsPerCaller = 50

class OpenStreams {
  readonly stopping = new AbortController()
  readonly #byCaller = new Map<string, number>()
  #open = 0

  /** Takes a place; the returned function frees it. */
  take(caller: string): () => void {
    const own = this.#byCaller.get(caller) ?? 0
    if (this.stopping.signal.aborted || this.#open >= maxStreams) {
      throw failure('unavailable', 'events.full', 'No more event streams can be opened now; try again later.', {
        retryAfter: 30,
      })
    }
    if (own >= maxStreamsPerCaller) {
      const text = `You have ${maxStreamsPerCaller} event streams open; close one before you open another.`
      throw failure('rate-limited', 'events.too-many', text, { retryAfter: 30 })
    }
    this.#open++
    this.#byCaller.set(caller, own + 1)
    return () => {
      this.#open--
      const left = (this.#byCaller.get(caller) ?? 1) - 1
      if (left > 0) this.#byCaller.set(caller, left)
      else this.#byCaller.delete(caller)
    }
  }
}

const openStreams = perApp(() => new OpenStreams())

/** Opens a stream for a caller, which ends with the connection, with its source, when the server stops, or after a restore. */
export function openStream(
  deps: Pick<Deps, 'store'>,
  { caller, signal }: { readonly caller: string; readonly signal: AbortSignal },
  pieces: (signal: AbortSignal) => AsyncIterable<string>,
): Readable {
  const streams = openStreams(deps)
  const release = streams.take(caller)
  // A restore undoes changes without a trace in the change log: clients have to connect and look again.
  const restored = new AbortController()
  const stopListening = deps.store.versions.onChange('everything', () => restored.abort())
  const until = AbortSignal.any([signal, streams.stopping.signal, restored.signal])
  return Readable.from(pieces(until), { objectMode: false }).once('close', () => {
    stopListening()
    release()
  })
}

/** Ends every stream of this process. */
export const endStreams = (deps: Pick<Deps, 'store'>): void => openStreams(deps).stopping.abort()

/** What somebody with these grants may read of a workspace. */
export const visibilityOf = (
  grants: OrganizationGrants,
  workspace: { readonly id: string; readonly projectId: string },
): EventVisibility => ({
  may: (right) => canOnWorkspace(grants, right, workspace),
  seesEveryTeam: canSeeEveryTeam(grants),
})

/** The project of a workspace, or the one it was in when it was deleted. */
type WorkspacePlace = { readonly projectId: string; readonly isGone: boolean }

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
async function placesOf(
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

type StreamCall = Pick<Call, 'deps' | 'request'>

/** What a stream sends, to whom, and until when. */
type EventStream = {
  readonly scope: FeedScope
  readonly reader: ChangeReader
  /** The rights of the caller when the stream begins. */
  readonly grants: OrganizationGrants
  /** Aborted when the client has gone or the server stops. */
  readonly signal: AbortSignal
}

/** Milliseconds between two heartbeats. A stream is woken every two seconds only, so it may be 15 s in the end. */
const heartbeatInterval = 13_000

/**
 * The text of a stream, piece by piece. Nothing is read while the client accepts nothing, so a slow client costs one
 * piece of memory; the listener cuts it off once it has accepted nothing for too long. When it reconnects, it gets what
 * it missed.
 */
export async function* streamEvents(call: StreamCall, stream: EventStream): AsyncGenerator<string, void, void> {
  yield streamOpening(stream.reader.cursor())
  const follower = new ChangeFollower(call.deps, stream.scope, stream.reader)
  try {
    yield* streamFrom(follower, call, stream)
  } finally {
    follower.close()
  }
}

/** The caller's rights are checked for each piece, as a slow client may take long, and every few seconds. */
async function* streamFrom(
  follower: ChangeFollower,
  call: StreamCall,
  { scope, reader, grants, signal }: EventStream,
): AsyncGenerator<string, void, void> {
  const { clock } = call.deps
  let seen: SeenGrants = { before: grants, now: grants }
  let lastBeatAt = clock.monotonic()
  let isCheckDue = false
  while (!signal.aborted) {
    const changes = await follower.next(signal)
    if (isCheckDue || changes.length > 0) {
      const now = await currentGrants(call, scope)
      if (!now) return
      seen = { ...seen, now }
      isCheckDue = false
    }
    for (const { change, event } of await visibleEvents(call.deps, changes, seen)) {
      if (signal.aborted) return
      reader.markRead(change)
      if (!event) continue
      yield toEvent(change, { event, cursor: reader.cursor(), organizationName: seen.now.organizationName })
      if (event === 'deleted' && scope.workspaceId !== undefined) return
    }
    if (changes.length > 0) continue
    seen = { before: seen.now, now: seen.now }
    if (clock.monotonic() - lastBeatAt > heartbeatInterval) {
      yield heartbeat
      lastBeatAt = clock.monotonic()
    }
    await follower.wait(signal)
    isCheckDue = true
  }
}

type SeenGrants = { readonly before: OrganizationGrants; readonly now: OrganizationGrants }

/** The events of these changes; none for what the caller may not see. */
async function visibleEvents(
  deps: StreamCall['deps'],
  changes: readonly RecordedChange[],
  grants: SeenGrants,
): Promise<{ change: RecordedChange; event: EventName | undefined }[]> {
  const places = await placesOf(deps, changes)
  return changes.map((change) => ({
    change,
    event: canSeeChange(grants, change, places) ? eventOf(change) : undefined,
  }))
}

/**
 * Access to a workspace ends when it is deleted: the deletion, and what came just before, is shown to those who could
 * see it until then.
 */
function canSeeChange(
  grants: SeenGrants,
  change: RecordedChange,
  places: ReadonlyMap<string, WorkspacePlace>,
): boolean {
  const { workspaceId: id = '' } = change
  const { projectId = '', isGone = false } = places.get(id) ?? {}
  const may = (seen: OrganizationGrants): boolean =>
    isVisibleType(change.subject.type, visibilityOf(seen, { id, projectId }))
  return may(grants.now) || (isGone && may(grants.before))
}

/**
 * The caller's present rights; undefined once the token is no longer valid or the organization no longer accessible.
 */
async function currentGrants(call: StreamCall, scope: FeedScope): Promise<OrganizationGrants | undefined> {
  try {
    const caller = await currentCaller(call)
    return await grantsInOrganization({ deps: call.deps, caller }, scope.organizationId)
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.kind !== 'internal') return undefined
    throw thrown
  }
}
