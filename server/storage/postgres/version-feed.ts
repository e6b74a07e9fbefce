import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { VersionSource, VersionTracker } from '../version-tracker.ts'
import type { Primary } from './primary.ts'

/** What the feed needs beside connections. */
export type FeedParts = {
  schema: string | undefined
  clock: Clock
  log: Log
  readVersions: () => Promise<[string, number][]>
}

/** Where the moved versions of a schema are announced. */
export const versionChannel = (schema: string | undefined): string =>
  `holdfast_versions_${schema ?? 'public'}`.slice(0, 63)

/** How long cached data may be trusted without a look at the table of versions, in milliseconds. */
const trustFor = 1_000
const reconnectPause = 200

/**
 * Learns of other nodes' changes: at once by notifications, and within a second by reading the versions, since a dead
 * connection may take long to be noticed. After a gap in listening everything counts as changed.
 */
export class VersionFeed implements VersionSource {
  readonly channel: string
  readonly #primary: Primary
  readonly #parts: FeedParts
  #client: pg.Client | undefined
  #listening: Promise<void> | undefined
  #reading: Promise<void> | undefined
  #readAt = Number.NEGATIVE_INFINITY
  readonly #stop = new AbortController()

  constructor(primary: Primary, parts: FeedParts) {
    this.#primary = primary
    this.#parts = parts
    this.channel = versionChannel(parts.schema)
  }

  refresh(tracker: VersionTracker): Promise<void> | void {
    if (this.#parts.clock.monotonic() - this.#readAt < trustFor) return
    this.#reading ??= this.#read(tracker).finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  /** Listens until closed, and starts again whenever the connection is lost. Resolves after the first try. */
  async listen(tracker: VersionTracker): Promise<void> {
    const tried = Promise.withResolvers<void>()
    this.#listening = this.#listenAgain(tracker, tried.resolve)
    await tried.promise
  }

  async close(): Promise<void> {
    this.#stop.abort()
    const client = this.#client
    await Promise.race([client?.end(), sleep(1_000, undefined, { ref: false })])
    await Promise.race([this.#listening, sleep(1_000, undefined, { ref: false })])
  }

  async #read(tracker: VersionTracker): Promise<void> {
    const startedAt = this.#parts.clock.monotonic()
    for (const [area, version] of await this.#parts.readVersions()) tracker.saw(area, version)
    this.#readAt = startedAt
  }

  async #listenAgain(tracker: VersionTracker, tried: () => void): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      try {
        const { ended } = await this.#connect(tracker)
        tried()
        await ended
      } catch (error) {
        this.#parts.log.warn({ error }, 'listening for changes failed')
      }
      tried()
      if (!signal.aborted) await sleep(reconnectPause, undefined, { ref: false })
    }
  }

  /** Begins to listen. What it returns resolves when the connection has ended; wrapped, or awaiting it would wait. */
  async #connect(tracker: VersionTracker): Promise<{ ended: Promise<unknown> }> {
    const client = await this.#primary.connectAlone()
    this.#client = client
    const ended = new Promise((resolve) => client.once('end', resolve))
    client.on('notification', ({ payload }) => this.#heard(tracker, payload ?? ''))
    await client.query(`listen ${client.escapeIdentifier(this.channel)}`)
    tracker.flush()
    if (this.#stop.signal.aborted) await client.end()
    return { ended }
  }

  #heard(tracker: VersionTracker, payload: string): void {
    const [area, version] = payload.split(':')
    if (area && version) tracker.saw(area, Number(version))
  }
}
