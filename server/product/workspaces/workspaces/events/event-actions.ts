import { Readable } from 'node:stream'
import { canOnWorkspace, type OrganizationGrants } from '../../../../access/permissions/index.ts'
import { failure } from '../../../../kernel/failure.ts'
import { type Deps, perApp } from '../../../../kit/deps.ts'
import { canSeeEveryTeam } from '../../../people/teams/index.ts'
import type { EventVisibility } from './event-rules.ts'

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
