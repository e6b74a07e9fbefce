import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownFolder } from '../../test/support/folders.ts'
import { systemClock } from '../kernel/clock.ts'
import { randomIds } from '../kernel/ids.ts'
import { silentLog } from '../kernel/log.ts'
import { secret } from '../kernel/secret.ts'
import { createOutbound } from '../outbound/fetch.ts'
import { openKnownDevice } from './late-device.ts'
import { testRecord } from './record.ts'

/** A device whose file cannot be opened until `free` is called, with a clock that makes every call a new try. */
async function lateDevice() {
  const directory = ownFolder()
  const folder = join(directory, 'logs')
  const path = join(folder, 'audit.log')
  await writeFile(folder, 'a file in the way')
  let time = 0
  const clock = { now: systemClock.now, monotonic: () => (time += 60_000) }
  const outbound = createOutbound({ clock })
  const places = { dataDir: join(directory, 'data'), programDir: join(directory, 'program') }
  const deps = { clock, ids: randomIds, outbound, slot: 'w0', version: '0.0.0', places, log: silentLog }
  const config = { path: 'file/', type: 'file', options: { file_path: path }, salt: secret(randomIds.bytes(32)) }
  const device = await openKnownDevice(deps, config)
  const take = () => device.write(testRecord(systemClock.now(), randomIds.uuid())).promise()
  return { device, take, path, free: () => rm(folder) }
}

test('late device: it records as soon as its file can be opened', async () => {
  const { device, take, path, free } = await lateDevice()
  await expect(take()).rejects.toThrow('cannot be opened')
  await free()
  await take()
  expect(existsSync(path)).toBe(true)
  await device.close()
})

test('late device: once closed it is not opened any more', async () => {
  const { device, take, path, free } = await lateDevice()
  await device.close()
  await free()
  await expect(take()).rejects.toThrow('cannot be opened')
  await device.reopen()
  expect(existsSync(path)).toBe(false)
})
