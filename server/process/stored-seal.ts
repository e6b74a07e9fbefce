import { type Config, storeUrl } from '../config/index.ts'
import { systemClock } from '../kernel/clock.ts'
import { silentLog } from '../kernel/log.ts'
import { loadSeal } from '../product/secrets/seal/index.ts'
import { openStore } from '../storage/open.ts'

/** How a store is sealed, read while a server runs or without one; undefined if there are no keys yet. */
export async function storedSeal(storage: Config['storage']): ReturnType<typeof loadSeal> {
  const store = await openStore({ url: storeUrl(storage), log: silentLog, clock: systemClock })
  return await loadSeal(store.db).finally(() => store.close())
}
