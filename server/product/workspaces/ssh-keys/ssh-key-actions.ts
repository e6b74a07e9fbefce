import { hidden } from '../../../access/permissions/index.ts'
import { isId } from '../../../kernel/ids.ts'
import { type Author, recordChange, recordUpdate } from '../../../kit/change-log/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import { inBatches } from '../../../storage/batches.ts'
import type { Tx } from '../../../storage/open.ts'
import { inTransaction, letOthersRead } from '../../../storage/transaction.ts'
import { changeInTransaction, type Workspace, workspaceSubject } from '../workspaces/index.ts'
import type { SshKey, SshKeySettings } from './ssh-key.ts'
import { settings } from './ssh-key-fields.ts'
import {
  deleteSshKey,
  insertSshKey,
  loadKeyValue,
  lockSshKeyForShare,
  lockSshKeyForUpdate,
  unassignSshKey,
  updateSshKey,
} from './ssh-key-store.ts'

type KeyDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'store' | 'keyring'>

const changeOf = (key: SshKey) => ({
  organizationId: key.organizationId,
  subject: { type: 'ssh-keys', id: key.id, name: key.name },
})

/** Stores a key; its value is encrypted and never returned. */
export async function createSshKey(
  deps: KeyDeps,
  author: Author,
  organizationId: string,
  { value, ...requested }: SshKeySettings & { readonly value: string },
): Promise<SshKey> {
  const key: SshKey = { ...requested, id: deps.ids.newId('sshkey'), organizationId, createdAt: deps.clock.now() }
  const sealed = deps.keyring.seal(value, { table: 'ssh_keys', column: 'value', row: key.id })
  await inTransaction(deps.db, async (tx) => {
    await insertSshKey(tx, key, sealed)
    await recordChange(deps, tx, author, { ...changeOf(key), action: 'create', after: settings.toDocument(key) })
  })
  return key
}

/** Changes settings of a key; if none is sent, nothing is written. */
export async function changeSshKey(
  deps: KeyDeps,
  author: Author,
  key: SshKey,
  requested: Partial<SshKeySettings>,
): Promise<SshKey> {
  if (Object.keys(requested).length === 0) return key
  return inTransaction(deps.db, async (tx) => {
    const before = await lockSshKeyForUpdate(tx, key.id)
    if (!before) throw hidden()
    const after = settings.applied(requested, before)
    await updateSshKey(tx, after)
    const change = { before: settings.toDocument(before), after: settings.toDocument(after) }
    await recordUpdate(deps, tx, author, { ...changeOf(before), ...change })
    return after
  })
}

/** Workspaces that lose their key in one transaction. */
const perTransaction = 200

/** Removes a key; workspaces that use it lose it, a batch at a time, and the last of them together with the key itself. */
export async function removeSshKey(deps: KeyDeps, author: Author, key: SshKey): Promise<void> {
  await inBatches(deps.db, (tx, limit) => unassign(deps, tx, author, key, limit), perTransaction)
  await inTransaction(deps.db, async (tx) => {
    if (!(await deleteSshKey(tx, key.id))) throw hidden()
    while ((await unassign(deps, tx, author, key, perTransaction)) > 0) await letOthersRead(tx)
    await recordChange(deps, tx, author, { ...changeOf(key), action: 'delete', before: settings.toDocument(key) })
  })
}

async function unassign(deps: KeyDeps, tx: Tx, author: Author, key: SshKey, limit: number): Promise<number> {
  const unassigned = await unassignSshKey(tx, key.id, deps.clock.now(), limit)
  for (const { id, name } of unassigned) {
    await recordUpdate(deps, tx, author, {
      ...workspaceSubject({ id, name, organizationId: key.organizationId }),
      before: { 'ssh-key-id': key.id },
      after: { 'ssh-key-id': null },
    })
  }
  return unassigned.length
}

/** Assigns a key of its organization to a workspace, or removes it with null. */
export async function assignKeyToWorkspace(
  deps: KeyDeps,
  author: Author,
  workspace: Workspace,
  keyId: string | null,
): Promise<Workspace> {
  return inTransaction(deps.db, async (tx) => {
    const key = keyId !== null && isId('sshkey', keyId) ? await lockSshKeyForShare(tx, keyId) : undefined
    if (keyId !== null && key?.organizationId !== workspace.organizationId) throw hidden()
    const { after } = await changeInTransaction(
      deps,
      tx,
      author,
      { id: workspace.id },
      async ({ sshKeyId: before }) => ({
        members: { sshKeyId: keyId, updatedAt: deps.clock.now() },
        update: { before: { 'ssh-key-id': before }, after: { 'ssh-key-id': keyId } },
      }),
    )
    return after
  })
}

/** The key itself, for a runner; undefined if it is gone. */
export async function openSshKey(deps: Pick<Deps, 'db' | 'keyring'>, id: string): Promise<string | undefined> {
  const sealed = await loadKeyValue(deps.db, id)
  return sealed && deps.keyring.openText(sealed, { table: 'ssh_keys', column: 'value', row: id })
}
