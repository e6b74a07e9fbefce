import {
  canInOrganization,
  canOnWorkspace,
  hidden,
  type OrganizationGrants,
} from '../../../../access/permissions/index.ts'
import type { Author } from '../../../../kit/change-log/index.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { requireNoFaults } from '../../../../kit/jsonapi/index.ts'
import type { Tx } from '../../../../storage/open.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import type { Workspace } from '../workspace.ts'
import { changeInTransaction } from '../workspace-actions.ts'
import { deleteOrphanTags, loadWorkspaces } from '../workspace-store.ts'
import { foldTagName, tagListFaults } from './tag.ts'
import { findTagIds, findTags, type OrganizationTag } from './tag-list-store.ts'
import {
  attachTags,
  detachTags,
  ensureTags,
  loadTagNames,
  lockTagsForUpdate,
  type TaggedWorkspace,
} from './tag-store.ts'

type TagDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'store'>

/** Flat tags as a caller names them: by id, which must exist, or by name. */
export type NamedTags = { readonly ids: readonly string[]; readonly names: readonly string[] }

/** Puts flat tags on a workspace; unknown names become tags of the organization. */
export async function addTags(
  deps: TagDeps,
  author: Author,
  workspace: TaggedWorkspace,
  wanted: NamedTags,
): Promise<void> {
  const names = [...new Set(wanted.names.map(foldTagName))]
  // Checked before anything is stored, since writes keep others waiting.
  requireNoFaults(tagListFaults(names, '/data'))
  await changeTags(deps, author, workspace, async (tx) => {
    const { organizationId } = workspace
    await requireTags(tx, organizationId, wanted.ids)
    const idsByName = await ensureTags(tx, deps.ids, organizationId, { names, at: deps.clock.now() })
    const tagIds = new Set([...wanted.ids, ...names.flatMap((name) => idsByName.get(name) ?? [])])
    await attachAcceptable(tx, workspace, [...tagIds])
  })
}

/** Puts flat tags on a workspace, which must not have too many of them then. */
async function attachAcceptable(tx: Tx, { id }: TaggedWorkspace, tagIds: readonly string[]): Promise<void> {
  await attachTags(tx, id, tagIds)
  requireNoFaults(tagListFaults(await loadTagNames(tx, id), '/data'))
}

/** Removes flat tags from a workspace; unknown names are ignored. A tag that no workspace has any more is deleted. */
export const removeTags = (
  deps: TagDeps,
  author: Author,
  workspace: TaggedWorkspace,
  wanted: NamedTags,
): Promise<void> =>
  changeTags(deps, author, workspace, async (tx) => {
    const { id, organizationId } = workspace
    await requireTags(tx, organizationId, wanted.ids)
    const namedIds = await findTagIds(tx, organizationId, wanted.names.map(foldTagName))
    const tagIds = [...new Set([...wanted.ids, ...namedIds])]
    await detachTags(tx, id, tagIds)
    await deleteOrphanTags(tx, tagIds)
  })

/** A flat tag, the workspaces to put it on, and what the caller may do. */
type Attachment = {
  readonly tag: OrganizationTag
  readonly grants: OrganizationGrants
  readonly workspaceIds: readonly string[]
}

/** Puts a flat tag on several workspaces: on all of them, or on none. */
export async function attachTag(
  deps: TagDeps,
  author: Author,
  { tag, grants, workspaceIds }: Attachment,
): Promise<void> {
  const workspaces = await loadWorkspaces(deps.db, [...new Set(workspaceIds)])
  const taggable = new Set<string>(workspaces.filter((each) => canTag(grants, tag, each)).map(({ id }) => id))
  const faults = workspaceIds.flatMap((id, index) =>
    taggable.has(id) ? [] : [{ detail: 'Workspace was not found', pointer: `/data/${index}/id` }],
  )
  // Only callers that may tag all workspaces learn which one is missing; for others it may be one they cannot see.
  if (faults.length > 0 && !canInOrganization(grants, 'can-manage-all-workspaces')) throw hidden()
  requireNoFaults(faults)
  await inTransaction(deps.db, async (tx) => {
    await lockTagsForUpdate(tx, tag.organizationId)
    await requireTags(tx, tag.organizationId, [tag.id])
    for (const workspace of workspaces) {
      await changeTagsIn(deps, tx, author, workspace, () => attachAcceptable(tx, workspace, [tag.id]))
    }
  })
}

const canTag = (grants: OrganizationGrants, tag: OrganizationTag, workspace: Workspace): boolean =>
  workspace.organizationId === tag.organizationId && canOnWorkspace(grants, 'can-manage-tags', workspace)

/** The flat tags with these ids; the organization must have all of them. */
export async function requireTags(
  tx: Tx,
  organizationId: string,
  ids: readonly string[],
): Promise<Pick<OrganizationTag, 'id' | 'name'>[]> {
  const tags = await findTags(tx, organizationId, ids)
  if (tags.length !== new Set(ids).size) throw hidden()
  return tags
}

type ChangeTags = (tx: Tx) => Promise<void>

const changeTags = (deps: TagDeps, author: Author, workspace: TaggedWorkspace, change: ChangeTags): Promise<void> =>
  inTransaction(deps.db, async (tx) => {
    await lockTagsForUpdate(tx, workspace.organizationId)
    await changeTagsIn(deps, tx, author, workspace, change)
  })

/** Changes the tags of one workspace, in a transaction of the caller that holds the tags of the organization. */
async function changeTagsIn(
  deps: TagDeps,
  tx: Tx,
  author: Author,
  { id }: TaggedWorkspace,
  change: ChangeTags,
): Promise<void> {
  await changeInTransaction(deps, tx, author, { id }, async ({ tagNames: before }) => {
    await change(tx)
    const tagNames = await loadTagNames(tx, id)
    return {
      members: { tagNames, updatedAt: deps.clock.now() },
      update: { before: { 'tag-names': before }, after: { 'tag-names': tagNames } },
    }
  })
}
