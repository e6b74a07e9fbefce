import type { OrganizationGrants } from '../../../access/permissions/index.ts'
import type { Fault } from '../../../kernel/failure.ts'
import { type Author, recordChange } from '../../../kit/change-log/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import { unlessTaken } from '../../../storage/database-errors.ts'
import type { Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { organizationOf } from '../../people/organizations/index.ts'
import type { WorkspaceDraft } from './settings/requested-settings.ts'
import {
  nameRefused,
  projectForNew,
  requireLinked,
  settleDraft,
  surroundingsOf,
  withProjectSchedule,
} from './settings/settings-actions.ts'
import { tagListFaults } from './tagging/tag.ts'
import { describeBindings } from './tagging/tag-binding.ts'
import { replaceBindings } from './tagging/tag-binding-store.ts'
import { attachTags, ensureTags, lockTagsForUpdate } from './tagging/tag-store.ts'
import { describeWorkspace, type Workspace, workspaceSubject } from './workspace.ts'
import { facts, internals } from './workspace-fields.ts'
import { insertWorkspace } from './workspace-store.ts'

type CreationDeps = Pick<Deps, 'db' | 'store' | 'clock' | 'ids' | 'settings'>

/** What a new workspace has besides its settings. */
type NewWorkspace = WorkspaceDraft & {
  readonly tagNames: readonly string[]
  readonly source: string
  readonly sourceName: string | null
  readonly sourceUrl: string | null
}

/** Makes a workspace. Whether the caller may create workspaces at all has been checked before. */
export async function createWorkspace(
  deps: CreationDeps,
  author: Author,
  grants: OrganizationGrants,
  draft: NewWorkspace,
): Promise<Workspace> {
  const { organizationId } = grants
  const organization = await organizationOf(deps, organizationId)
  const project = await projectForNew(deps, grants, draft.projectId ?? organization.defaultProjectId)
  const tagNames = [...new Set(draft.tagNames)]
  const tagFaults = tagListFaults(tagNames, '/data/relationships/tags/data')
  const requireNoFaults = (faults: readonly Fault[]) => draft.requireNoFaults([...faults, ...tagFaults])
  const surroundings = await surroundingsOf(deps, project)
  const settled = await settleDraft(deps.db, { ...draft, requireNoFaults }, { ...surroundings, before: undefined })
  if (!settled) throw new Error('The faults of a new workspace were not thrown')
  const { settings, at } = settled
  const workspace: Workspace = {
    ...emptyWorkspace,
    ...settings,
    tagNames,
    id: deps.ids.newId('ws'),
    organizationId,
    source: draft.source,
    sourceName: draft.sourceName,
    sourceUrl: draft.sourceUrl,
    createdAt: at,
    updatedAt: at,
    latestChangeAt: at,
  }
  return await unlessTaken(nameRefused, () =>
    inTransaction(deps.db, (tx) => storeNew(deps, tx, author, workspace, draft)),
  )
}

const emptyWorkspace = { ...facts.initial, ...internals.initial, lock: null } as const

async function storeNew(
  deps: CreationDeps,
  tx: Tx,
  author: Author,
  settled: Workspace,
  { requested, bindings }: Pick<NewWorkspace, 'requested' | 'bindings'>,
): Promise<Workspace> {
  const { organizationId, createdAt: at, tagNames: names } = settled
  if (names.length > 0) await lockTagsForUpdate(tx, organizationId)
  await requireLinked(tx, organizationId, { requested, settings: settled }, undefined)
  const workspace = await withProjectSchedule(tx, settled, { before: undefined, now: at })
  await insertWorkspace(tx, workspace)
  if (bindings?.length) {
    const target = { organizationId, workspaceId: workspace.id }
    await replaceBindings(tx, deps.ids, target, { bindings, at })
  }
  if (names.length > 0) {
    const tags = await ensureTags(tx, deps.ids, organizationId, { names, at })
    await attachTags(
      tx,
      workspace.id,
      names.flatMap((name) => tags.get(name) ?? []),
    )
  }
  await recordChange(deps, tx, author, {
    ...workspaceSubject(workspace),
    action: 'create',
    after: {
      ...describeWorkspace(workspace),
      ...(bindings?.length ? describeBindings(bindings) : {}),
      ...(names.length > 0 ? { 'tag-names': names } : {}),
    },
  })
  return workspace
}
