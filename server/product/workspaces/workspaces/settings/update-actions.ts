import type { OrganizationGrants } from '../../../../access/permissions/index.ts'
import type { Fault } from '../../../../kernel/failure.ts'
import type { Author } from '../../../../kit/change-log/index.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { requireNoFaults } from '../../../../kit/jsonapi/index.ts'
import { partsOf } from '../../../../kit/parts.ts'
import { unlessTaken } from '../../../../storage/database-errors.ts'
import type { Tx } from '../../../../storage/open.ts'
import { inTransaction, letOthersRead } from '../../../../storage/transaction.ts'
import { listNames } from '../../../people/organizations/index.ts'
import { storeBindings } from '../tagging/tag-binding-actions.ts'
import { replaceBindings } from '../tagging/tag-binding-store.ts'
import {
  describeWorkspace,
  type Execution,
  effectiveExecution,
  inheritedExecution,
  type Workspace,
} from '../workspace.ts'
import { mayOnWorkspace } from '../workspace-access-actions.ts'
import { changeInTransaction, changeWorkspace, type Decide } from '../workspace-actions.ts'
import type { ChangedMembers } from '../workspace-store.ts'
import type { WorkspaceDraft } from './requested-settings.ts'
import {
  nameRefused,
  projectDefaultsOf,
  requireLinked,
  type SettingsDeps,
  type Surroundings,
  settleDraft,
  surroundingsOf,
  targetProject,
  withProjectSchedule,
} from './settings-actions.ts'

/** What changing settings needs. */
type UpdateDeps = SettingsDeps & Pick<Deps, 'parts' | 'keyring'>

/** A change of settings. */
type SettingsUpdate = {
  readonly grants: OrganizationGrants
  readonly workspace: Workspace
  /** What the workspace is to become, as it is now; throws if the caller expected another. */
  readonly draftFor: (before: Workspace) => WorkspaceDraft
}

/** Changes settings of a workspace. Attributes that were not sent keep the value they have at the moment of writing. */
export async function changeSettings(
  deps: UpdateDeps,
  author: Author,
  { grants, workspace, draftFor }: SettingsUpdate,
): Promise<Workspace> {
  const surroundings = await surroundingsOf(deps, await projectDefaultsOf(deps, workspace.projectId))
  const target = {
    id: workspace.id,
    allows: (current: Workspace) => mayOnWorkspace(grants, 'can-update', current),
  }
  return await unlessTaken(nameRefused, () =>
    changeWorkspace(deps, author, target, decideSettings(deps, grants, surroundings, draftFor)),
  )
}

const decideSettings =
  (
    deps: UpdateDeps,
    grants: OrganizationGrants,
    surroundings: Surroundings,
    draftFor: SettingsUpdate['draftFor'],
  ): Decide =>
  async (before, tx) => {
    const { organizationId, id } = before
    const draft = draftFor(before)
    const project = await targetProject(tx, { grants, known: surroundings.project }, before, draft.projectId)
    const settled = await settleDraft(tx, draft, { ...surroundings, before, project })
    if (!settled) return undefined
    const { settings, at } = settled
    await requireLinked(tx, organizationId, { requested: draft.requested, settings }, before)
    const scheduled = await withProjectSchedule(tx, settings, { before, now: at })
    const target = { organizationId, workspaceId: id }
    const { bindings } = draft
    const rebound = bindings && (await storeBindings(deps, tx, target, { bindings, store: replaceBindings, at }))
    const runs = await endLocalized(
      deps,
      tx,
      [before, { ...before, ...scheduled }],
      inheritedExecution(surroundings.organization, project),
    )
    const canceled = await endRescheduled(deps, tx, [before, { ...before, ...scheduled }])
    return {
      members: { ...scheduled, ...runs, ...canceled, updatedAt: at },
      update: {
        before: { ...describeWorkspace(before), ...rebound?.before },
        after: { ...describeWorkspace({ ...before, ...scheduled }), ...rebound?.after },
      },
    }
  }

/** Ends runs that wait in a workspace that is executed locally from now on. */
async function endLocalized(
  deps: UpdateDeps,
  tx: Tx,
  [before, after]: readonly [Workspace, Workspace],
  inherited: Execution,
): Promise<ChangedMembers> {
  const isLocal = (workspace: Workspace) => effectiveExecution(workspace, inherited).executionMode === 'local'
  if (isLocal(before) || !isLocal(after)) return {}
  return (await partsOf(deps, 'runQueue')[0]?.afterLocalizing(deps, tx, after)) ?? {}
}

/** A destruction that is queued and has not begun is canceled when another time is set. */
async function endRescheduled(
  deps: UpdateDeps,
  tx: Tx,
  [before, after]: readonly [Workspace, Workspace],
): Promise<ChangedMembers> {
  if (before.autoDestroyStatus !== 'queued' || after.autoDestroyStatus === 'queued') return {}
  return (await partsOf(deps, 'runQueue')[0]?.afterRescheduling(deps, tx, after)) ?? {}
}

/** Workspaces, and the project they are moved to. */
type Move = {
  readonly grants: OrganizationGrants
  readonly workspaces: readonly Workspace[]
  readonly projectId: string
}

/** Moves workspaces to a project, by the rules of a change that changes only the project: all of them, or none. */
export async function moveWorkspaces(
  deps: UpdateDeps,
  author: Author,
  { grants, workspaces, projectId }: Move,
): Promise<void> {
  const surroundings = await surroundingsOf(deps, await projectDefaultsOf(deps, projectId))
  await inTransaction(deps.db, async (tx) => {
    const faulty: FaultyMove[] = []
    for (const { id } of sortById(workspaces)) {
      await changeInTransaction(
        deps,
        tx,
        author,
        { id },
        decideSettings(deps, grants, surroundings, (workspace) => ({
          requested: {},
          projectId,
          bindings: undefined,
          requireNoFaults: (faults) => faulty.push(...faults.map(({ detail }) => ({ detail, workspace }))),
        })),
      )
      await letOthersRead(tx)
    }
    requireNoFaults(moveFaults(faulty))
  })
}

type FaultyMove = { readonly detail: string; readonly workspace: Workspace }

/** One fault of the list for each thing that is wrong, with the names of the workspaces. */
const moveFaults = (faulty: readonly FaultyMove[]): Fault[] =>
  [...Map.groupBy(faulty, ({ detail }) => detail)].map(([detail, moves]) => {
    const names = moves.map(({ workspace }) => workspace.name).sort()
    return { detail: `${detail}: ${listNames({ names: names.slice(0, 3), total: names.length })}`, pointer: '/data' }
  })

/** All moves take workspaces in the same order, so that they cannot deadlock. */
const sortById = (workspaces: readonly Workspace[]): readonly Workspace[] =>
  workspaces.toSorted((one, other) => (one.id < other.id ? -1 : 1))
