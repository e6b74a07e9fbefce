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
import type { SealRow } from './seal-row.ts'
import { insertSeal } from './seal-store.ts'

/** What is shown when a store is initialised, and never again. */
export type Initialised = { rootToken: string; shares: Buffer[]; recoveryKey: Buffer | undefined }

/** Initialises a store that unseals itself. Undefined when another process came first. */
export function initialiseAuto(deps: Deps, rootKey: Secret<Buffer>): Promise<Initialised | undefined> {
  const { recoveryKey, wrapped } = wrapForRecovery(deps.ids, rootKey)
  const terms = { type: 'auto', shares: 1, threshold: 1, recovery: wrapped } as const
  return storeFirstKeys(deps, rootKey, terms, async (makeRootToken) => ({
    rootToken: await makeRootToken(deps.settings.rootToken?.reveal()),
    shares: [],
    recoveryKey: recoveryKey.reveal(),
  }))
}

/**
 * Initialises a store whose root key is split into shares. It stays sealed. Returns what `show` makes of the shares, or
 * undefined when another process came first.
 */
export async function initialiseShamir<T extends object>(
  deps: Deps,
  split: { shares: number; threshold: number },
  show: (made: Initialised) => T,
): Promise<T | undefined> {
  const problem = splitProblem(split.shares, split.threshold)
  if (problem) throw failure('invalid', 'seal.bad-split', problem)
  const rootKey = secret(deps.ids.bytes(rootKeyBytes))
  const shares = await splitKey(rootKey.reveal(), split)
  const shown = await storeFirstKeys(
    deps,
    rootKey,
    { type: 'shamir', ...split, recovery: null },
    async (makeRootToken) => show({ rootToken: await makeRootToken(), shares, recoveryKey: undefined }),
  ).finally(() => rootKey.reveal().fill(0))
  if (!shown) return undefined
  deps.keyring.markInitialised()
  deps.log.info(split, 'initialised')
  return shown
}

type SealTerms = Pick<SealRow, 'type' | 'shares' | 'threshold' | 'recovery'>
type MakeRootToken = (text?: string) => Promise<string>

declare module '../../../kit/parts.ts' {
  interface FeatureParts {
    /** Makes the root token of a new store, which never expires, under its first keys; the one time its text is known. */
    rootToken: (tx: Tx, deps: Pick<Deps, 'ids' | 'clock' | 'keyring'>, text?: string) => Promise<string>
  }
}

/**
 * Stores the first keys and the root token and has them shown, or does none of this: a store whose keys nobody has seen
 * could neither be unsealed nor initialised again. Undefined when it has keys already.
 */
async function storeFirstKeys<T>(
  deps: Deps,
  rootKey: Secret<Buffer>,
  terms: SealTerms,
  show: (makeRootToken: MakeRootToken) => Promise<T>,
): Promise<T | undefined> {
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
        if (!(await insertSeal(tx, row))) return undefined
        const [createRootToken] = partsOf(deps, 'rootToken')
        return show(async (text) => (await createRootToken?.(tx, { ...deps, keyring }, text)) ?? text ?? '')
      },
      options,
    )
  } finally {
    keyring.lock()
  }
}
