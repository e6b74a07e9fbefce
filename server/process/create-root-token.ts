import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { text as textOfStream } from 'node:stream/consumers'
import { type Config, storeUrl } from '../config/index.ts'
import { combineShares, decodeShare } from '../crypto/key-shares.ts'
import { Keyring } from '../crypto/keyring.ts'
import { loadRootKey, withKeySource } from '../crypto/root-keys/root-key.ts'
import { systemClock } from '../kernel/clock.ts'
import { Failure } from '../kernel/failure.ts'
import { randomIds } from '../kernel/ids.ts'
import { silentLog } from '../kernel/log.ts'
import { type Secret, secret } from '../kernel/secret.ts'
import type { Deps } from '../kit/deps.ts'
import { loadSeal } from '../product/secrets/seal/index.ts'
import { createRootToken } from '../product/secrets/tokens/index.ts'
import { rootKeySourceOf } from '../root-key-source.ts'
import { openStore } from '../storage/open.ts'
import type { DescribedTables } from '../storage/tables.ts'
import { inTransaction } from '../storage/transaction.ts'
import { runOnStore, takeFileFlag } from './store-command.ts'

const flag = '--shares'

/**
 * `holdfast create-root-token`: makes a root token when none is left. It takes what opens the store, that is, its root key
 * or enough key shares: whoever has that and may write to the store has everything already.
 */
export async function runRootToken(args: readonly string[]): Promise<number> {
  const { file, rest } = takeFileFlag(args, flag)
  const code = await runOnStore(rest, (config) => create(config, file))
  if (code === 0) process.stderr.write('This root token never expires. Revoke it when you do not need it any more.\n')
  return code
}

async function create(config: Config, sharesFile: string | undefined): Promise<string> {
  const { storage } = config
  if (storage.engine === 'sqlite' && !existsSync(storage.file)) throw new Error('The store is empty.')
  const store = await openStore({ url: storeUrl(storage), log: silentLog, clock: systemClock })
  try {
    const row = await loadSeal(store.db)
    if (!row) throw new Error('The store has no keys yet; the first start prints a root token.')
    const deps = { ids: randomIds, clock: systemClock }
    const keyring = await openKeyring(deps, config, row, sharesFile)
    return await inTransaction(store.db, (tx) => createRootToken(tx, { ...deps, keyring })).finally(() =>
      keyring.lock(),
    )
  } finally {
    await store.close()
  }
}

async function openKeyring(
  deps: Pick<Deps, 'ids' | 'clock'>,
  config: Config,
  row: DescribedTables['seal'],
  sharesFile: string | undefined,
): Promise<Keyring> {
  const source = rootKeySourceOf(config)
  const rootKey =
    row.type === 'shamir'
      ? await rootKeyFromShares(row, sharesFile)
      : await loadRootKey(deps, source, { initialised: true })
  try {
    return Keyring.open(deps, row.wrapped, rootKey)
  } catch (thrown) {
    if (row.type === 'auto') throw withKeySource(source, thrown)
    if (thrown instanceof Failure && thrown.code === 'keyring.wrong-root-key')
      throw new Error('The key shares are not those of this store.', { cause: thrown })
    throw thrown
  } finally {
    rootKey.reveal().fill(0)
  }
}

async function rootKeyFromShares(
  { threshold }: DescribedTables['seal'],
  file: string | undefined,
): Promise<Secret<Buffer>> {
  const need = `${threshold} key share${threshold === 1 ? '' : 's'}`
  if (!file) {
    throw new Error(
      `This store opens with ${need}. Put them into a file, one to a line: ${flag} FILE, or - for the input.`,
    )
  }
  const written = file === '-' ? await textOfStream(process.stdin) : await readFile(file, 'utf8')
  const lines = written.split('\n').filter((line) => line.trim() !== '')
  if (lines.length < threshold) throw new Error(`This store opens with ${need}; ${lines.length} were given.`)
  const shares = lines.slice(0, threshold).map(decodeShare)
  try {
    return secret(await combineShares(shares))
  } finally {
    for (const share of shares) share.fill(0)
  }
}
