import type { Readable } from 'node:stream'
import { hidden } from '../../../access/permissions/index.ts'
import { failure } from '../../../kernel/failure.ts'
import { type Author, recordChange } from '../../../kit/change-log/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import {
  deleteUnused,
  discardOnError,
  inTransactionRetriedOnce,
  openContent,
  takeContent,
} from '../../../kit/stored-bytes/index.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { archiveInspection } from './archive-adapter.ts'
import {
  afterContentAction,
  type ConfigurationVersion,
  type ContentAction,
  configurationSubject,
  uploadRefusal,
} from './configuration.ts'
import {
  archiveScope,
  findArchive,
  hasOpenRun,
  hasRun,
  isArchiveUsed,
  isCurrent,
  loadConfiguration,
  lockConfiguration,
  saveContent,
} from './configuration-store.ts'

type ArchiveDeps = Pick<Deps, 'db' | 'keyring' | 'clock' | 'ids' | 'log' | 'store'>

/**
 * Checks and stores the archive of a version. If it is refused, the version stays as it is and the upload can be
 * repeated; so it can until a run has been created with the version.
 */
export async function receiveArchive(
  deps: ArchiveDeps,
  id: string,
  source: AsyncIterable<Uint8Array>,
): Promise<ConfigurationVersion> {
  const version = await loadConfiguration(deps.db, id)
  if (!version) throw hidden()
  const content = await takeContent(deps, archiveScope(version.workspaceId), source, archiveInspection)
  return await discardOnError(content, () =>
    inTransactionRetriedOnce(deps.db, async (tx) => {
      const stored = await lockConfiguration(tx, id)
      // The answer to the first upload may have been lost, and a run may have been queued by it.
      const isRepeated = stored?.status === 'uploaded' && stored.sha256 === content.sha256
      const before = isRepeated ? stored : await requireReplaceable(tx, stored)
      await content.keep(tx)
      if (isRepeated) return before
      const { size, sha256, fileCount, blobId } = content
      const times = { ...before.times, 'uploaded-at': deps.clock.now() }
      const after: ConfigurationVersion = { ...before, status: 'uploaded', size, sha256, fileCount, blobId, times }
      await saveContent(tx, after)
      if (before.blobId !== blobId) await dropArchive(tx, before)
      return after
    }),
  )
}

async function requireReplaceable(
  db: Queryable,
  version: ConfigurationVersion | undefined,
): Promise<ConfigurationVersion> {
  if (!version) throw hidden()
  const refusal = uploadRefusal(version, await hasRun(db, version.id))
  if (refusal !== undefined) throw failure('conflict', 'configuration.not-replaceable', refusal)
  return version
}

async function dropArchive(tx: Tx, { workspaceId, blobId }: ConfigurationVersion): Promise<void> {
  if (blobId === null) return
  const name = { scope: archiveScope(workspaceId), id: blobId }
  await deleteUnused(tx, name, () => isArchiveUsed(tx, workspaceId, blobId))
}

/** The archive of a version exactly as it was uploaded, and its length; undefined unless it is there and may be used. */
export async function openArchive(
  deps: Pick<Deps, 'db' | 'keyring'>,
  version: ConfigurationVersion,
): Promise<{ readonly bytes: Buffer | Readable; readonly size: number } | undefined> {
  const content = version.status === 'uploaded' ? await findArchive(deps.db, version) : undefined
  return content && { bytes: await openContent(deps, content), size: content.size }
}

/** Archives a version, or deletes its content softly, restores it or deletes it for good; the version itself stays. */
export async function changeContent(
  deps: ArchiveDeps,
  author: Author,
  id: string,
  action: ContentAction,
): Promise<ConfigurationVersion> {
  return await inTransaction(deps.db, async (tx) => {
    const version = await lockConfiguration(tx, id)
    if (!version) throw hidden()
    const uses = { isCurrent: await isCurrent(tx, version), hasOpenRun: await hasOpenRun(tx, id) }
    const decision = afterContentAction(version, action, uses)
    if ('refusal' in decision) throw notAllowed(action, decision.refusal)
    const { next } = decision
    const isGone = next === 'archived' || next === 'backing_data_permanently_deleted'
    const times = next === 'archived' ? { ...version.times, 'archived-at': deps.clock.now() } : version.times
    const after = { ...version, status: next, times, blobId: isGone ? null : version.blobId }
    await saveContent(tx, after)
    if (isGone) await dropArchive(tx, version)
    await recordChange(deps, tx, author, {
      ...configurationSubject(version),
      action: action === 'archive' ? action : `${action}_backing_data`,
      before: { status: version.status },
      after: { status: next },
    })
    return after
  })
}

/** Clients search these words. */
function notAllowed(action: ContentAction, why: string) {
  if (action === 'archive') {
    const text = `transition not allowed: configuration could not be archived because ${why}`
    return failure('conflict', 'configuration.transition', text)
  }
  const text = `transition not allowed: ${action} of the backing data of a configuration version, because ${why}`
  return failure('malformed', 'configuration.transition', text)
}
