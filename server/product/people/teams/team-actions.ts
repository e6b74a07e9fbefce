import { canDelegate, canInOrganization, hidden, type OrganizationGrants } from '../../../access/permissions/index.ts'
import type { Searcher } from '../../../access/searcher.ts'
import { type Fault, failure } from '../../../kernel/failure.ts'
import { type Author, recordChange, recordUpdate } from '../../../kit/change-log/index.ts'
import { type Deps, perApp } from '../../../kit/deps.ts'
import { invalidAttribute, invalidDocument, requireNoFaults } from '../../../kit/jsonapi/index.ts'
import { unlessTaken } from '../../../storage/database-errors.ts'
import type { Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { lockArea, VersionedCache } from '../../../storage/versions.ts'
import { insertMembership, runDepartureSteps } from '../users/index.ts'
import { lostLastOwner } from './memberships/membership.ts'
import {
  countOwners,
  deleteTeamMembers,
  findMemberships,
  findMembershipsOfUsers,
  insertTeamMembers,
  lockOrganizationForUpdate,
} from './memberships/membership-store.ts'
import { canSeeEveryTeam, ownersName, type Team, type TeamSettings } from './team.ts'
import { settings } from './team-fields.ts'
import {
  deleteTeam,
  insertTeam,
  listTeams,
  loadTeam,
  loadTeamByNames,
  lockTeamForUpdate,
  updateTeam,
} from './team-store.ts'

type TeamDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'store' | 'parts'>

const subjectOf = (team: Team) => ({ type: 'teams', id: team.id, name: team.name })

const describeTeam = (team: Team) => ({ ...settings.toDocument(team), 'organization-access': team.access })

const newTeam = (
  deps: TeamDeps,
  organizationId: string,
  requested: TeamSettings & { readonly name: string },
): Team => ({
  ...settings.initial,
  visibility: 'secret',
  access: [],
  ...requested,
  id: deps.ids.newId('team'),
  organizationId,
  owners: false,
  createdAt: deps.clock.now(),
})

const nameTaken = () => invalidAttribute('name', 'Name has already been taken', 'team.name-taken')

/** Makes a team. */
export async function createTeam(
  deps: TeamDeps,
  author: Author,
  grants: OrganizationGrants,
  requested: TeamSettings & { readonly name: string },
): Promise<Team> {
  requireNoFaults(settingFaults(grants, undefined, requested))
  const team = newTeam(deps, grants.organizationId, requested)
  await unlessTaken(nameTaken, () => inTransaction(deps.db, (tx) => insertAndRecord(deps, tx, author, team)))
  return team
}

async function insertAndRecord(deps: TeamDeps, tx: Tx, author: Author, team: Team): Promise<void> {
  await insertTeam(tx, team)
  const change = { organizationId: team.organizationId, subject: subjectOf(team), action: 'create' }
  await recordChange(deps, tx, author, { ...change, after: describeTeam(team) })
}

/** The first owner of an organization. */
type FirstOwner = { readonly id: string; readonly email: string }

/** Makes the owners team of a new organization, with its first owner in it. */
export async function createOwnersTeam(
  deps: TeamDeps,
  tx: Tx,
  author: Author,
  { organizationId, owner }: { readonly organizationId: string; readonly owner: FirstOwner },
): Promise<Team> {
  const team: Team = {
    ...newTeam(deps, organizationId, { name: ownersName, visibility: 'organization' }),
    owners: true,
  }
  const membership = {
    id: deps.ids.newId('ou'),
    organizationId,
    userId: owner.id,
    email: owner.email,
    status: 'active',
    createdAt: deps.clock.now(),
  } as const
  await insertAndRecord(deps, tx, author, team)
  await insertMembership(tx, membership)
  await insertTeamMembers(tx, [team.id], [membership.id])
  return team
}

/** Faults of settings that this caller, or nobody, may set. */
function settingFaults(grants: OrganizationGrants, team: Team | undefined, requested: TeamSettings): Fault[] {
  const faults: Fault[] = []
  const refuse = (name: string, detail: string) => faults.push({ detail, pointer: `/data/attributes/${name}` })
  const { name, access, allowedLoginMethods } = requested
  if (name?.toLowerCase() === ownersName && !team?.owners) refuse('name', 'Name has already been taken')
  if (team?.owners && name !== undefined && name !== team.name) refuse('name', 'The owners team keeps its name')
  if (team?.owners && access?.length) refuse('organization-access', 'The owners team has full access already')
  const mayGrant = grants.owner || canInOrganization(grants, 'can-manage-organization-access')
  const changed = access !== undefined && JSON.stringify(access) !== JSON.stringify(team?.access ?? [])
  if (changed && !(mayGrant && canDelegate(grants, { owners: false, access }))) {
    refuse('organization-access', 'You cannot grant this access to the organization')
  }
  const added = allowedLoginMethods?.filter((method) => !team?.allowedLoginMethods.includes(method)) ?? []
  if (added.length > 0 && !grants.owner) {
    if (added.includes('cert'))
      refuse('allow-certificate-login', 'Only owners can let certificate logins act as a team')
    else refuse('allowed-login-methods', 'Only owners can let logins act as a team')
  }
  return faults
}

/** A change of a team by somebody with these grants. */
type TeamChange = {
  readonly grants: OrganizationGrants
  readonly id: string
  /** The new settings, made from the team as it is at the moment of writing. */
  readonly wanted: (before: Team) => TeamSettings
}

/** Changes the settings of a team. */
export async function changeTeam(deps: TeamDeps, author: Author, { grants, id, wanted }: TeamChange): Promise<Team> {
  return unlessTaken(nameTaken, () =>
    inTransaction(deps.db, async (tx) => {
      await lockArea(tx, 'teams')
      const before = await loadTeam(tx, id)
      if (!before) throw failure('missing', 'team.missing', 'There is no such team.')
      const requested = wanted(before)
      requireNoFaults(settingFaults(grants, before, requested))
      // Others refer to teams by name, so a name can hand out access.
      if (requested.name !== undefined && requested.name !== before.name) requireCanGrantTeam(grants, before)
      const after: Team = { ...before, ...requested, ...(before.owners ? { access: [] } : {}) }
      await updateTeam(tx, after)
      const { organizationId } = after
      const change = {
        organizationId,
        subject: subjectOf(after),
        before: describeTeam(before),
        after: describeTeam(after),
      }
      await recordUpdate(deps, tx, author, change)
      return after
    }),
  )
}

/** Removes a team; the owners team cannot be removed. */
export async function removeTeam(deps: TeamDeps, author: Author, team: Team): Promise<void> {
  if (team.owners) throw failure('invalid', 'team.owners', 'The owners team cannot be deleted.')
  await inTransaction(deps.db, async (tx) => {
    if (!(await lockTeamForUpdate(tx, team.id))) throw hidden()
    await runDepartureSteps(deps, tx, author, { kind: 'team', id: team.id, organizationId: team.organizationId })
    await deleteTeam(tx, team.id)
    const change = { organizationId: team.organizationId, subject: subjectOf(team), action: 'delete' }
    await recordChange(deps, tx, author, { ...change, before: describeTeam(team) })
  })
}

/** Members by user id or user name, or by membership. */
export type MemberNames = { readonly users: readonly string[] } | { readonly memberships: readonly string[] }

/** The memberships that are named; if one does not belong to the organization, all are refused. */
async function resolveMembers(tx: Tx, team: Team, names: MemberNames): Promise<string[]> {
  const wanted = 'users' in names ? names.users : names.memberships
  const idsByName = await membershipIdsByName(tx, team.organizationId, names)
  const faults = wanted.flatMap((name, index) =>
    idsByName.has(name) ? [] : [{ detail: 'No such member of the organization', pointer: `/data/${index}/id` }],
  )
  if (faults.length > 0) throw invalidDocument(faults)
  return [...new Set(idsByName.values())]
}

async function membershipIdsByName(
  tx: Tx,
  organizationId: string,
  names: MemberNames,
): Promise<ReadonlyMap<string, string>> {
  if ('users' in names) {
    const found = await findMembershipsOfUsers(tx, organizationId, names.users)
    return new Map(found.map(({ name, membership }) => [name, membership.id]))
  }
  const found = await findMemberships(tx, organizationId, names.memberships)
  return new Map(found.map(({ id }) => [id, id]))
}

/** Who is to join a team, and the rights of the caller who adds them. */
type NewMembers = { readonly grants: OrganizationGrants; readonly team: Team; readonly names: MemberNames }

/** Refuses callers who would hand out, by filling a team, rights that they do not have themselves. */
export function requireCanGrantTeam(grants: OrganizationGrants, team: Team): void {
  if (canDelegate(grants, team)) return
  throw failure('refused', 'team.too-much', 'This team has more access than you may grant.')
}

/** Puts members into a team. */
export async function addMembers(deps: TeamDeps, author: Author, { grants, team, names }: NewMembers): Promise<void> {
  requireCanGrantTeam(grants, team)
  await inTransaction(deps.db, async (tx) => {
    const members = await resolveMembers(tx, team, names)
    await insertTeamMembers(tx, [team.id], members)
    const change = { organizationId: team.organizationId, subject: subjectOf(team), action: 'add-members' }
    await recordChange(deps, tx, author, { ...change, after: { members } })
  })
}

/** Removes members from a team; the last owner stays. */
export async function removeMembers(deps: TeamDeps, author: Author, team: Team, names: MemberNames): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    await lockOrganizationForUpdate(tx, team.organizationId)
    const members = await resolveMembers(tx, team, names)
    const owners = await countOwners(tx, team.organizationId)
    await deleteTeamMembers(tx, team.id, members)
    if (team.owners && lostLastOwner(owners, await countOwners(tx, team.organizationId))) {
      throw failure(
        'invalid',
        'team.last-owner',
        'The owners team must keep at least one member who is not suspended; add another owner first.',
      )
    }
    const change = { organizationId: team.organizationId, subject: subjectOf(team), action: 'remove-members' }
    await recordChange(deps, tx, author, { ...change, before: { members } })
  })
}

const linkedTeamCache = perApp((deps) => new VersionedCache<string, Team>(deps.store.versions, 'teams', { max: 1_000 }))

/** The team that `organization/team` names now, which may be another one than when the link was made. */
export async function findLinkedTeam(deps: Deps, names: string): Promise<Team | undefined> {
  const cache = linkedTeamCache(deps)
  const asOf = cache.version()
  const team = cache.get(names) ?? (await loadTeamByNames(deps.db, names))
  if (team) cache.set(names, team, asOf)
  return team
}

/** Finds the teams that the caller may see by a part of their name. */
export const searchTeams: Searcher = async ({ deps }, { grants, text, limit }) => {
  const secretFor = canSeeEveryTeam(grants) ? undefined : grants.teamIds
  const filter = { organizationId: grants.organizationId, search: text, secretFor }
  const { teams } = await listTeams(deps.reads, filter, { offset: 0, limit })
  return teams.map(({ id, name }) => ({ type: 'teams', id, name }))
}
