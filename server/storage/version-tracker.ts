import type { Awaitable } from '../kernel/awaitable.ts'
import { runIsolated } from '../kernel/event-loop.ts'
import type { Area, Versions } from './areas.ts'

/** Finds out about changes of other processes and tells the tracker. */
export type VersionSource = {
  refresh(tracker: VersionTracker): Awaitable<void>
}

/**
 * Keeps a local number for each area. It moves when a version in the database differs from the last one seen, so a
 * version that went back after a fail-over moves it too.
 */
export class VersionTracker implements Versions {
  readonly #source: VersionSource
  readonly #seen = new Map<string, number>()
  readonly #moves = new Map<string, number>()
  readonly #listeners = new Map<string, Set<() => void>>()
  #flushes = 0
  #writes = 0

  constructor(source: VersionSource) {
    this.#source = source
  }

  refresh(): Awaitable<void> {
    return this.#source.refresh(this)
  }

  of(area: Area): number {
    return this.#flushes + (this.#moves.get(area) ?? 0)
  }

  content(): number {
    return this.#writes
  }

  /** Takes note that something was written, whatever it is and whoever did it. */
  noteWrite(): void {
    this.#writes += 1
  }

  onChange(area: Area, listener: () => void): () => void {
    const listeners = this.#listeners.get(area) ?? new Set()
    this.#listeners.set(area, listeners.add(listener))
    return () => void listeners.delete(listener)
  }

  /** Takes note of an area's version as the database has it. */
  noteVersion(area: string, version: number): void {
    if (this.#seen.get(area) === version) return
    this.#seen.set(area, version)
    if (area === 'everything') {
      this.invalidateAll()
      return
    }
    this.#moves.set(area, (this.#moves.get(area) ?? 0) + 1)
    this.#announce(area)
  }

  /** Moves every area: what was missed cannot be known. */
  invalidateAll(): void {
    this.#flushes += 1
    this.noteWrite()
    for (const area of this.#listeners.keys()) this.#announce(area)
  }

  /** What is announced has happened, so the error of a listener must not look like a failure of the write. */
  #announce(area: string): void {
    for (const listener of this.#listeners.get(area) ?? []) runIsolated(listener)
  }
}
