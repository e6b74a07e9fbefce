import type { Keyring } from '../crypto/keyring.ts'
import type { Passwords } from '../crypto/passwords.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Ids } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { Outbound } from '../outbound/fetch.ts'
import type { Db, Store } from '../storage/open.ts'
import type { Settings } from './app-settings.ts'
import type { Metrics } from './metrics.ts'
import type { CollectedParts } from './parts.ts'
import type { Services } from './services.ts'

/** What features are given. A function takes only the parts it uses: `Pick<Deps, 'db' | 'clock'>`. */
export interface Deps extends Services {
  readonly db: Db
  /** For reads that may take long, such as lists and counts: on SQLite they hold up nobody. */
  readonly reads: Db
  readonly store: Store
  readonly clock: Clock
  readonly ids: Ids
  readonly keyring: Keyring
  readonly passwords: Passwords
  readonly outbound: Outbound
  readonly log: Log
  readonly metrics: Metrics
  readonly settings: Settings
  /** What features add to those below them; read with `partsOf`. */
  readonly parts: CollectedParts
}

type StoreOnly = Pick<Deps, 'store'>

/**
 * One value for each running application, made on first use: caches and the like, without global state. Any caller may be
 * the first, so each has to bring all that `make` takes.
 */
export function perApp<T, D = StoreOnly>(make: (deps: D) => T): (deps: D & StoreOnly) => T {
  const made = new WeakMap<Store, T>()
  return (deps) => {
    const existing = made.get(deps.store)
    if (existing !== undefined) return existing
    const value = make(deps)
    made.set(deps.store, value)
    return value
  }
}
