import { failure } from '../../../../kernel/failure.ts'
import type { Deps } from '../../../../kit/deps.ts'
import type { Tx } from '../../../../storage/open.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { requireMount } from '../../mounts/index.ts'
import { casRefusal, type Spot } from './kv.ts'
import { requirePath, rulesOf } from './kv-actions.ts'
import { addTotals } from './kv-mount-store.ts'
import { lockSecret, type StoredSecret } from './kv-store.ts'
import { insertSecret, type SecretRules, updateSecret } from './kv-write-store.ts'

/** What is to be said about a secret, and the state of it that the caller expects. */
export type MetadataChange = {
  readonly cas: number | undefined
  /** What is said from now on, given what is said until now. */
  readonly change: (before: SecretRules) => SecretRules
  /** Whether the secret is made if there is none. */
  readonly makes: boolean
}

type MetadataDeps = Pick<Deps, 'db' | 'store' | 'clock' | 'ids'>

/** Changes what is said about a secret; false if there is none, and none is made. */
export async function changeMetadata(deps: MetadataDeps, spot: Spot, wanted: MetadataChange): Promise<boolean> {
  requirePath(spot)
  const rules = await rulesOf(deps, spot.mountId)
  return await inTransaction(deps.db, async (tx) => {
    await requireMount(tx, spot.mountId)
    const secret = await lockOrMake(deps, tx, spot, wanted.makes)
    if (!secret) return false
    const isRequired = rules.metadataCasRequired || secret.metadataCasRequired
    const { cas } = wanted
    if (cas === undefined ? isRequired : cas !== secret.metadataVersion) throw casRefusal('metadata check-and-set', cas)
    await updateSecret(tx, secret.id, { ...wanted.change(secret), now: deps.clock.now() })
    return true
  })
}

async function lockOrMake(deps: MetadataDeps, tx: Tx, spot: Spot, makes: boolean): Promise<StoredSecret | undefined> {
  const known = await lockSecret(tx, spot)
  if (known || !makes) return known
  const id = deps.ids.uuid()
  if (await insertSecret(tx, spot, { id, now: deps.clock.now() }))
    await addTotals(tx, spot.mountId, id, { secrets: 1, versions: 0, bytes: 0 })
  return (await lockSecret(tx, spot)) ?? justRemoved()
}

function justRemoved(): never {
  throw failure('conflict', 'kv.removed', 'This secret was removed at the same moment; try again.')
}
