import { setTimeout as wait } from 'node:timers/promises'
import { grantsInOrganization, type OrganizationGrants } from '../../../access/permissions/index.ts'
import { Failure } from '../../../kernel/failure.ts'
import type { Call } from '../../../kit/endpoint.ts'
import { currentCaller } from '../../../kit/still-allowed.ts'
import { type ChangeReader, changeMark, type FeedScope, type RecordedChange } from '../../change-log/index.ts'
import { placesOf, visibilityOf, type WorkspacePlace } from './event-actions.ts'
import { eventOf, isVisibleType } from './event-rules.ts'
import { heartbeat, streamOpening, toEvent } from './event-wire.ts'

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

/** Milliseconds between two looks for changes, two checks of the caller's rights, and two heartbeats. */
const pollInterval = 250
const grantsCheckInterval = 2_000
const heartbeatInterval = 15_000

/**
 * The text of a stream, piece by piece. Nothing is read while the client accepts nothing, so a slow client costs one
 * piece of memory; the listener cuts it off once it has accepted nothing for too long. When it reconnects, it gets what
 * it missed.
 */
export async function* streamEvents(call: StreamCall, stream: EventStream): AsyncGenerator<string, void, void> {
  const { deps } = call
  const { scope, reader, signal } = stream
  const { clock } = deps
  yield streamOpening(reader.cursor())
  let { grants } = stream
  let grantsCheckedAt = clock.monotonic()
  let lastBeatAt = grantsCheckedAt
  let mark = ''
  while (!signal.aborted) {
    const newMark = await changeMark(deps, scope.organizationId)
    if (newMark !== mark || clock.monotonic() - grantsCheckedAt > grantsCheckInterval) {
      const before = grants
      const current = await currentGrants(call, scope)
      if (!current) return
      grants = current
      grantsCheckedAt = clock.monotonic()
      if (newMark !== mark && (yield* streamNewEvents(call, stream, { before, now: grants }))) return
      mark = newMark
    }
    if (clock.monotonic() - lastBeatAt > heartbeatInterval) {
      yield heartbeat
      lastBeatAt = clock.monotonic()
    }
    await wait(pollInterval, undefined, { signal }).catch(() => undefined)
  }
}

type SeenGrants = { readonly before: OrganizationGrants; readonly now: OrganizationGrants }

/**
 * Sends what is new; true when nothing more can follow. A slow client may take long, so the caller's rights are checked
 * again for each piece.
 */
async function* streamNewEvents(
  call: StreamCall,
  stream: EventStream,
  seen: SeenGrants,
): AsyncGenerator<string, boolean, void> {
  const { scope, reader, signal } = stream
  let grants = seen
  for (;;) {
    const changes = await reader.next()
    if (changes.length === 0) return false
    const places = await placesOf(call.deps, changes)
    for (const change of changes) {
      if (signal.aborted) return true
      reader.markRead(change)
      const event = canSeeChange(grants, change, places) ? eventOf(change) : undefined
      if (!event) continue
      yield toEvent(change, { event, cursor: reader.cursor(), organizationName: grants.now.organizationName })
      if (event === 'deleted' && scope.workspaceId !== undefined) return true
    }
    const current = await currentGrants(call, scope)
    if (!current) return true
    grants = { ...grants, now: current }
  }
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
