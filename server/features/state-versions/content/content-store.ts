import { sql } from 'kysely'
import { type Awaitable, andThen } from '../../../kernel/awaitable.ts'
import type { Instant } from '../../../kernel/clock.ts'
import type { BlobName } from '../../../storage/blob-store.ts'
import { hotQuery } from '../../../storage/hot.ts'
import type { Db, Queryable, Tx } from '../../../storage/open.ts'
import type { ContentKind } from './content-urls.ts'

const claim = hotQuery('state-content.claim', (db, { scope, id, now }: BlobName & { now: Instant }) =>
  db
    .updateTable('blobs')
    .set((eb) => ({
      created_at: sql<number>`case when ${eb.ref('created_at')} >= ${now} then ${eb.ref('created_at')} + 1 else ${now} end`,
    }))
    .where('scope', '=', scope)
    .where('id', '=', id),
)

/**
 * Claims content for a version that is about to refer to it; false when it does not exist or was deleted. Claiming
 * changes its time, and deleting requires the time that was read before: of the two, one wins.
 */
export const claimContent = (tx: Tx, name: BlobName, now: Instant): Awaitable<boolean> =>
  andThen(claim.run(tx, { ...name, now }), (claimed) => claimed === 1)

/**
 * A file of a version as it is stored: its size before it was compressed, the upload of its chunks, and the first
 * chunk.
 */
export type StoredContent = {
  readonly size: number
  readonly upload: string
  readonly chunks: number
  readonly first: Uint8Array
}

type OfVersion = { id: string }

const contentOf = (db: Db, { id }: OfVersion, blob: 'blob_id' | 'json_blob_id') =>
  db
    .selectFrom('state_versions as version')
    .innerJoin('blobs', (join) =>
      join.onRef('blobs.scope', '=', 'version.workspace_id').onRef('blobs.id', '=', `version.${blob}`),
    )
    .innerJoin('blob_chunks as chunk', (join) =>
      join.onRef('chunk.upload', '=', 'blobs.upload').on('chunk.seq', '=', 0),
    )
    .select(['blobs.upload', 'blobs.chunks', 'chunk.bytes as first'])
    .where('version.id', '=', id)
    .where('version.status', '=', 'finalized')

const stateOf = hotQuery<OfVersion, StoredContent>('state-content.state', (db, of) =>
  contentOf(db, of, 'blob_id').select('version.size'),
)

const renderingOf = hotQuery<OfVersion, StoredContent>('state-content.json', (db, of) =>
  contentOf(db, of, 'json_blob_id').select('version.json_size as size'),
)

/**
 * A file of a version; undefined when it does not exist, or no longer. Most have a single chunk, and so need a single
 * query.
 */
export const findContent = (db: Queryable, kind: ContentKind, id: string): Awaitable<StoredContent | undefined> =>
  (kind === 'json' ? renderingOf : stateOf).first(db, { id })

/**
 * Deletes content of a workspace that no version refers to any more. Its row is locked before this is checked: a
 * request that is about to refer to it has claimed it, and is waited for.
 */
export async function deleteUnusedContent(tx: Tx, { scope, id }: BlobName): Promise<void> {
  await tx
    .updateTable('blobs')
    .set(({ ref }) => ({ created_at: ref('created_at') }))
    .where('scope', '=', scope)
    .where('id', '=', id)
    .execute()
  const named = await tx
    .selectFrom('state_versions')
    .select('id')
    .where('workspace_id', '=', scope)
    .where((eb) => eb.or([eb('blob_id', '=', id), eb('json_blob_id', '=', id)]))
    .limit(1)
    .executeTakeFirst()
  if (named) return
  await tx.deleteFrom('blobs').where('scope', '=', scope).where('id', '=', id).execute()
}

type UnreferencedUpload = { readonly upload: string; readonly created_at: number }

/**
 * Content of workspaces that was stored before this time and that no version refers to: refused uploads, and what
 * deleted organizations left.
 */
async function findUnreferenced(db: Db, before: Instant, limit: number): Promise<UnreferencedUpload[]> {
  return await db
    .selectFrom('blobs')
    .select(['upload', 'created_at'])
    .where('scope', 'like', 'ws-%')
    .where('id', 'is not', null)
    .where('created_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('state_versions')
            .select('state_versions.id')
            .whereRef('state_versions.workspace_id', '=', 'blobs.scope')
            .where((eb) =>
              eb.or([
                eb('state_versions.blob_id', '=', eb.ref('blobs.id')),
                eb('state_versions.json_blob_id', '=', eb.ref('blobs.id')),
              ]),
            ),
        ),
      ),
    )
    .limit(limit)
    .execute()
}

const sweepBatchSize = 200

/** Deletes content that no version refers to, until the signal stops it; returns how much there was. */
export async function sweepContent(db: Db, before: Instant, signal: AbortSignal): Promise<number> {
  let swept = 0
  for (;;) {
    const unreferenced = await findUnreferenced(db, before, sweepBatchSize)
    for (const { upload, created_at } of unreferenced) {
      signal.throwIfAborted()
      await db.deleteFrom('blobs').where('upload', '=', upload).where('created_at', '=', created_at).execute()
    }
    swept += unreferenced.length
    if (unreferenced.length < sweepBatchSize) return swept
  }
}
