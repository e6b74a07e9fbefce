import { ttlsOf } from '../../../../../access/ttl.ts'
import { failure } from '../../../../../kernel/failure.ts'
import type { Deps } from '../../../../../kit/deps.ts'
import { defineJob, type Job } from '../../../../../kit/job.ts'
import { loadJob, runJobNow } from '../../../../../kit/job-store.ts'
import type { Mount } from '../../../../../kit/mount.ts'
import { inBatches } from '../../../../../storage/batches.ts'
import { unlessTaken } from '../../../../../storage/database-errors.ts'
import { inTransaction } from '../../../../../storage/transaction.ts'
import type { KnownRole } from '../../../login-roles/index.ts'
import { requireMount } from '../../../mounts/index.ts'
import type { AppRole } from '../roles/role.ts'
import { newSecretId, type SecretId, type SecretIdInput } from './secret-id.ts'
import { deleteExpired, deleteOrphans, insertSecretId } from './secret-id-store.ts'

/** The hash under which the secret id of a role is stored. */
export const hashOf = (
  { keyring }: Pick<Deps, 'keyring'>,
  { mountId, roleId }: { readonly mountId: string; readonly roleId: string },
  text: string,
): string => keyring.keyedHash('approle-secret-id', JSON.stringify([mountId, roleId, text]))

/** A secret id that was made; its text is not kept. */
export type MadeSecretId = SecretId & { readonly text: string }

/** Makes a secret id of a role: with a text that somebody chose, or a random one. */
export async function makeSecretId(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'keyring' | 'settings'>,
  mount: Mount,
  { id: roleId, role }: KnownRole<AppRole>,
  { input, custom }: { readonly input: SecretIdInput; readonly custom?: string },
): Promise<MadeSecretId> {
  const { maxLeaseTtl } = ttlsOf(deps, mount)
  const at = { accessor: deps.ids.uuid(), isCustom: custom !== undefined, now: deps.clock.now(), maxLeaseTtl }
  const made = newSecretId(role, input, at)
  const text = custom ?? deps.ids.uuid()
  const key = { mountId: mount.id, roleId }
  await unlessTaken(alreadyThere, () =>
    inTransaction(deps.db, async (tx) => {
      await requireMount(tx, mount.id)
      await insertSecretId(tx, { ...key, hash: hashOf(deps, key, text) }, made)
    }),
  )
  return { ...made, text }
}

const alreadyThere = () =>
  failure('invalid', 'approle-secret-id.taken', 'The role has this secret_id already; choose another one.')

const tidyName = 'approle.tidy'

/** Removes secret ids that have expired, and those whose roles are gone; neither can be used any more. */
export const tidyJob: Job = defineJob({
  name: tidyName,
  every: '1h',
  jitter: '10m',
  run: async (deps) => {
    const now = deps.clock.now()
    await inBatches(deps.db, (tx, limit) => deleteExpired(tx, now, limit))
    await inBatches(deps.db, deleteOrphans)
  },
})

/** Has the job run now; false if it is running. */
export async function tidySoon(deps: Pick<Deps, 'db' | 'clock'>): Promise<boolean> {
  const job = await loadJob(deps.db, tidyName, '', deps.clock.now())
  if (job?.isRunning) return false
  await inTransaction(deps.db, (tx) => runJobNow(tx, tidyName, ''))
  return true
}
