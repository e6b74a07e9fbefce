import {
  canInOrganization,
  canOnWorkspace,
  hidden,
  type OrganizationGrants,
} from '../../../access/permissions/index.ts'
import type { Awaitable } from '../../../kernel/awaitable.ts'
import type { Deps } from '../../../kit/deps.ts'
import { requireNoFaults } from '../../../kit/jsonapi/index.ts'
import type { Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { type Author, recordUpdate } from '../../change-log/index.ts'
import { deleteOrphanTags, holdWorkspace, loadWorkspaces } from '../records/workspace-store.ts'
import { workspaceSubject } from '../workspace-changes.ts'
import type { Workspace } from '../workspace-rules.ts'
import { detachTags, findTagIds, findTags, workspacesTagged } from './tag-list-store.ts'
import { foldTagName, tagListFaults } from './tag-rules.ts'
import { attachTags, ensureTags, holdTags, refreshTagNames, type TaggedWorkspace } from './tag-store.ts'

type TagDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'store'>

/** Flat tags as a caller names them: by id, which must exist, or by name. */
export type NamedTags = { readonly ids: readonly string[]; readonly names: readonly string[] }

/** Puts flat tags on a workspace; unknown names become tags of the organization. */
export async function addTags(
  deps: TagDeps,
  author: Author,
  tagged: TaggedWorkspace,
  wanted: NamedTags,
): Promise<void> {
  const names = [...new Set(wanted.names.map(foldTagName))]
  // Checked before anything is stored, since writes keep others waiting.
  requireNoFaults(tagListFaults(names, '/data'))
  await changeTags(deps, author, tagged, async (tx) => {
    const { organizationId } = tagged
    const known = await requireTags(tx, organizationId, wanted.ids)
    const made =
      names.length === 0
        ? new Map<string, string>()
        : await ensureTags(tx, deps.ids, organizationId, { names, at: deps.clock.now() })
    const byName = names.flatMap((name) => made.get(name) ?? [])
    requireNoFaults(tagListFaults(await attachTags(tx, tagged, [...new Set([...known, ...byName])]), '/data'))
  })
}

/** Removes flat tags from a workspace; unknown names are ignored. A tag that no workspace has any more is deleted. */
export const removeTags = (deps: TagDeps, author: Author, tagged: TaggedWorkspace, wanted: NamedTags): Promise<void> =>
  changeTags(deps, author, tagged, async (tx) => {
    const { id, organizationId } = tagged
    const known = await requireTags(tx, organizationId, wanted.ids)
    const tagIds = [...new Set([...known, ...(await findTagIds(tx, organizationId, wanted.names.map(foldTagName)))])]
    await detachTags(tx, id, tagIds)
    await deleteOrphanTags(tx, tagIds)
  })

/** Puts a flat tag on several workspaces: on all of them, or on none. */
export async function attachTag(
  deps: TagDeps,
  author: Author,
  {
    tag,
    grants,
    ids,
  }: { readonly tag: TaggedWorkspace; readonly grants: OrganizationGrants; readonly ids: readonly string[] },
): Promise<void> {
  const workspaces = await loadWorkspaces(deps.db, [...new Set(ids)])
  const taggable = new Set<string>(workspaces.filter((each) => canTag(grants, tag, each)).map(({ id }) => id))
  const faults = ids.flatMap((id, index) =>
    taggable.has(id) ? [] : [{ detail: 'Workspace was not found', pointer: `/data/${index}/id` }],
  )
  // Only callers that may tag all workspaces learn which one is missing; for others it may be one they cannot see.
  if (faults.length > 0 && !canInOrganization(grants, 'can-manage-all-workspaces')) throw hidden()
  requireNoFaults(faults)
  await inTransaction(deps.db, async (tx) => {
    for (const each of workspaces) {
      await changeTagsIn(deps, tx, author, each, async () => {
        const tagIds = await requireTags(tx, tag.organizationId, [tag.id])
        requireNoFaults(tagListFaults(await attachTags(tx, each, tagIds), '/data'))
      })
    }
  })
}

const canTag = (grants: OrganizationGrants, tag: TaggedWorkspace, workspace: Workspace): boolean =>
  workspace.organizationId === tag.organizationId && canOnWorkspace(grants, 'can-manage-tags', workspace)

async function requireTags(tx: Tx, organizationId: string, ids: readonly string[]): Promise<string[]> {
  const found = await findTags(tx, organizationId, ids)
  if (found.length !== new Set(ids).size) throw hidden()
  const known = new Set(found.map((tag) => tag.id))
  return ids.filter((id) => known.has(id))
}

const changeTags = (
  deps: TagDeps,
  author: Author,
  tagged: TaggedWorkspace,
  change: (tx: Tx) => Promise<void>,
): Promise<void> => inTransaction(deps.db, (tx) => changeTagsIn(deps, tx, author, tagged, () => change(tx)))

/** The row of the workspace is written first, so that concurrent callers cannot report different lists. */
async function changeTagsIn(
  deps: TagDeps,
  tx: Tx,
  author: Author,
  { id, organizationId }: TaggedWorkspace,
  change: () => Promise<void>,
): Promise<void> {
  await holdTags(tx, organizationId)
  const workspace = await holdWorkspace(tx, id, deps.clock.now())
  if (!workspace) throw hidden()
  await change()
  await recordTags(deps, tx, author, { workspace, after: await refreshTagNames(tx, id) })
}

const recordTags = (
  deps: TagDeps,
  tx: Tx,
  author: Author,
  { workspace, after }: { workspace: Workspace; after: readonly string[] },
): Awaitable<void> =>
  recordUpdate(deps, tx, author, {
    ...workspaceSubject(workspace),
    before: { 'tag-names': workspace.tagNames },
    after: { 'tag-names': after },
  })

/** Removes flat tags from an organization and from all its workspaces. */
export async function deleteOrganizationTags(
  deps: TagDeps,
  author: Author,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    await holdTags(tx, organizationId)
    const tags = await findTags(tx, organizationId, ids)
    if (tags.length !== new Set(ids).size) throw hidden()
    const tagIds = tags.map((tag) => tag.id)
    for (const workspace of await loadWorkspaces(tx, await workspacesTagged(tx, tagIds))) {
      await detachTags(tx, workspace.id, tagIds)
      await recordTags(deps, tx, author, { workspace, after: await refreshTagNames(tx, workspace.id) })
    }
    await deleteOrphanTags(tx, tagIds)
    await recordUpdate(deps, tx, author, {
      organizationId,
      subject: { type: 'tags', id: tagIds[0] ?? '', name: tags.map((tag) => tag.name).join(', ') },
      before: { tags: tags.map((tag) => tag.name) },
      after: { tags: [] },
    })
  })
}
