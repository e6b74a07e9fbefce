import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Config } from '../config/index.ts'
import { Keyring } from '../crypto/keyring.ts'
import { recoverRootKey } from '../crypto/root-keys/recovery-key.ts'
import { decodeRootKey } from '../crypto/root-keys/root-key.ts'
import { createKeyFile } from '../crypto/root-keys/root-key-file.ts'
import { systemClock } from '../kernel/clock.ts'
import { textOf } from '../kernel/failure.ts'
import { randomIds } from '../kernel/ids.ts'
import { systemCode } from '../kernel/system-errors.ts'
import { refuseCommand, runOnStore, takeFileFlag } from './store-command.ts'
import { storedSeal } from './stored-seal.ts'

const flag = '--recovery-key'

/**
 * `holdfast recover-seal-key`: restores a lost seal key file from the copy in the store, which the recovery key opens.
 */
export async function runRecovery(args: readonly string[]): Promise<number> {
  const { file: keyFile, rest } = takeFileFlag(args, flag)
  if (!keyFile) return refuseCommand(`Name the file that holds the recovery key: ${flag} FILE`)
  return await runOnStore(rest, async (config) => {
    const made = await recover(config, keyFile)
    return `${made} holds the seal key again. Keep a copy of it elsewhere.`
  })
}

/** Writes nothing unless the recovered key opens what the store has sealed. */
async function recover({ seal, storage }: Config, keyFile: string): Promise<string> {
  if (seal.type !== 'auto' || seal.rootKey.from !== 'file') {
    throw new Error('The seal of this configuration has no key file.')
  }
  const { file } = seal.rootKey
  if (existsSync(file)) throw new Error(`'${file}' is there. Move it away first if it is not the key of this store.`)
  const key = decodeRootKey(await readRecoveryKey(keyFile), `the file '${keyFile}'`)
  const row = storage.engine === 'sqlite' && !existsSync(storage.file) ? undefined : await storedSeal(storage)
  if (!row) throw new Error('The store has no keys yet; the first start makes them.')
  if (!row.recovery) throw new Error('This store was initialised with key shares, and has no recovery key.')
  const rootKey = recoverRootKey(row.recovery, key)
  Keyring.open({ ids: randomIds, clock: systemClock }, row.wrapped, rootKey).lock()
  await createKeyFile(randomIds, file, `${rootKey.reveal().toString('base64')}\n`)
  return file
}

async function readRecoveryKey(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (thrown) {
    const why = systemCode(thrown) === 'ENOENT' ? 'it does not exist' : textOf(thrown)
    throw new Error(`The file '${file}' with the recovery key cannot be read: ${why}.`)
  }
}
