import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { ownFolder } from '../../../test/support/folders.ts'
import { systemClock } from '../../kernel/clock.ts'
import { silentLog } from '../../kernel/log.ts'
import { migrate } from '../../storage/migrate.ts'
import { openStore } from '../../storage/open.ts'
import { auditFinding } from './audit-check.ts'

let directory: string
beforeEach(() => {
  directory = ownFolder()
})

const find = () => {
  const storage = { engine: 'sqlite' as const, file: join(directory, 'holdfast.db') }
  return auditFinding({ storage, dataDir: join(directory, 'data'), mode: 'dev', localPaths: { allow: [] } })
}

/** Stores devices that write to these files. */
async function storeWith(files: Record<string, string>): Promise<void> {
  const store = await openStore({ url: `sqlite:${join(directory, 'holdfast.db')}`, log: silentLog, clock: systemClock })
  await migrate(store)
  const rows = Object.entries(files).map(([path, file]) => ({
    id: path,
    path,
    type: 'file',
    description: '',
    options: JSON.stringify({ file_path: file }),
    local: 0,
    salt: new Uint8Array(),
    created_at: 0,
  }))
  if (rows.length > 0) await store.db.insertInto('audit_devices').values(rows).execute()
  await store.close()
}

test('audit devices: a store that does not exist, has no tables or no devices is fine', async () => {
  expect(await find()).toMatchObject({ state: 'ok', text: 'there are none' })
  writeFileSync(join(directory, 'holdfast.db'), '')
  expect(await find()).toMatchObject({ state: 'ok' })
  await storeWith({})
  expect(await find()).toMatchObject({ state: 'ok', text: 'there are none' })
})

test('audit devices: those that can be opened are named', async () => {
  await storeWith({ 'file/': join(directory, 'log', 'audit.log') })
  expect(await find()).toMatchObject({ state: 'ok', text: 'file/' })
})

test('audit devices: one of several that cannot be opened is a warning, all of them a failure', async () => {
  const broken = join(directory, 'holdfast.db', 'audit.log')
  await storeWith({ 'good/': join(directory, 'audit.log'), 'bad/': broken })
  expect(await find()).toMatchObject({ state: 'warn', text: expect.stringMatching(/: bad\/$/) })
  rmSync(join(directory, 'holdfast.db'))
  await storeWith({ 'bad/': broken })
  const fix = expect.stringContaining('disable-audit-device')
  expect(await find()).toMatchObject({ state: 'fail', text: expect.stringMatching(/: bad\/$/), fix })
})
