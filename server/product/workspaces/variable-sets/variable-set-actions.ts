import { canOnProject, canSeeWorkspace, hidden, type OrganizationGrants } from '../../../access/permissions/index.ts'
import type { Fault } from '../../../kernel/failure.ts'
import { type Author, type Members, recordChange, recordUpdate } from '../../../kit/change-log/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import { invalidAttribute, requireNoFaults } from '../../../kit/jsonapi/index.ts'
import { isReferenceChanged, unlessTaken } from '../../../storage/database-errors.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { loadProjects } from '../../people/organizations/index.ts'
import type { NewVariable } from '../variables/index.ts'
import { loadWorkspaces } from '../workspaces/index.ts'
import { addVariable, requireNoClash } from './set-variable-actions.ts'
import {
  mayManageSets,
  setFaults,
  type TargetKind,
  targetFaults,
  type VariableSet,
  type VariableSetSettings,
} from './variable-set.ts'
import { settings } from './variable-set-fields.ts'
import {
  deleteSet,
  deleteTargets,
  insertSet,
  insertTargets,
  listTargets,
  lockSet,
  updateSet,
} from './variable-set-store.ts'

type SetDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'store' | 'keyring'>

/** Who is to have a set; absent kinds stay as they are. */
type WantedTargets = Readonly<Partial<Record<TargetKind, readonly string[]>>>

/** A new variable set. */
type NewSet = {
  readonly settings: VariableSetSettings
  readonly projectId: string | null
  readonly targets: WantedTargets
  readonly variables: readonly NewVariable[]
}

/** What the change log says about a set. */
export const changeOf = ({ organizationId, id, name }: VariableSet) => ({
  organizationId,
  subject: { type: 'varsets', id, name },
})

async function describe(db: Queryable, set: VariableSet): Promise<Members> {
  const targets = await listTargets(db, [set.id])
  const idsOf = (kind: TargetKind) => targets.filter((target) => target.kind === kind).map(({ id }) => id)
  return { ...settings.toDocument(set), workspaces: idsOf('workspaces'), projects: idsOf('projects') }
}

const nameTaken = () => invalidAttribute('name', 'Name has already been taken', 'variable-set.name-taken')

/** Makes a set. */
export async function createSet(
  deps: SetDeps,
  author: Author,
  grants: OrganizationGrants,
  wanted: NewSet,
): Promise<VariableSet> {
  const { projectId, targets, variables } = wanted
  if (!mayManageSets(grants, projectId)) throw hidden()
  const now = deps.clock.now()
  const set: VariableSet = {
    ...wanted.settings,
    id: deps.ids.newId('varset'),
    organizationId: grants.organizationId,
    projectId,
    createdAt: now,
    updatedAt: now,
  }
  requireNoFaults([...setFaults(set), ...(await documentFaults(deps.db, grants, set, targets))])
  await unlessTaken(nameTaken, () =>
    inTransaction(deps.db, async (tx) => {
      await insertSet(tx, set)
      await storeTargets(tx, set, targets)
      for (const variable of variables) await addVariable(deps, tx, author, set, variable)
      if (set.global) await requireNoClash(tx, set)
      await recordChange(deps, tx, author, { ...changeOf(set), action: 'create', after: await describe(tx, set) })
    }),
  )
  return set
}

/** Changes a set; what is not sent stays, and lists that are sent replace those there were. */
export async function changeSet(
  deps: SetDeps,
  author: Author,
  { grants, id }: { readonly grants: OrganizationGrants; readonly id: string },
  {
    settings: requested,
    targets,
  }: { readonly settings: Partial<VariableSetSettings>; readonly targets: WantedTargets },
): Promise<VariableSet> {
  return await unlessTaken(nameTaken, () =>
    inTransaction(deps.db, async (tx) => {
      const current = await lockSet(tx, id)
      if (!current) throw hidden()
      const after: VariableSet = { ...settings.applied(requested, current), updatedAt: deps.clock.now() }
      requireNoFaults([...setFaults(after), ...(await documentFaults(tx, grants, after, targets))])
      const before = await describe(tx, current)
      await updateSet(tx, after)
      // A set that all workspaces have is given to none in particular.
      await storeTargets(tx, after, after.global ? { workspaces: [], projects: [] } : targets)
      if (after.global) await requireNoClash(tx, after)
      await recordUpdate(deps, tx, author, { ...changeOf(after), before, after: await describe(tx, after) })
      return after
    }),
  )
}

