import { setTimeout as sleep } from 'node:timers/promises'
import { failure } from '../../kernel/failure.ts'
import type { Deps } from '../../kit/deps.ts'

/** Milliseconds. */
const waits = {
  /** For a store that is known to be away: enough for a fail-over that goes well, and less than probes wait. */
  away: 700,
  /** For any other: whatever it has to do, one that works answers within this time; one that does not may be frozen. */
  silent: 5_000,
}

/** What a probe asks of a store. */
type Probed = Pick<Deps['store'], 'isAway' | 'broken'> & { readonly versions: Pick<Versions, 'refresh'> }

/** A store that takes nothing more before the next start leaves whoever watches the process one thing to do. */
export function requireWritable({ store }: { readonly store: Pick<Probed, 'broken'> }): void {
  const reason = store.broken()
  if (reason) throw reason
}

/** Asks the store for a sign of life. A slow one is waited for; one that is known to be away is not waited for long. */
export async function requireStore({ store }: { readonly store: Probed }, { away, silent } = waits): Promise<void> {
  requireWritable({ store })
  let answered = false
  const asked = Promise.resolve(store.versions.refresh()).then(() => {
    answered = true
  })
  for (let waited = 0; waited < silent; waited += away) {
    await Promise.race([asked, sleep(away, undefined, { ref: false })])
    if (answered) return
    if (store.isAway()) break
  }
  throw storeIsAway()
}

type Versions = Deps['store']['versions']

const storeIsAway = () =>
  failure('unavailable', 'storage.unreachable', 'The database cannot be reached at the moment; try again.', {
    retryAfter: 2,
  })
