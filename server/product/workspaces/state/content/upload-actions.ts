import { hidden } from '../../../../access/permissions/index.ts'
import { type Author, serverAuthor } from '../../../../kit/change-log/index.ts'
import { discardOnError, inTransactionRetriedOnce } from '../../../../kit/stored-bytes/index.ts'
import { examineContent, openAnnouncedOutputs } from '../facts-actions.ts'
import { loadStateVersion, saveRendering } from '../records/state-version-store.ts'
import type { StateVersion } from '../state-version.ts'
import { dropRendering, mayKeepReadable } from '../writing/readable-actions.ts'
import { alreadyUploaded, finalizeStateVersion, type StateDeps } from '../writing/state-version-actions.ts'
import type { ContentFile } from './content-url.ts'
import { takeContent } from './intake-actions.ts'

/**
 * Takes the content of a version. If it is refused, the version stays pending, so that the upload can be tried again.
 */
export async function receiveContent(
  deps: StateDeps,
  { kind, id }: ContentFile,
  source: AsyncIterable<Uint8Array>,
  requestId: string,
): Promise<void> {
  const version = await loadStateVersion(deps.db, id)
  if (!version) throw hidden()
  if (kind === 'json') return await receiveRendering(deps, version, source)
  if (version.status !== 'pending') throw alreadyUploaded(version)
  const content = await takeContent(deps, version.workspaceId, source, 'state')
  await discardOnError(content, async () => {
    const facts = examineContent(deps, version, content, openAnnouncedOutputs(deps, version))
    await finalizeStateVersion(deps, authorFor(version, requestId), version, { ...content, facts })
  })
}

async function receiveRendering(
  deps: StateDeps,
  version: StateVersion,
  source: AsyncIterable<Uint8Array>,
): Promise<void> {
  if (version.jsonBlobId !== null || !['pending', 'finalized'].includes(version.status)) throw alreadyUploaded(version)
  const content = await takeContent(deps, version.workspaceId, source, 'json')
  await discardOnError(content, () =>
    inTransactionRetriedOnce(deps.db, async (tx) => {
      const saved = await saveRendering(tx, version.id, content)
      if (!saved) throw alreadyUploaded(version)
      await content.keep(tx)
      const written = { ...version, ...saved }
      if (!(await mayKeepReadable(tx, written))) await dropRendering(tx, written)
    }),
  )
}

/** The upload counts as done by whoever announced the state, since the address grants the right. */
const authorFor = ({ createdBy }: StateVersion, requestId: string): Author =>
  createdBy.kind === 'run'
    ? { ...serverAuthor, requestId }
    : { kind: createdBy.kind, id: createdBy.id, name: createdBy.name, tokenId: '', requestId }
