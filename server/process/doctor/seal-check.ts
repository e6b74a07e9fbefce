import { existsSync } from 'node:fs'
import type { Config } from '../../config/index.ts'
import { Keyring } from '../../crypto/keyring.ts'
import { loadRootKey, withKeySource } from '../../crypto/root-keys/root-key.ts'
import { systemClock } from '../../kernel/clock.ts'
import { textOf } from '../../kernel/failure.ts'
import { randomIds } from '../../kernel/ids.ts'
import { isMissingTable } from '../../storage/database-errors.ts'
import { storedSeal } from '../stored-seal.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

type Stored = Awaited<ReturnType<typeof storedSeal>>

/** What could be learnt about the seal of the store; `unknown` when the store could not be asked. */
type Known = Stored | 'unknown'

/**
 * Without its root key a store is lost, so the file that must be backed up is named. The type of the seal is the one in
 * the store: the configuration only decides about a store without keys.
 */
export async function sealKeyFinding({ seal, storage }: Pick<Config, 'seal' | 'storage'>): Promise<Finding> {
  const stored = await readableSeal(storage)
  if (stored === 'unknown') return await uncheckedFinding(seal)
  const type = stored?.type ?? seal.type
  const finding = type === 'shamir' ? ok('people hold the key shares') : await rootKeyFinding(seal.rootKey, stored)
  if (type === seal.type || finding.state !== 'ok') return finding
  return warn(`${finding.text}: ${fixedType(type, seal.type)}`, typeFix(type))
}

/** Without the store only a file that holds no key at all can be recognised as wrong. */
async function uncheckedFinding({ type, rootKey }: Config['seal']): Promise<Finding> {
  const file = type === 'auto' && rootKey.from === 'file' && existsSync(rootKey.file) ? rootKey.file : undefined
  const misfit = file && (await keyProblem(file, undefined))
  if (misfit) return fail(misfit, 'The server does not start until the file holds the key of its store.')
  return warn('not checked: the store does not answer', 'Run this again once it does.')
}

const fixedType = (type: string, configured: string): string =>
  `the store has the seal type ${type}, which stays in effect; the configuration says ${configured}`

const typeFix = (type: string): string =>
  type === 'shamir'
    ? 'Set seal.type: shamir, and send the key shares to sys/unseal after each start.'
    : 'Set seal.type: auto. For key shares, restore a snapshot with its key into a new server initialised with shamir.'

/** Whether the root key of a store that unseals itself is there. */
async function rootKeyFinding(rootKey: Config['seal']['rootKey'], stored: Stored): Promise<Finding> {
  if (rootKey.from !== 'file') return ok(`the root key comes from the ${rootKey.from}`)
  const { file } = rootKey
  const wrapped = stored?.wrapped
  if (!existsSync(file)) return wrapped ? lostKey(file) : ok(`${file} does not exist yet; the first start makes it`)
  const misfit = await keyProblem(file, wrapped)
  const wanted = wrapped ? 'the key of this store' : 'a key'
  if (misfit) return fail(misfit, `The server does not start until the file holds ${wanted}.`)
  const fix = 'Keep a copy of it, or of the recovery key, elsewhere: snapshots do not hold it.'
  return { state: 'ok', text: `${file} opens everything that is sealed`, fix }
}

const lostKey = (file: string): Finding =>
  fail(
    `${file} is missing, and the store has values that only its key opens`,
    'Copy it from another node of this store or from your backup, or restore it: ' +
      'holdfast recover-seal-key --recovery-key FILE.',
  )

/** Why the file holds no key, or not the one that opens the store; undefined if all is well. */
async function keyProblem(file: string, wrapped: Uint8Array | undefined): Promise<string | undefined> {
  const source = { kind: 'file', path: file } as const
  try {
    const rootKey = await loadRootKey({ ids: randomIds }, source, { initialised: true })
    if (wrapped) Keyring.open({ ids: randomIds, clock: systemClock }, wrapped, rootKey).lock()
    return undefined
  } catch (thrown) {
    return textOf(withKeySource(source, thrown))
  }
}

/** How the store is sealed; undefined where there are no keys, which includes a store without tables. */
async function readableSeal(storage: Config['storage']): Promise<Known> {
  if (storage.engine === 'sqlite' && !existsSync(storage.file)) return undefined
  try {
    return await storedSeal(storage)
  } catch (thrown) {
    // Another check reports why a store does not answer.
    return isMissingTable(thrown) ? undefined : 'unknown'
  }
}
