import { type Author, recordUpdate } from '../../../../kit/change-log/index.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { beginRemoval, type Remover, saveRemoval } from '../../../../kit/removals/index.ts'
import type { Tx } from '../../../../storage/open.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { bumpVersion } from '../../../../storage/versions.ts'
import { workspaceSubject } from '../workspace.ts'
import { saveTagNames } from '../workspace-store.ts'
import { requireTags } from './tag-actions.ts'
import {
  deleteTag,
  detachFromAll,
  loadTagCounts,
  lockTaggedForUpdate,
  releaseTagNames,
  type TaggedRow,
} from './tag-removal-store.ts'
import { loadTagNamesOf, lockTagsForUpdate } from './tag-store.ts'

/** What the removal of a flat tag has to know. */
type Payload = {
  readonly organizationId: string
  readonly author: Author
  /** The id of the last workspace that has lost the tag. */
  readonly after: string
}

/** Removes flat tags from an organization: they are gone at once, their names are free, and workspaces lose them. */
export async function deleteOrganizationTags(
  deps: Deps,
  author: Author,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  const requestedAt = await deps.store.databaseNow()
  const removed = await inTransaction(deps.db, async (tx) => {
    await lockTagsForUpdate(tx, organizationId)
    const tags = await requireTags(tx, organizationId, ids)
    const tagIds = tags.map(({ id }) => id)
    const counts = await loadTagCounts(tx, tagIds)
    await releaseTagNames(tx, tagIds)
    const request = { requestedBy: author.name, requestedAt, payload: { organizationId, author, after: '' } }
    for (const { id, name } of tags) {
      const rowsLeft = Math.max(1, counts.get(id) ?? 0)
      await saveRemoval(tx, { kind: 'tag', subjectId: id, name, rowsLeft, ...request })
    }
    bumpVersion(tx, 'workspaces')
    await recordUpdate(deps, tx, author, {
      organizationId,
      subject: { type: 'tags', id: tagIds[0] ?? '', name: tags.map((tag) => tag.name).join(', ') },
      before: { tags: tags.map((tag) => tag.name) },
      after: { tags: [] },
    })
    return tagIds
  })
  await beginRemoval(deps, ...removed.map((subjectId) => ({ kind: 'tag', subjectId }) as const))
}

/** Rows and entries of indexes that change with each workspace, in the units of a batch. */
const rowsEach = 8

/** Removes a flat tag that is gone from the workspaces that have it, and its row last. */
export const tagRemover: Remover = {
  kind: 'tag',
  removeSome: async (deps, tx, { subjectId: tagId, payload, rowsLeft }, limit) => {
    const { organizationId, author, after } = payload as Payload
    await lockTagsForUpdate(tx, organizationId)
    const most = Math.ceil(limit / rowsEach)
    const found = await lockTaggedForUpdate(tx, tagId, { after, limit: most })
    if (found.length > 0) await takeTag(deps, tx, { organizationId, author, tagId, found })
    const last = found.at(-1)
    if (last && found.length === most) {
      return { left: Math.max(1, rowsLeft - most), payload: { organizationId, author, after: last.id } }
    }
    await deleteTag(tx, tagId)
    return { left: 0 }
  },
}

type Taking = Pick<Payload, 'organizationId' | 'author'> & {
  readonly tagId: string
  readonly found: readonly TaggedRow[]
}

async function takeTag(deps: Deps, tx: Tx, { organizationId, author, tagId, found }: Taking): Promise<void> {
  const ids = found.map(({ id }) => id)
  await detachFromAll(tx, tagId, ids)
  const left = await loadTagNamesOf(tx, ids)
  const after = ({ id }: TaggedRow): readonly string[] => left.get(id) ?? []
  // Another tag may have been removed from it meanwhile, and all names with it that are gone.
  const changed = found.filter((row) => row.tagNames.join() !== after(row).join())
  await saveTagNames(tx, new Map(changed.map((row) => [row.id, after(row)])), deps.clock.now())
  for (const row of changed) {
    await recordUpdate(deps, tx, author, {
      ...workspaceSubject({ id: row.id, name: row.name, organizationId }),
      before: { 'tag-names': row.tagNames },
      after: { 'tag-names': after(row) },
    })
  }
}
