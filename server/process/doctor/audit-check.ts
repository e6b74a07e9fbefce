import { findUnopenable, loadDevices } from '../../product/secrets/audit-devices/index.ts'
import { type Finding, fail, ok, warn } from './finding.ts'
import { fromStore, type PlacesConfig, placeSettings } from './places-check.ts'

/** Whether the audit devices of the store can be opened here: a server with devices of which none works answers nothing. */
export async function auditFinding(config: PlacesConfig): Promise<Finding> {
  const devices = await fromStore(config.storage, ({ db }) => loadDevices(db))
  if (devices.length === 0) return ok('there are none')
  const unopenable = await findUnopenable({ settings: placeSettings(config) }, devices)
  if (unopenable.length === 0) return ok(devices.map(({ path }) => path).join(', '))
  const found = unopenable.length === devices.length ? fail : warn
  return found(
    `cannot be opened by this user on this machine: ${unopenable.join(', ')}`,
    'Make their files writable. Remove a device you no longer need with holdfast disable-audit-device PATH.',
  )
}
