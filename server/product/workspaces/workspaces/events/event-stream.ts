import { grantsInOrganization, type OrganizationGrants } from '../../../../access/permissions/index.ts'
import { Failure } from '../../../../kernel/failure.ts'
import {
  ChangeFollower,
  type ChangeReader,
  type FeedScope,
  type RecordedChange,
} from '../../../../kit/change-log/index.ts'
import type { Call } from '../../../../kit/endpoint.ts'
import { currentCaller } from '../../../../kit/still-allowed.ts'
import { visibilityOf } from './event-actions.ts'
import { type EventName, eventOf, isVisibleType } from './event-rules.ts'
import { heartbeat, streamOpening, toEvent } from './event-wire.ts'
import { placesOf, type WorkspacePlace } from './workspace-places.ts'

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
