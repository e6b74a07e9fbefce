import { setTimeout as sleep } from 'node:timers/promises'
import { failure } from '../../kernel/failure.ts'
import type { Deps } from '../../kit/deps.ts'

/** Milliseconds: enough for a fail-over that goes well, and less than probes wait. */
const patience = 700

/** Asks the store for a sign of life. A slow one is waited for; one that is known to be away is not waited for long. */
export async function requireStore({ store }: Pick<Deps, 'store'>): Promise<void> {
  let answered = false
  const asked = Promise.resolve(store.versions.refresh()).then(() => {
    answered = true
  })
  for (;;) {
    await Promise.race([asked, sleep(patience, undefined, { ref: false })])
    if (answered) return
    if (store.isAway()) throw storeIsAway()
  }
}

const storeIsAway = () =>
  failure('unavailable', 'storage.unreachable', 'The database cannot be reached at the moment; try again.', {
    retryAfter: 2,
  })
