import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findInstallation, loadInstallation } from './archive/index.ts'
import type { Config } from './config/config.ts'
import { writePrivateFile } from './kernel/directories.ts'
import { type Failure, failure } from './kernel/failure.ts'
import type { Ids } from './kernel/ids.ts'
import { ifAbsent } from './kernel/system-errors.ts'
import { isMissingTable } from './storage/database-errors.ts'
import type { Store } from './storage/open.ts'

/** Which store a data directory has held, so that a lost one is not taken for a first start. */
type StoreNote = {
  /** The id of the installation, which no restore changes. */
  readonly store: string
  /** Whether the last start was asked to begin with another store: that counts once. */
  readonly isFlagSpent: boolean
}

type NotedConfig = Pick<Config, 'dataDir' | 'storage' | 'newStore'>

const fileIn = (dataDir: string): string => join(dataDir, 'store.json')

async function readNote(dataDir: string): Promise<StoreNote | undefined> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch(ifAbsent)
  return text === undefined ? undefined : (JSON.parse(text) as StoreNote)
}

const writeNote = (dataDir: string, note: StoreNote): Promise<void> =>
  writePrivateFile(fileIn(dataDir), `${JSON.stringify(note)}\n`)

/** Refuses a start on a database file that is gone, before one is made in its place. */
export async function refuseMissingStore(config: NotedConfig): Promise<void> {
  const { storage } = config
  if (storage.engine === 'sqlite' && !existsSync(storage.file))
    await judge(config, `the database ${storage.file} is missing`)
}

/** Refuses a start on a database that is empty or another one than the data directory has held; changes nothing. */
export async function refuseOtherStore(config: NotedConfig, { db }: Store): Promise<void> {
  const note = await readNote(config.dataDir)
  if (!note) return
  const held = await findInstallation(db).catch((thrown: unknown) => {
    if (isMissingTable(thrown)) return undefined
    throw thrown
  })
  if (held?.uuid === note.store) return
  await judge(config, held ? 'the database holds another one' : 'the database is empty')
}

async function judge({ dataDir, newStore }: NotedConfig, what: string): Promise<void> {
  const note = await readNote(dataDir)
  if (!note || (newStore && !note.isFlagSpent)) return
  await writeNote(dataDir, { ...note, isFlagSpent: newStore === true })
  throw lostStore(dataDir, what, note.isFlagSpent && newStore === true)
}

function lostStore(dataDir: string, what: string, isSpent: boolean): Failure {
  const begin = isSpent
    ? 'To begin with this one, start once without --new-store, then once with it: it counts once'
    : 'To begin with this one, start once with --new-store'
  const text =
    `The data directory '${dataDir}' has held a store, but ${what}. Put the database and the files beside it back, ` +
    `correct the storage setting, or restore a snapshot into a new store (docs/restore.md). ${begin}.`
  return failure('conflict', 'storage.lost-store', text)
}

/** Notes the store that the data directory holds now. It is durable by then. */
export async function noteStore(
  { dataDir, newStore }: NotedConfig,
  deps: { readonly store: Store; readonly ids: Ids },
): Promise<void> {
  const { uuid: store } = await loadInstallation(deps)
  const [known, isFlagSpent] = [await readNote(dataDir), newStore === true]
  if (known?.store !== store || known.isFlagSpent !== isFlagSpent) await writeNote(dataDir, { store, isFlagSpent })
}
