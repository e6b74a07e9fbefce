import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Engine, eachEngine, emptyDatabase } from '../test/support/databases.ts'
import { ownFolder } from '../test/support/folders.ts'
import { recordingLog } from '../test/support/recording-log.ts'
import { loadConfig } from './config/index.ts'
import { type Log, silentLog } from './kernel/log.ts'
import { readStartNotes } from './kit/start-notes.ts'
import { lastStartFinding, withoutOpening } from './process/doctor/checks.ts'
import { startServer } from './start.ts'

const configOf = (directory: string, flags: readonly string[] = []) => {
  const place = ['--data-dir', directory, '--listen', 'off', '--http-listen', '127.0.0.1:0', '--root-token', 'root']
  const loaded = loadConfig({ mode: 'dev', args: [...place, ...flags], environment: {} })
  if (!loaded.ok) throw new Error('The configuration is wrong.')
  return loaded.config
}

/** Starts a server on a data directory and stops it; true if the store was a new one. */
async function startAndStop(directory: string, flags: readonly string[] = [], log: Log = silentLog): Promise<boolean> {
  let isNew = false
  const initialised = () => {
    isNew = true
  }
  await (await startServer(configOf(directory, flags), log, { initialised })).close()
  return isNew
}

const lost = (text: string) => ({ code: 'storage.lost-store', message: expect.stringContaining(text) })

/** The flags for an empty database of its own. */
async function database(engine: Engine): Promise<readonly string[]> {
  const { options, remove } = await emptyDatabase(engine)
  onTestFinished(remove)
  const schema = options.schema ? `?options=-c%20search_path%3D${options.schema}` : ''
  return ['--storage', `${options.url}${schema}`]
}

eachEngine((engine) => {
  test('store: an empty database or another one than before ends the start, until --new-store is given', async () => {
    const directory = ownFolder()
    const [first, second] = [await database(engine), await database(engine)]
    expect([await startAndStop(directory, first), await startAndStop(directory, first)]).toEqual([true, false])
    await expect(startAndStop(directory, second)).rejects.toMatchObject(
      lost(engine === 'sqlite' ? 'is missing' : 'is empty'),
    )
    expect(await startAndStop(directory, [...second, '--new-store'])).toBe(true)
    expect(await startAndStop(directory, [...second, '--new-store'])).toBe(false)
    await expect(startAndStop(directory, first)).rejects.toMatchObject(lost('the database holds another one'))
    expect(await startAndStop(directory, [...first, '--new-store'])).toBe(false)
    expect(await startAndStop(directory, first)).toBe(false)
  })
})

test('store: --new-store that was left in place does not count again when the store is lost', async () => {
  const directory = ownFolder()
  const file = join(directory, 'holdfast.db')
  await startAndStop(directory, ['--new-store'])
  rmSync(file)
  await expect(startAndStop(directory, ['--new-store'])).rejects.toMatchObject(lost('start once without --new-store'))
  await expect(startAndStop(directory)).rejects.toMatchObject(lost('start once with --new-store'))
  expect(existsSync(file)).toBe(false)
  expect(await startAndStop(directory, ['--new-store'])).toBe(true)
})

/** A data directory as kill -9 leaves it: the log of the database is still there. */
async function killedServer(): Promise<string> {
  const [live, left] = [ownFolder(), ownFolder()]
  const server = await startServer(configOf(live), silentLog)
  for (const name of readdirSync(live)) copyFileSync(join(live, name), join(left, name))
  await server.close()
  return left
}

test('store: a log that was deleted before its first checkpoint ends the start, and the key stays', async () => {
  const directory = await killedServer()
  const key = readFileSync(join(directory, 'seal.key'), 'utf8')
  rmSync(join(directory, 'holdfast.db-wal'))
  await expect(startAndStop(directory)).rejects.toMatchObject(lost(`'${directory}' has held a store, but the database`))
  truncateSync(join(directory, 'holdfast.db'))
  await expect(startAndStop(directory)).rejects.toMatchObject(lost('the database is empty'))
  expect(readFileSync(join(directory, 'seal.key'), 'utf8')).toBe(key)
})

test('store: a key without a note starts as before, and a store from before gets its note', async () => {
  const directory = ownFolder()
  await startAndStop(directory)
  const note = join(directory, 'store.json')
  const content = readFileSync(note, 'utf8')
  rmSync(note)
  expect(await startAndStop(directory)).toBe(false)
  expect(readFileSync(note, 'utf8')).toBe(content)
  rmSync(note)
  renameSync(join(directory, 'holdfast.db'), join(directory, 'old.db'))
  expect(await startAndStop(directory)).toBe(true)
  expect(readFileSync(note, 'utf8')).not.toBe(content)
})

test('store: recovered frames of the log are logged, and shown by doctor until the next start', async () => {
  const directory = await killedServer()
  const { log, text } = recordingLog()
  expect(await startAndStop(directory, [], log)).toBe(false)
  const [, frames] = /"frames":(\d+),"message":"commits recovered from the database log/.exec(text()) ?? []
  expect(Number(frames)).toBeGreaterThan(10)
  const shown = async () => (await lastStartFinding({ dataDir: directory })).text
  expect(await shown()).toBe(`${frames} frames of the database log were recovered after an unclean stop`)
  await startAndStop(directory)
  expect(await shown()).toBe('nothing had to be recovered')
})

test('store: a damaged log is told by doctor before the start, and by the log and doctor after it', async () => {
  const directory = await killedServer()
  const wal = join(directory, 'holdfast.db-wal')
  const bytes = readFileSync(wal)
  const middle = bytes.length - 10 * 4_120
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  writeFileSync(wal, bytes)
  const config = configOf(directory)
  const [found] = await withoutOpening(config, [])
  expect(await found?.run()).toMatchObject({
    state: 'fail',
    text: expect.stringContaining('the database log is damaged'),
  })
  const { log, text } = recordingLog()
  // What is lost may be all that a store consists of.
  await startAndStop(directory, [], log).catch(() => undefined)
  expect(text()).toMatch(/"message":"the database log is damaged: the last commits are lost"/)
})

test('doctor: what the last start lost is a failure, and a removal without a record a warning', async () => {
  const dataDir = ownFolder()
  const show = async (notes: object) => {
    writeFileSync(join(dataDir, 'last-start.json'), JSON.stringify(notes))
    return await lastStartFinding({ dataDir })
  }
  expect(await lastStartFinding({ dataDir: join(dataDir, 'none') })).toMatchObject({ state: 'ok' })
  expect(await show({ lostFrames: 3 })).toMatchObject({ state: 'fail', fix: expect.stringContaining('last snapshot') })
  const unrecordedRemovals = [{ device: 'far/', accessor: 'a1' }]
  const text = expect.stringContaining('far/ by the token with accessor a1')
  expect(await show({ unrecordedRemovals })).toMatchObject({ state: 'warn', text })
  expect((await readStartNotes(dataDir)).recoveredFrames).toBe(0)
})
