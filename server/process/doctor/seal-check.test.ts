import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, test } from 'vitest'
import { ownFolder } from '../../../test/support/folders.ts'
import { recordingLog } from '../../../test/support/recording-log.ts'
import { type Config, loadConfig } from '../../config/index.ts'
import { startServer } from '../../start.ts'
import { sealKeyFinding } from './seal-check.ts'

let directory: string
beforeEach(() => {
  directory = ownFolder()
})

function configOf(type: 'auto' | 'shamir'): Config {
  const listen = { HOLDFAST_LISTEN: 'off', HOLDFAST_HTTP_LISTEN: '127.0.0.1:0' }
  const environment = { HOLDFAST_DATA_DIR: directory, HOLDFAST_SEAL_TYPE: type, ...listen }
  const loaded = loadConfig({ mode: 'server', environment })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  return loaded.config
}

/** What a start with this type logs as warnings. */
async function warningsOfStart(type: 'auto' | 'shamir'): Promise<string[]> {
  const { log, text } = recordingLog()
  await (await startServer(configOf(type), log)).close()
  return text()
    .split('\n')
    .filter((line) => line.includes('seal.type'))
}

/** A store that is sealed like this, and the key file that belongs to the automatic seal. */
async function initialised(type: 'auto' | 'shamir'): Promise<void> {
  await warningsOfStart('auto')
  const database = new DatabaseSync(join(directory, 'holdfast.db'))
  database.prepare('update seal set type = ?').run(type)
  database.close()
}

test('seal key: an existing file comes with the advice to keep a copy', async () => {
  writeFileSync(join(directory, 'seal.key'), randomBytes(32).toString('base64'), { mode: 0o600 })
  expect((await sealKeyFinding(configOf('auto'))).fix).toContain('Keep a copy')
  expect(await sealKeyFinding(configOf('shamir'))).toEqual({ state: 'ok', text: 'people hold the key shares' })
})

test('seal key: what the first start could not use is a failure', async () => {
  writeFileSync(join(directory, 'seal.key'), '', { mode: 0o600 })
  expect((await sealKeyFinding(configOf('auto'))).state).toBe('fail')
  rmSync(join(directory, 'seal.key'))
  mkdirSync(join(directory, 'seal.key'))
  const finding = await sealKeyFinding(configOf('auto'))
  expect(finding).toMatchObject({ state: 'fail', text: expect.stringContaining('is a directory') })
})

test('seal key: a store that does not answer leaves it unchecked, unless the file holds no key', async () => {
  writeFileSync(join(directory, 'holdfast.db'), 'nonsense'.repeat(1_000))
  const unchecked = { state: 'warn', text: 'not checked: the store does not answer' }
  expect(await sealKeyFinding(configOf('auto'))).toMatchObject(unchecked)
  expect(await sealKeyFinding(configOf('shamir'))).toMatchObject(unchecked)
  writeFileSync(join(directory, 'seal.key'), randomBytes(32).toString('base64'), { mode: 0o600 })
  expect(await sealKeyFinding(configOf('auto'))).toMatchObject(unchecked)
  writeFileSync(join(directory, 'seal.key'), 'nonsense')
  expect(await sealKeyFinding(configOf('auto'))).toMatchObject({ state: 'fail' })
})

test('seal key: a database without tables has no keys yet', async () => {
  new DatabaseSync(join(directory, 'holdfast.db')).close()
  const finding = await sealKeyFinding(configOf('auto'))
  expect(finding).toMatchObject({ state: 'ok', text: expect.stringContaining('the first start makes it') })
})

test.each([
  ['auto', 'auto', /opens everything that is sealed$/],
  ['shamir', 'shamir', /^people hold the key shares$/],
] as const)('seal key: a store sealed with %s under the type %s is fine', async (stored, configured, text) => {
  await initialised(stored)
  expect(await sealKeyFinding(configOf(configured))).toMatchObject({ state: 'ok', text: expect.stringMatching(text) })
  expect(await warningsOfStart(configured)).toEqual([])
})

test.each([true, false])('seal key: key shares under the type auto (key file: %s) are a warning', async (hasFile) => {
  await initialised('shamir')
  if (!hasFile) rmSync(join(directory, 'seal.key'))
  expect(await sealKeyFinding(configOf('auto'))).toMatchObject({
    state: 'warn',
    text: expect.stringMatching(
      /^people hold the key shares: .*the store has the seal type shamir, which stays in effect; .* says auto$/,
    ),
    fix: expect.stringContaining('sys/unseal'),
  })
  expect(await warningsOfStart('auto')).toEqual([expect.stringContaining('"stored":"shamir","configured":"auto"')])
})

test('seal key: a store that unseals itself under the type shamir is a warning, and its key must stay', async () => {
  await initialised('auto')
  expect(await sealKeyFinding(configOf('shamir'))).toMatchObject({
    state: 'warn',
    text: expect.stringMatching(
      /seal\.key opens everything .*the store has the seal type auto, which stays in effect; .* says shamir$/,
    ),
    fix: expect.stringContaining('Set seal.type: auto'),
  })
  expect(await warningsOfStart('shamir')).toEqual([expect.stringContaining('"stored":"auto","configured":"shamir"')])
  rmSync(join(directory, 'seal.key'))
  expect(await sealKeyFinding(configOf('shamir'))).toMatchObject({
    state: 'fail',
    text: expect.stringContaining('is missing'),
  })
})
