import { hidden } from '../../../access/permissions/index.ts'
import type { Fault } from '../../../kernel/failure.ts'
import { type Author, type Members, recordChange, recordUpdate } from '../../../kit/change-log/index.ts'
import { type Deps, perApp } from '../../../kit/deps.ts'
import { invalidDocument } from '../../../kit/jsonapi/index.ts'
import { partsOf } from '../../../kit/parts.ts'
import { beginRemoval, type Progress, type Removal, type Remover, saveRemoval } from '../../../kit/removals/index.ts'
import { removeDependents } from '../../../storage/cascade.ts'
import { unlessTaken } from '../../../storage/database-errors.ts'
import type { Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { lockArea, VersionedCache } from '../../../storage/versions.ts'
import { createOwnersTeam } from '../teams/index.ts'
import type { User } from '../users/index.ts'
import {
  type Organization,
  type OrganizationSettings,
  type RequestedSettings,
  settleDefaultPool,
  type TokenLimits,
} from './organization.ts'
import { settings, tokenLimits } from './organization-fields.ts'
import {
  countWorkspaces,
  deleteOrganization,
  insertOrganization,
  loadOrganization,
  loadOrganizationByName,
  lockAgentPoolForShare,
  releaseName,
  updateOrganization,
} from './organization-store.ts'
import { followerFaults } from './pool-followers.ts'
import { loadFollowingProjects, loadPoolFollowers, lockDefaultPoolForUpdate } from './pool-followers-store.ts'

/** An organization as the change log shows it. */
const describeOrganization = (organization: Organization): Members => ({
  ...settings.toDocument(organization),
  ...tokenLimits.toDocument(organization),
  tier: organization.tier,
  'default-agent-pool-id': organization.defaultAgentPoolId,
})

type OrganizationDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'store' | 'parts'>

const cacheOf = perApp(
  (deps) => new VersionedCache<string, Organization>(deps.store.versions, 'organizations', { max: 10_000 }),
)

/** The organization with this id; from memory unless one has changed. Throws `hidden` when it is gone. */
export async function organizationOf(deps: Pick<Deps, 'db' | 'store'>, id: string): Promise<Organization> {
  return await cacheOf(deps).getOrLoad(id, async () => {
    const organization = await loadOrganization(deps.db, id)
    if (!organization) throw hidden()
    return organization
  })
}

const subjectOf = (organization: Organization) => ({
  type: 'organizations',
  id: organization.id,
  name: organization.name,
})

const nameRefused = () => invalidDocument([takenName])

/** Settings that were sent, with the faults that came with them. */
type SettingsDraft = RequestedSettings & {
  readonly requireNoFaults: (faults?: readonly Fault[]) => unknown
}

const standardSettings: Omit<OrganizationSettings, 'name' | 'email' | 'defaultTool'> = {
  ...settings.initial,
  collaboratorAuthPolicy: 'password',
  defaultExecutionMode: 'remote',
}

/** The owner and the settings of a new organization. */
type NewOrganization = {
  readonly owner: Pick<User, 'id' | 'email'>
  readonly draft: SettingsDraft
  /** Used unless the draft names another. */
  readonly defaultTool: OrganizationSettings['defaultTool']
}

/** Makes an organization with its owners team, its first owner and its default project. */
export async function createOrganization(
  deps: OrganizationDeps,
  author: Author,
  { owner, draft, defaultTool }: NewOrganization,
): Promise<Organization> {
  const { mode, poolId, faults } = settleDefaultPool(standardSettings, draft.read, draft.poolPointer)
  const taken = draft.read.name !== undefined && (await loadOrganizationByName(deps.db, draft.read.name)) !== undefined
  draft.requireNoFaults([...faults, ...(poolId ? [unknownPool(draft.poolPointer)] : []), ...(taken ? [takenName] : [])])
  const at = deps.clock.now()
  const organization = {
    ...standardSettings,
    ...tokenLimits.initial,
    defaultTool,
    ...draft.read,
    defaultExecutionMode: mode,
    id: deps.ids.newId('org'),
    defaultProjectId: deps.ids.newId('prj'),
    tier: 'plus',
    createdAt: at,
    updatedAt: at,
  } as Organization
  await unlessTaken(nameRefused, () =>
    inTransaction(deps.db, async (tx) => {
      await insertOrganization(tx, organization)
      await createOwnersTeam(deps, tx, author, { organizationId: organization.id, owner })
      const change = { organizationId: organization.id, subject: subjectOf(organization), action: 'create' }
      await recordChange(deps, tx, author, { ...change, after: describeOrganization(organization) })
    }),
  )
  return organization
}

const takenName: Fault = {
  detail: 'Name has already been taken',
  pointer: '/data/attributes/name',
  code: 'organization.name-taken',
}

const unknownPool = (pointer: string): Fault => ({
  detail: 'Default agent pool does not exist in this organization',
  pointer,
})

/** Changes settings of an organization. */
export async function changeOrganization(
  deps: OrganizationDeps,
  author: Author,
  id: string,
  draft: SettingsDraft,
): Promise<Organization> {
  return unlessTaken(nameRefused, () =>
    inTransaction(deps.db, async (tx) => {
      await lockArea(tx, 'organizations')
      const before = await loadOrganization(tx, id)
      if (!before) throw hidden()
      const { mode, poolId, faults } = settleDefaultPool(before, draft.read, draft.poolPointer)
      const known = poolId === null || (await lockAgentPoolForShare(tx, id, poolId))
      const unknown = known ? [] : [unknownPool(draft.poolPointer)]
      const inUse = before.defaultAgentPoolId !== null && poolId === null ? await lostPoolFaults(tx, id) : []
      draft.requireNoFaults([...faults, ...unknown, ...inUse])
      const pool = { defaultExecutionMode: mode, defaultAgentPoolId: poolId }
      const after: Organization = { ...before, ...draft.read, ...pool, updatedAt: deps.clock.now() }
      await saveChange(deps, tx, author, { before, after })
      return after
    }),
  )
}

/** What would be left in agent mode without a pool if the organization had no default pool any more. */
async function lostPoolFaults(tx: Tx, id: string): Promise<Fault[]> {
  await lockDefaultPoolForUpdate(tx, id)
  const pointer = '/data/attributes/default-execution-mode'
  return [
    ...followerFaults('projects', await loadFollowingProjects(tx, id), pointer),
    ...followerFaults('workspaces', await loadPoolFollowers(tx, { organizationId: id }), pointer),
  ]
}

/** Changes which paid features an organization has. */
export async function changeTier(deps: OrganizationDeps, author: Author, id: string, tier: string): Promise<void> {
  await changeMembers(deps, author, id, { tier })
}

/** Changes how long new tokens may last. */
export const changeTokenLimits = (
  deps: OrganizationDeps,
  author: Author,
  id: string,
  limits: Partial<TokenLimits>,
): Promise<Organization> => changeMembers(deps, author, id, limits)

/** Changes members that no rule ties to others. */
const changeMembers = (
  deps: OrganizationDeps,
  author: Author,
  id: string,
  members: Partial<TokenLimits & Pick<Organization, 'tier'>>,
): Promise<Organization> =>
  inTransaction(deps.db, async (tx) => {
    await lockArea(tx, 'organizations')
    const before = await loadOrganization(tx, id)
    if (!before) throw hidden()
    const after: Organization = { ...before, ...members, updatedAt: deps.clock.now() }
    await saveChange(deps, tx, author, { before, after })
    return after
  })

type Versions = { readonly before: Organization; readonly after: Organization }

/** Stores a changed organization, and records what changed. */
async function saveChange(deps: OrganizationDeps, tx: Tx, author: Author, { before, after }: Versions): Promise<void> {
  await updateOrganization(tx, after)
  await recordUpdate(deps, tx, author, {
    organizationId: after.id,
    subject: subjectOf(after),
    before: describeOrganization(before),
    after: describeOrganization(after),
  })
}

/** Removes an organization: it is gone at once, its name is free, and everything in it follows. */
export async function removeOrganization(deps: Deps, author: Author, id: string): Promise<void> {
  const requestedAt = await deps.store.databaseNow()
  await inTransaction(deps.db, async (tx) => {
    await lockArea(tx, 'organizations')
    const organization = await loadOrganization(tx, id)
    if (!organization) throw hidden()
    await releaseName(tx, id)
    const rowsLeft = Math.max(1, await countWorkspaces(tx, id))
    const request = { name: organization.name, requestedBy: author.name, requestedAt, rowsLeft, payload: null }
    await saveRemoval(tx, { kind: 'organization', subjectId: id, ...request })
    const change = { organizationId: id, subject: subjectOf(organization), action: 'delete' }
    await recordChange(deps, tx, author, { ...change, before: describeOrganization(organization) })
  })
  await beginRemoval(deps, { kind: 'organization', subjectId: id })
}

declare module '../../../kit/parts.ts' {
  interface FeatureParts {
    /** Removes about `limit` rows of an organization that is gone; undefined when the feature has none left. */
    organizationContent: (deps: Deps, tx: Tx, removal: Removal, limit: number) => Promise<Progress | undefined>
  }
}

/** Removes what is in an organization that is gone, and its row last. */
export const organizationRemover: Remover = {
  kind: 'organization',
  removeSome: async (deps, tx, removal, limit) => {
    for (const removeContent of partsOf(deps, 'organizationContent')) {
      const progress = await removeContent(deps, tx, removal, limit)
      if (progress) return progress
    }
    if ((await removeDependents(tx, 'organizations', [removal.subjectId], limit)) >= limit) return { left: 1 }
    await deleteOrganization(tx, removal.subjectId)
    return { left: 0 }
  },
}