async function storeTargets(tx: Tx, set: VariableSet, targets: WantedTargets): Promise<void> {
  for (const kind of ['workspaces', 'projects'] as const) {
    const ids = targets[kind]
    if (ids === undefined) continue
    await deleteTargets(tx, set.id, kind, 'all')
    await insertTargets(tx, set.id, kind, ids)
  }
}

/** Removes a set. */
export const removeSet = (deps: SetDeps, author: Author, id: string): Promise<void> =>
  inTransaction(deps.db, async (tx) => {
    const set = await lockSet(tx, id)
    if (!set) throw hidden()
    const before = await describe(tx, set)
    await deleteSet(tx, id)
    await recordChange(deps, tx, author, { ...changeOf(set), action: 'delete', before })
  })

/** Which workspaces or projects get a set, or lose it. */
type TargetChange = {
  readonly kind: TargetKind
  readonly change: 'add' | 'remove'
  readonly ids: readonly string[]
}

/** Gives a set to workspaces or projects, or takes it from them; if one of them is unknown, nothing changes. */
export async function changeTargets(
  deps: SetDeps,
  author: Author,
  { grants, set }: { readonly grants: OrganizationGrants; readonly set: VariableSet },
  { kind, change, ids }: TargetChange,
): Promise<void> {
  const check = async (db: Queryable, current: VariableSet) => {
    const unknown = await unknownTargets(db, grants, current, { kind, ids, pointer: '/data' })
    requireNoFaults([...targetFaults(current, '/data'), ...unknown])
  }
  try {
    await inTransaction(deps.db, async (tx) => {
      const current = await lockSet(tx, set.id)
      if (!current) throw hidden()
      await check(tx, current)
      const before = await describe(tx, current)
      if (change === 'add') await insertTargets(tx, set.id, kind, ids)
      else await deleteTargets(tx, set.id, kind, ids)
      const after = { ...current, updatedAt: deps.clock.now() }
      await updateSet(tx, after)
      await recordUpdate(deps, tx, author, { ...changeOf(after), before, after: await describe(tx, after) })
    })
  } catch (thrown) {
    // One that was deleted meanwhile is as unknown as any other.
    if (isReferenceChanged(thrown)) await check(deps.db, set)
    throw thrown
  }
}

async function documentFaults(
  db: Queryable,
  grants: OrganizationGrants,
  set: VariableSet,
  targets: WantedTargets,
): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const kind of ['workspaces', 'projects'] as const) {
    const ids = targets[kind]
    if (!ids?.length) continue
    const pointer = `/data/relationships/${kind}`
    faults.push(...targetFaults(set, pointer))
    faults.push(...(await unknownTargets(db, grants, set, { kind, ids, pointer: `${pointer}/data` })))
  }
  return faults
}

/** Entries of a list that are not there for the caller, or not in the project that owns the set. */
async function unknownTargets(
  db: Queryable,
  grants: OrganizationGrants,
  { organizationId, projectId }: VariableSet,
  { kind, ids, pointer }: { readonly kind: TargetKind; readonly ids: readonly string[]; readonly pointer: string },
): Promise<Fault[]> {
  const wanted = [...new Set(ids)]
  const known = new Set<string>(
    kind === 'workspaces'
      ? (await loadWorkspaces(db, wanted))
          .filter((each) => each.organizationId === organizationId && canSeeWorkspace(grants, each))
          .filter((each) => projectId === null || each.projectId === projectId)
          .map(({ id }) => id)
      : (await loadProjects(db, wanted))
          .filter((each) => each.organizationId === organizationId && canOnProject(grants, 'can-read', each.id))
          .filter((each) => projectId === null || each.id === projectId)
          .map(({ id }) => id),
  )
  const noun = kind === 'workspaces' ? 'Workspace' : 'Project'
  const where = projectId === null ? 'the organization' : 'the project that owns the set'
  return ids.flatMap((id, index) =>
    known.has(id) ? [] : [{ detail: `${noun} ${id} was not found in ${where}`, pointer: `${pointer}/${index}/id` }],
  )
}
