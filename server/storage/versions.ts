import { LRUCache } from 'lru-cache'
import type { Awaitable } from '../kernel/awaitable.ts'
import type { Area, Versions } from './areas.ts'
import type { Queryable, Tx } from './database.ts'
import { sessionOf } from './engine.ts'

/** A version per area of cached data; it moves with every change to that area. */
interface VersionRow {
  area: string
  version: number
}

declare module './tables.ts' {
  interface DescribedTables {
    versions: VersionRow
  }
}

export type { Area } from './areas.ts'

/**
 * Announces a change of the area; others see it once the transaction has committed. The row is written right before the
 * commit, in a fixed order, so that transactions which bump the same areas neither wait long nor deadlock.
 */
export function bumpVersion(tx: Tx, area: Area): void {
  sessionOf(tx).bumped.add(area)
}

/** An area's version as the database has it now; 0 before its first change. */
export async function loadVersion(db: Queryable, area: Area): Promise<number> {
  const row = await db.selectFrom('versions').select('version').where('area', '=', area).executeTakeFirst()
  return Number(row?.version ?? 0)
}

/**
 * Lets transactions about an area run one after the other, for rules that no unique index can state. SQLite does so
 * anyhow; on PostgreSQL the row is locked until the end of the transaction.
 */
export async function lockArea(tx: Tx, area: Area): Promise<void> {
  await tx
    .insertInto('versions')
    .values({ area: `turn:${area}`, version: 0 })
    .onConflict((conflict) => conflict.column('area').doUpdateSet({ version: 0 }))
    .execute()
}

/** Values read from one area, all dropped when its version moves. `undefined` is never kept. */
export class VersionedCache<K extends {}, V extends {}> {
  readonly #versions: Versions
  readonly #area: Area
  readonly #values: LRUCache<K, V>
  readonly #loads = new Map<K, Promise<V>>()
  #version: number

  constructor(versions: Versions, area: Area, limits: { max: number }) {
    this.#versions = versions
    this.#area = area
    // Counted as a size: with `max`, room for all entries would be made at once, and cleared at every change.
    this.#values = new LRUCache({ maxSize: limits.max, sizeCalculation: () => 1 })
    this.#version = versions.of(area)
  }

  /** The cached value at once, or the result of `load`. Callers that miss at the same moment share one load. */
  getOrLoad(key: K, load: (key: K) => Promise<V>): Awaitable<V> {
    return this.get(key) ?? this.#loadOnce(key, load)
  }

  async #loadOnce(key: K, load: (key: K) => Promise<V>): Promise<V> {
    const running = this.#loads.get(key)
    if (running) return await running
    const asOf = this.version()
    const loading = load(key)
    this.#loads.set(key, loading)
    try {
      const value = await loading
      this.set(key, value, asOf)
      return value
    } finally {
      // A change in the meantime has cleared the map, and the key may belong to a newer load by now.
      if (this.#loads.get(key) === loading) this.#loads.delete(key)
    }
  }

  /**
   * Like `getOrLoad`, for loads that may find nothing and for values of which some must not be kept (`isKept`). Every
   * caller that misses loads for itself.
   */
  recall(
    key: K,
    load: () => Promise<V | undefined>,
    isKept: (value: V) => boolean = () => true,
  ): Awaitable<V | undefined> {
    return this.get(key) ?? this.#loadAndKeep(key, load, isKept)
  }

  async #loadAndKeep(
    key: K,
    load: () => Promise<V | undefined>,
    isKept: (value: V) => boolean,
  ): Promise<V | undefined> {
    const asOf = this.version()
    const value = await load()
    if (value !== undefined && isKept(value)) this.set(key, value, asOf)
    return value
  }

  get(key: K): V | undefined {
    this.#dropIfStale()
    return this.#values.get(key)
  }

  /** The version to hand to `set`; take it before reading what will be cached. */
  version(): number {
    this.#dropIfStale()
    return this.#version
  }

  /** Keeps the value, unless the area has changed since `asOf`: then it may be outdated already. */
  set(key: K, value: V, asOf: number): void {
    this.#dropIfStale()
    if (asOf === this.#version) this.#values.set(key, value)
  }

  delete(key: K): void {
    this.#values.delete(key)
  }

  #dropIfStale(): void {
    const current = this.#versions.of(this.#area)
    if (current === this.#version) return
    this.#version = current
    this.#values.clear()
    this.#loads.clear()
  }
}
