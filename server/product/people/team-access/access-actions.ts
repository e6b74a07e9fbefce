import { canDelegateOnProject, hidden, type OrganizationGrants } from '../../../access/permissions/index.ts'
import { failure } from '../../../kernel/failure.ts'
import { type Author, type Change, type Members, recordChange, recordUpdate } from '../../../kit/change-log/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import { invalidRelationship, requireNoFaults } from '../../../kit/jsonapi/index.ts'
import type { FeatureParts } from '../../../kit/parts.ts'
import { unlessTaken } from '../../../storage/database-errors.ts'
import type { Tx } from '../../../storage/open.ts'
import { inTransaction, letOthersRead } from '../../../storage/transaction.ts'
import { lockArea } from '../../../storage/versions.ts'
import { lockWorkspaceForUpdate } from '../../workspaces/workspaces/index.ts'
import { loadTeam } from '../teams/index.ts'
import { type AccessStore, projectAccessStore, workspaceAccessStore } from './access-store.ts'
import {
  type AccessKind,
  onProjects,
  onWorkspaces,
  type ProjectDetails,
  type RequestedAccess,
  settleAccess,
  type TeamAccess,
  type WorkspaceDetails,
} from './team-access.ts'

type AccessDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'store'>

/** A kind of access with what is needed to write it. */
export type WritableKind<D extends object> = {
  readonly kind: AccessKind<D>
  readonly store: AccessStore<D>
  readonly type: 'team-workspaces' | 'team-projects'
  readonly prefix: 'tws' | 'tprj'
  /** Throws when the target is gone; it cannot be deleted before the transaction ends. */
  readonly lockForUpdate: (tx: Tx, targetId: string) => Promise<void>
  /** Throws when the caller may not hand out as much as this. */
  readonly requireCanGrant: (grants: OrganizationGrants, access: Granted<D>) => void
}

type Granted<D> = Pick<TeamAccess<D>, 'targetId' | 'access' | 'details'>

/** Those who may change a workspace have every right that its levels give, so there is nothing more to check. */
export const workspaceAccess: WritableKind<WorkspaceDetails> = {
  kind: onWorkspaces,
  store: workspaceAccessStore,
  type: 'team-workspaces',
  prefix: 'tws',
  lockForUpdate: async (tx, id) => {
    if (!(await lockWorkspaceForUpdate(tx, id))) throw hidden()
  },
  requireCanGrant: () => undefined,
}

/** Those who manage the teams of a project may lack rights on it, and hand out only what they have themselves. */
export const projectAccess: WritableKind<ProjectDetails> = {
  kind: onProjects,
  store: projectAccessStore,
  type: 'team-projects',
  prefix: 'tprj',
  // A foreign key keeps the project from being deleted.
  lockForUpdate: async () => undefined,
  requireCanGrant: (grants, { targetId, access, details }) => {
    const { delete: workspaceDelete, ...rest } = details
    if (canDelegateOnProject(grants, { ...rest, workspaceDelete, access, projectId: targetId })) return
    throw failure('refused', 'team-access.too-much', 'This access to the project is more than you have yourself.')
  },
}

const changeOf = <D extends object>({ type }: WritableKind<D>, access: TeamAccess<D>) => ({
  organizationId: access.organizationId,
  ...(type === 'team-workspaces' ? { workspaceId: access.targetId } : {}),
  subject: { type, id: access.id, name: access.team.name },
})

const describeAccess = <D extends object>({ kind }: WritableKind<D>, access: Granted<D>): Members => ({
  access: access.access,
  target: access.targetId,
  ...Object.fromEntries(
    Object.entries(access.details).map(([name, value]) => [kind.pointers[name as keyof D & string], value]),
  ),
})

/** The access that a team is to get. */
type NewAccess<D> = {
  readonly grants: OrganizationGrants
  readonly teamId: string
  readonly targetId: string
  readonly requested: RequestedAccess<D>
}

/** Gives a team access to a workspace or a project. */
export async function grantAccess<D extends object>(
  deps: AccessDeps,
  author: Author,
  writable: WritableKind<D>,
  { grants, teamId, targetId, requested }: NewAccess<D>,
): Promise<TeamAccess<D>> {
  const team = await loadTeam(deps.db, teamId)
  if (team?.organizationId !== grants.organizationId) {
    throw invalidRelationship('team', 'Team was not found in the organization')
  }
  const { access, details, faults } = settleAccess(writable.kind, requested)
  requireNoFaults(faults)
  const given = { access, details, targetId, organizationId: grants.organizationId, team }
  writable.requireCanGrant(grants, given)
  const made: TeamAccess<D> = { ...given, id: deps.ids.newId(writable.prefix) }
  const twice = () => invalidRelationship('team', 'Team has access already; change that instead', 'team-access.twice')
  await unlessTaken(twice, () =>
    inTransaction(deps.db, async (tx) => {
      await writable.lockForUpdate(tx, targetId)
      await writable.store.insert(tx, made)
      const change = { ...changeOf(writable, made), action: 'create', after: describeAccess(writable, made) }
      await recordChange(deps, tx, author, change)
    }),
  )
  return made
}

/** Changes what a team may do; members that are not sent stay. */
export const changeAccess = <D extends object>(
  deps: AccessDeps,
  author: Author,
  writable: WritableKind<D>,
  { grants, id, requested }: { grants: OrganizationGrants; id: string; requested: RequestedAccess<D> },
): Promise<TeamAccess<D>> =>
  inTransaction(deps.db, async (tx) => {
    await lockArea(tx, 'permissions')
    const before = await writable.store.load(tx, id)
    if (!before) throw hidden()
    const { faults, ...settled } = settleAccess(writable.kind, requested, before)
    requireNoFaults(faults)
    const after: TeamAccess<D> = { ...before, ...settled }
    for (const each of [before, after]) writable.requireCanGrant(grants, each)
    if (!(await writable.store.update(tx, id, settled))) throw hidden()
    const change = { before: describeAccess(writable, before), after: describeAccess(writable, after) }
    await recordUpdate(deps, tx, author, { ...changeOf(writable, after), ...change })
    return after
  })

/** Takes a team's access away. */
export async function revokeAccess<D extends object>(
  deps: AccessDeps,
  author: Author,
  writable: WritableKind<D>,
  { grants, id }: { grants: OrganizationGrants; id: string },
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    await lockArea(tx, 'permissions')
    const before = await writable.store.load(tx, id)
    if (!before) throw hidden()
    writable.requireCanGrant(grants, before)
    if (!(await writable.store.remove(tx, id))) throw hidden()
    await recordChange(deps, tx, author, removalOf(writable, before))
  })
}

const removalOf = <D extends object>(writable: WritableKind<D>, access: TeamAccess<D>): Change => ({
  ...changeOf(writable, access),
  action: 'delete',
  before: describeAccess(writable, access),
})

/** Ends access with its workspace. */
export const removalStep: FeatureParts['removalStep'] = (tx, workspace) =>
  workspaceAccess.store.removeFromTarget(tx, workspace.id)

/** Lets the history show all the access that ends with a team. */
export const departureStep: FeatureParts['departureStep'] = async (deps, tx, author, { kind, id }) => {
  if (kind !== 'team') return
  for (const access of await workspaceAccess.store.listOfTeam(tx, id)) {
    await recordChange(deps, tx, author, removalOf(workspaceAccess, access))
    await letOthersRead(tx)
  }
  for (const access of await projectAccess.store.listOfTeam(tx, id)) {
    await recordChange(deps, tx, author, removalOf(projectAccess, access))
    await letOthersRead(tx)
  }
}
