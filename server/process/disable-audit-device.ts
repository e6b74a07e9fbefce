import { existsSync } from 'node:fs'
import { type Config, storeUrl } from '../config/index.ts'
import { systemClock } from '../kernel/clock.ts'
import { silentLog } from '../kernel/log.ts'
import { forgetDevice } from '../product/secrets/audit-devices/index.ts'
import { openStore } from '../storage/open.ts'
import { refuseCommand, runOnStore } from './store-command.ts'

/**
 * `holdfast disable-audit-device`: removes a device from the store. A server whose devices all fail does nothing,
 * not even disable one on request; whoever may write to the store can end that.
 */
export async function runDisabling(args: readonly string[]): Promise<number> {
  const [path = '', ...rest] = args
  if (path === '' || path.startsWith('-')) {
    return refuseCommand('Name the device first: holdfast disable-audit-device PATH')
  }
  return await runOnStore(rest, (config) => disable(config, path))
}

async function disable({ storage }: Config, path: string): Promise<string> {
  if (storage.engine === 'sqlite' && !existsSync(storage.file)) throw new Error('The store is empty.')
  const store = await openStore({ url: storeUrl(storage), log: silentLog, clock: systemClock })
  try {
    const { wasThere, others } = await forgetDevice(store.db, path)
    const rest = others.length > 0 ? `Enabled: ${others.join(', ')}` : 'None is enabled: nothing is recorded.'
    if (!wasThere) throw new Error(`There is no audit device at '${path}'. ${rest}`)
    return `The audit device '${path}' is disabled. ${rest}`
  } finally {
    await store.close()
  }
}
