import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import type { Log } from '../../kernel/log.ts'
import type { VersionSource, VersionTracker } from '../version-tracker.ts'
import type { Primary } from './primary.ts'
import { reasonOf } from './reason.ts'

/** What the feed needs beside connections. */
type FeedParts = {
  schema: string | undefined
  log: Log
  /** Asks the primary; callers that ask together share the round trip. */
  ask: <R>(query: CompiledQuery) => Promise<R | undefined>
}

/**
 * Where the database stands. Two equal snapshots see the same rows, since each names the transactions that had ended when
 * it was taken. Another server, or the same one after a restart, may use these numbers again, so its start time is part of
 * what is compared.
 */
const visibleSql = "select pg_postmaster_start_time()::text || ' ' || pg_current_snapshot()::text as visible"

const visibleQuery = CompiledQuery.raw(visibleSql)

/** The same with the versions of all areas, in any order: three times the cost, so it is asked for only after changes. */
const positionQuery = CompiledQuery.raw(
  `${visibleSql}, (select string_agg(area || ' ' || version, ',') from versions) as versions`,
)

type Position = { visible: string; versions: string | null }

/** Where the moved versions of a schema are announced. */
export const versionChannel = (schema: string | undefined): string =>
  `holdfast_versions_${schema ?? 'public'}`.slice(0, 63)

/** Milliseconds between two tries to listen: the first pause, and what it doubles to while they fail. */
const firstPause = 200
const longestPause = 3_000

/**
 * Learns of other nodes' changes. Whoever serves a request asks where the database stands, after the request has come, so
 * that nothing it remembers is older than that. Notifications are for those who wait for changes without asking; after a gap
 * in listening everything counts as changed (docs/decisions/0014).
 */
export class VersionFeed implements VersionSource {
  readonly channel: string
  readonly #primary: Primary
  readonly #parts: FeedParts
  #client: pg.Client | undefined
  #listening: Promise<void> | undefined
  #asking: Promise<boolean> | undefined
  #seen: Position = { visible: '', versions: null }
  /** True if nothing was written between the last two polls, so that most likely nothing has been written since. */
  #isCalm = false
  readonly #stop = new AbortController()

  constructor(primary: Primary, parts: FeedParts) {
    this.#primary = primary
    this.#parts = parts
    this.channel = versionChannel(parts.schema)
  }

  async refresh(tracker: VersionTracker): Promise<void> {
    if (this.#isCalm && this.#isSeen(await this.#parts.ask(visibleQuery))) return
    const found = await this.#parts.ask<Position>(positionQuery)
    this.#isCalm = this.#isSeen(found)
    if (found === undefined || this.#isCalm) return
    const before = this.#seen
    this.#seen = found
    const isFirstPoll = before.visible === ''
    if (isFirstPoll || serverOf(found) === serverOf(before)) tracker.noteWrite()
    else tracker.invalidateAll()
    if (found.versions !== before.versions) noteVersions(tracker, found.versions ?? '')
  }

  #isSeen(found: Pick<Position, 'visible'> | undefined): boolean {
    return found?.visible === this.#seen.visible
  }

  /** Listens until closed, and starts again whenever the connection is lost. Resolves after the first try. */
  async listen(tracker: VersionTracker): Promise<void> {
    const tried = Promise.withResolvers<void>()
    this.#listening = this.#listenAgain(tracker, tried.resolve)
    await tried.promise
  }

  /** Whether the server answers over the connection that listens, which no request uses. Those who ask together share it. */
  async answers(): Promise<boolean> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined
    })
    return await this.#asking
  }

  async #ask(): Promise<boolean> {
    try {
      return (await this.#client?.query('select 1')) !== undefined
    } catch (thrown) {
      this.#parts.log.debug({ error: reasonOf(thrown) }, 'the listening connection did not answer')
      return false
    }
  }

  async close(): Promise<void> {
    this.#stop.abort()
    const client = this.#client
    await Promise.race([client?.end(), sleep(1_000, undefined, { ref: false })])
    await Promise.race([this.#listening, sleep(1_000, undefined, { ref: false })])
  }

  async #listenAgain(tracker: VersionTracker, tried: () => void): Promise<void> {
    const { signal } = this.#stop
    let pause = firstPause
    while (!signal.aborted) {
      try {
        const { ended } = await this.#connect(tracker)
        pause = firstPause
        tried()
        await ended
      } catch (error) {
        this.#parts.log.warn({ error: reasonOf(error) }, 'listening for changes failed')
      }
      tried()
      await sleep(pause, undefined, { ref: false, signal }).catch(() => undefined)
      pause = Math.min(pause * 2, longestPause)
    }
  }

  /** Begins to listen. `ended` resolves when the connection ends; returned bare, it would be awaited as well. */
  async #connect(tracker: VersionTracker): Promise<{ ended: Promise<unknown> }> {
    const client = await this.#primary.connectOutsidePool()
    this.#client = client
    const ended = new Promise((resolve) => client.once('end', resolve))
    client.on('notification', ({ payload }) => this.#onNotification(tracker, payload ?? ''))
    try {
      await client.query(`listen ${client.escapeIdentifier(this.channel)}`)
    } catch (thrown) {
      // A server that has become a standby refuses, and keeps the connection: with each try there would be one more.
      await client.end()
      throw thrown
    }
    tracker.invalidateAll()
    if (this.#stop.signal.aborted) await client.end()
    return { ended }
  }

  #onNotification(tracker: VersionTracker, payload: string): void {
    const [area, version] = payload.split(':')
    if (area && version) tracker.noteVersion(area, Number(version))
  }
}

/** When the server was started: one that took over may count the same versions for other content. */
const serverOf = ({ visible }: Position): string => visible.slice(0, visible.lastIndexOf(' '))

function noteVersions(tracker: VersionTracker, versions: string): void {
  for (const entry of versions.split(',')) {
    const [area, version] = entry.split(' ')
    if (area && version) tracker.noteVersion(area, Number(version))
  }
}
