import type { Tx } from './database.ts'

/** The kinds of cached data. A change to one of them bumps its version, and every cache of that area starts anew. */
export type Area =
  | 'everything'
  | 'keyring'
  | 'mounts'
  | 'policies'
  | 'tokens'
  | 'roles'
  | 'crls'
  | 'quotas'
  | 'audit'
  | 'settings'
  | 'permissions'
  | 'organizations'
  | 'users'
  | 'teams'
  | 'projects'
  | 'workspaces'
  | 'snapshots'
  | 'jobs'

/** What this process knows about changes made by itself and by others. */
export type Versions = {
  /** Looks for changes of other processes; called once for each request. */
  refresh(): Promise<void> | void
  /** A number that moves when the area changes. It means nothing outside this process. */
  of(area: Area): number
  /** Calls the listener after each change of the area, whoever made it; returns a function that stops it. */
  onChange(area: Area, listener: () => void): () => void
}

/** Announces a change of the area; others see it once the transaction has committed. */
export async function bumpVersion(_tx: Tx, _area: Area): Promise<void> {
  throw new Error('not written yet')
}

/** Values read from one area, all dropped when its version moves. */
export class VersionedCache<K, V> {
  constructor(versions: Versions, area: Area, limits: { max: number }) {
    void [versions, area, limits]
  }

  /** The cached value, or what `load` returns; callers that miss at the same moment share one load. */
  async getOrLoad(_key: K, _load: (key: K) => Promise<V>): Promise<V> {
    throw new Error('not written yet')
  }

  get(_key: K): V | undefined {
    throw new Error('not written yet')
  }

  /** The version to hand to `set`; take it before reading what will be cached. */
  version(): number {
    throw new Error('not written yet')
  }

  /** Keeps the value, unless the area has changed since `asOf`: then it may be outdated already. */
  set(_key: K, _value: V, _asOf: number): void {
    throw new Error('not written yet')
  }

  delete(_key: K): void {
    throw new Error('not written yet')
  }
}
