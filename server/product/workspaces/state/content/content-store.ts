import { removedIds } from '../../../../kit/removals/index.ts'
import { deleteUnused, type StoredContent } from '../../../../kit/stored-bytes/index.ts'
import type { BlobName } from '../../../../storage/blob-store.ts'
import { hotQuery } from '../../../../storage/hot.ts'
import type { Db, Queryable, Tx } from '../../../../storage/open.ts'
import type { ContentKind } from './content-url.ts'

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
    .where('version.organization_id', 'not in', removedIds(db, 'organization'))

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
export const findContent = async (db: Queryable, kind: ContentKind, id: string): Promise<StoredContent | undefined> =>
  await (kind === 'json' ? renderingOf : stateOf).first(db, { id })

/** Deletes content of a workspace that no version refers to any more. */
export const deleteUnusedContent = (tx: Tx, name: BlobName): Promise<void> =>
  deleteUnused(tx, name, () => isReferenced(tx, name))

/** Two queries, one for each index: SQLite would use neither for a condition with `or`. */
async function isReferenced(tx: Tx, { scope, id }: BlobName): Promise<boolean> {
  for (const column of ['blob_id', 'json_blob_id'] as const) {
    const versions = tx.selectFrom('state_versions').select('id').where('workspace_id', '=', scope)
    if (await versions.where(column, '=', id).limit(1).executeTakeFirst()) return true
  }
  return false
}

/** A stored file of a workspace, and whether a version refers to it. */
export type ListedContent = {
  readonly scope: string
  readonly id: string
  readonly upload: string
  readonly createdAt: number
  readonly isReferenced: boolean
}

/** Comes before every file of a workspace; scopes of workspaces begin like their ids. */
export const beforeAllContent: BlobName = { scope: 'ws-', id: '' }

/** The next files of workspaces after this one. Each query looks at so many and no more, however many there are. */
export async function listContent(db: Db, after: BlobName, limit: number): Promise<readonly ListedContent[]> {
  const rows = await db
    .selectFrom('blobs')
    .select(['scope', 'id', 'upload', 'created_at as createdAt'])
    .select(({ selectFrom, fn }) => {
      const naming = (column: 'blob_id' | 'json_blob_id') =>
        selectFrom('state_versions as version')
          .select('version.id')
          .whereRef('version.workspace_id', '=', 'blobs.scope')
          .whereRef(`version.${column}`, '=', 'blobs.id')
          .limit(1)
      return fn.coalesce(naming('blob_id'), naming('json_blob_id')).as('version')
    })
    .where((eb) => eb(eb.refTuple('scope', 'id'), '>', eb.tuple(after.scope, after.id)))
    .where('scope', '<', 'ws.')
    .where('id', 'is not', null)
    .orderBy('scope')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ version, id, ...row }) => ({ ...row, id: id ?? '', isReferenced: version !== null }))
}
