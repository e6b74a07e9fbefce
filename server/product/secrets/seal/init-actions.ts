import { splitKey, splitProblem } from '../../../crypto/key-shares.ts'
import { Keyring } from '../../../crypto/keyring.ts'
import { wrapForRecovery } from '../../../crypto/root-keys/recovery-key.ts'
import { rootKeyBytes } from '../../../crypto/root-keys/root-key.ts'
import { failure } from '../../../kernel/failure.ts'
import { type Secret, secret } from '../../../kernel/secret.ts'
import type { Deps } from '../../../kit/deps.ts'
import { partsOf } from '../../../kit/parts.ts'
import type { Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import type { SealRow } from './seal.ts'
import { insertSeal } from './seal-store.ts'

/** What is shown when a store is initialised, and never again. */
export type Initialised = { rootToken: string; shares: Buffer[]; recoveryKey: Buffer | undefined }

/** Initialises a store that unseals itself. Undefined when another process came first. */
export async function initialiseAuto(deps: Deps, rootKey: Secret<Buffer>): Promise<Initialised | undefined> {
  const { recoveryKey, wrapped } = wrapForRecovery(deps.ids, rootKey)
  const rootToken = deps.settings.rootToken?.reveal() ?? newRootToken(deps)
  const terms = { type: 'auto', shares: 1, threshold: 1, recovery: wrapped } as const
  const isFirst = await storeFirstKeys(deps, rootKey, terms, rootToken)
  return isFirst ? { rootToken, shares: [], recoveryKey: recoveryKey.reveal() } : undefined
}

/**
 * Initialises a store whose root key is split into shares. It stays sealed. Returns what `show` makes of the shares, or
 * undefined when another process came first. Nothing is stored before it can be shown: a store whose keys nobody has
 * seen could neither be unsealed nor initialised again.
 */
export async function initialiseShamir<T extends object>(
  deps: Deps,
  split: { shares: number; threshold: number },
  show: (made: Initialised) => Promise<T>,
): Promise<T | undefined> {
  const problem = splitProblem(split.shares, split.threshold)
  if (problem) throw failure('invalid', 'seal.bad-split', problem)
  const rootKey = secret(deps.ids.bytes(rootKeyBytes))
  try {
    const shares = await splitKey(rootKey.reveal(), split)
    const rootToken = newRootToken(deps)
    const shown = await show({ rootToken, shares, recoveryKey: undefined })
    if (!(await storeFirstKeys(deps, rootKey, { type: 'shamir', ...split, recovery: null }, rootToken)))
      return undefined
    deps.keyring.markInitialised()
    deps.log.info(split, 'initialised')
    return shown
  } finally {
    rootKey.reveal().fill(0)
  }
}

type SealTerms = Pick<SealRow, 'type' | 'shares' | 'threshold' | 'recovery'>

declare module '../../../kit/parts.ts' {
  interface FeatureParts {
    /** The text of a new root token; its own record is stored later. All are equally long. */
    rootTokenText: (deps: Pick<Deps, 'ids'>) => string
    /** Stores a root token, which never expires. */
    rootToken: (tx: Tx, deps: Pick<Deps, 'ids' | 'clock' | 'keyring'>, text: string) => Promise<unknown>
  }
}

/** The text of a new root token; its own record is stored later. */
export const newRootToken = (deps: Deps): string => partsOf(deps, 'rootTokenText')[0]?.(deps) ?? ''

/** Stores a root token of which the text was made before. */
export async function storeRootToken(tx: Tx, deps: Deps, text: string): Promise<void> {
  const [store] = partsOf(deps, 'rootToken')
  await store?.(tx, deps, text)
}

/** Stores the first keys and the root token. False when the store has keys already. */
async function storeFirstKeys(
  deps: Deps,
  rootKey: Secret<Buffer>,
  terms: SealTerms,
  rootToken: string,
): Promise<boolean> {
  const keyring = Keyring.create(deps, rootKey)
  const row = {
    ...terms,
    wrapped: keyring.serialize(),
    cluster_id: deps.ids.uuid(),
    cluster_name: `holdfast-cluster-${deps.ids.hex(8)}`,
    initialised_at: deps.clock.now(),
  }
  const options = { operationId: deps.ids.uuid() }
  try {
    return await inTransaction(
      deps.db,
      async (tx) => {
        if (!(await insertSeal(tx, row))) return false
        await storeRootToken(tx, { ...deps, keyring }, rootToken)
        return true
      },
      options,
    )
  } finally {
    keyring.lock()
  }
}
