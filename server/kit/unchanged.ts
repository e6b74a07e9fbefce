import { LRUCache } from 'lru-cache'
import { type Awaitable, andThen } from '../kernel/awaitable.ts'
import type { Deps } from './deps.ts'

type Kept<V> = { content: number; value: V }

/** How many values are kept at most; where they differ in size, only those up to `largest`, as `sizeOf` tells it. */
type Limits<V> = { readonly max: number; readonly largest?: number; readonly sizeOf?: (value: V) => number }

/** Values that follow from the database alone, kept for as long as nothing at all in it has changed. */
export class WhileUnchanged<K extends {}, V extends {}> {
  readonly #kept: { get(key: K): Kept<V> | undefined; set(key: K, kept: Kept<V>): unknown }
  readonly #isSmall: (value: V) => boolean

  constructor(kept: Limits<V> | WeakMap<K & object, Kept<V>>) {
    const { max, largest = 0, sizeOf } = 'max' in kept ? kept : { max: 0 }
    this.#kept = 'max' in kept ? new LRUCache<K, Kept<V>>({ max }) : (kept as WeakMap<never, Kept<V>>)
    this.#isSmall = sizeOf ? (value) => sizeOf(value) <= largest : () => true
  }

  /** The kept value, or the result of `find`. */
  get<T extends V | undefined>(deps: Pick<Deps, 'store'>, key: K, find: () => Awaitable<T>): Awaitable<T> {
    return (this.peek(deps, key) as T | undefined) ?? this.load(deps, key, find)
  }

  /** The kept value, if there is one. */
  peek({ store }: Pick<Deps, 'store'>, key: K): V | undefined {
    const known = this.#kept.get(key)
    return known?.content === store.versions.content() ? known.value : undefined
  }

  /** The result of `find`, which is kept from now on. An entry that a write overtakes is never used, so never stale. */
  load<T extends V | undefined>({ store }: Pick<Deps, 'store'>, key: K, find: () => Awaitable<T>): Awaitable<T> {
    const content = store.versions.content()
    return andThen(find(), (value) => {
      if (value !== undefined && this.#isSmall(value)) this.#keep(key, content, value)
      return value
    })
  }

  /** Changing an entry is cheaper than replacing it. */
  #keep(key: K, content: number, value: V): void {
    const known = this.#kept.get(key)
    if (known === undefined) return void this.#kept.set(key, { content, value })
    known.content = content
    known.value = value
  }
}
