import { existsSync } from 'node:fs'
import { type Config, storeUrl } from '../../config/index.ts'
import { systemClock } from '../../kernel/clock.ts'
import { silentLog } from '../../kernel/log.ts'
import { findUnopenable, loadDevices } from '../../product/secrets/audit-devices/index.ts'
import { openStore } from '../../storage/open.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

type Devices = Awaited<ReturnType<typeof loadDevices>>

/** Whether the audit devices of the store can be opened here: a server with devices of which none works answers nothing. */
export async function auditFinding(config: Pick<Config, 'storage' | 'dataDir'>): Promise<Finding> {
  const devices = await storedDevices(config.storage)
  if (devices.length === 0) return ok('there are none')
  const unopenable = await findUnopenable({ settings: config }, devices)
  if (unopenable.length === 0) return ok(devices.map(({ path }) => path).join(', '))
  const found = unopenable.length === devices.length ? fail : warn
  return found(
    `cannot be opened by this user on this machine: ${unopenable.join(', ')}`,
    'Make their files writable. Remove a device you no longer need with holdfast disable-audit-device PATH.',
  )
}

/** A store that has no tables yet has no devices, and one that does not answer is the finding of another check. */
async function storedDevices(storage: Config['storage']): Promise<Devices> {
  if (storage.engine === 'sqlite' && !existsSync(storage.file)) return []
  const store = await openStore({ url: storeUrl(storage), log: silentLog, clock: systemClock }).catch(() => undefined)
  if (!store) return []
  return await loadDevices(store.db)
    .catch(() => [])
    .finally(() => store.close())
}
