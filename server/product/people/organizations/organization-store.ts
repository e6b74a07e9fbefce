import { presentOrganizations } from '../../../access/permissions/index.ts'
import type { Id } from '../../../kernel/ids.ts'
import { type ColumnsOf, rowReader, rowWriter } from '../../../kit/field-set.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import { rowChunksOf } from '../../../storage/row-chunks.ts'
import { contains, containsInAnyCase } from '../../../storage/search.ts'
import { bumpVersion } from '../../../storage/versions.ts'
import { defaultProjectName, type Organization, type OrganizationId } from './organization.ts'
import { facts, settings, tokenLimits } from './organization-fields.ts'
import { blankSettings } from './projects/project.ts'
import { insertProject } from './projects/project-row-store.ts'

/** An organization with its settings. */
interface OrganizationRow
  extends ColumnsOf<typeof settings.fields>,
    ColumnsOf<typeof tokenLimits.fields>,
    ColumnsOf<typeof facts.fields> {
  id: string
  name_key: string
  default_project_id: string
}

declare module '../../../storage/tables.ts' {
  interface DescribedTables {
    organizations: OrganizationRow
  }
}

const toOrganization: (row: OrganizationRow) => Organization = rowReader([settings, tokenLimits, facts], {
  id: (row) => row.id as OrganizationId,
  defaultProjectId: (row) => row.default_project_id as Id<'prj'>,
})

const toRow: (organization: Organization) => OrganizationRow = rowWriter([settings, tokenLimits, facts], {
  id: (organization) => organization.id,
  name_key: (organization) => organization.name.toLowerCase(),
  default_project_id: (organization) => organization.defaultProjectId,
})

/** The organization with this id. */
export async function loadOrganization(db: Queryable, id: string): Promise<Organization | undefined> {
  const row = await presentOrganizations(db).selectAll().where('id', '=', id).executeTakeFirst()
  return row && toOrganization(row)
}

/** The organization of this name, compared without case. */
export async function loadOrganizationByName(db: Queryable, name: string): Promise<Organization | undefined> {
  const row = await presentOrganizations(db).selectAll().where('name_key', '=', name.toLowerCase()).executeTakeFirst()
  return row && toOrganization(row)
}

/** The organizations with these ids, by name. */
export async function loadOrganizations(db: Queryable, ids: readonly string[]): Promise<Organization[]> {
  const found: Organization[] = []
  for (const lot of rowChunksOf(ids)) {
    const rows = await presentOrganizations(db).selectAll().where('id', 'in', lot).execute()
    found.push(...rows.map(toOrganization))
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Which organizations are asked for. */
type OrganizationFilter = {
  readonly ids: readonly string[]
  /** Part of the name or of the e-mail address. */
  readonly text?: string | undefined
  readonly name?: string | undefined
  /** Part of the e-mail address. */
  readonly email?: string | undefined
}

/** A page of organizations by name, and how many there are. */
export async function listOrganizations(
  db: Queryable,
  filter: OrganizationFilter,
  page: { readonly offset: number; readonly limit: number },
): Promise<{ organizations: Organization[]; total: number }> {
  let query = presentOrganizations(db).where('id', 'in', filter.ids)
  const { text } = filter
  if (text !== undefined) {
    query = query.where(({ or }) => or([contains('name_key', text.toLowerCase()), containsInAnyCase('email', text)]))
  }
  if (filter.name !== undefined) query = query.where(contains('name_key', filter.name.toLowerCase()))
  if (filter.email !== undefined) query = query.where(containsInAnyCase('email', filter.email))
  const { total } = await query.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await query.selectAll().orderBy('name_key').limit(page.limit).offset(page.offset).execute()
  return { organizations: rows.map(toOrganization), total: Number(total) }
}

/** Stores an organization with its default project. */
export async function insertOrganization(tx: Tx, organization: Organization): Promise<void> {
  await tx.insertInto('organizations').values(toRow(organization)).execute()
  await insertProject(tx, {
    ...blankSettings(defaultProjectName),
    id: organization.defaultProjectId,
    organizationId: organization.id,
    createdAt: organization.createdAt,
    updatedAt: organization.createdAt,
  })
  await bumpOrganizations(tx)
}

/** Stores what changed about an organization. */
export async function updateOrganization(tx: Tx, organization: Organization): Promise<void> {
  const { id: _id, ...columns } = toRow(organization)
  await tx.updateTable('organizations').set(columns).where('id', '=', organization.id).execute()
  await bumpOrganizations(tx)
}

/** Gives the name of an organization away that is being removed, and forgets what is remembered of it. */
export async function releaseName(tx: Tx, id: string): Promise<void> {
  // No name contains a colon.
  await tx
    .updateTable('organizations')
    .set({ name_key: `removed:${id}` })
    .where('id', '=', id)
    .execute()
  await bumpOrganizations(tx)
  for (const area of ['projects', 'workspaces'] as const) bumpVersion(tx, area)
}

/** How many workspaces an organization has. */
export async function countWorkspaces(db: Queryable, id: string): Promise<number> {
  const { count } = await db
    .selectFrom('workspace_counts')
    .select(({ fn }) => fn.sum<number>('workspaces').as('count'))
    .where('organization_id', '=', id)
    .executeTakeFirstOrThrow()
  return Number(count ?? 0)
}

/** Removes the row of an organization, with what is left in it. */
export async function deleteOrganization(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('organizations').where('id', '=', id).execute()
}

/**
 * Cached rights and tokens contain the organization's name and settings, and linked tokens find their team by that
 * name.
 */
async function bumpOrganizations(tx: Tx): Promise<void> {
  for (const area of ['organizations', 'permissions', 'api-tokens', 'teams'] as const) bumpVersion(tx, area)
}

const poolOf = (db: Queryable, organizationId: string, poolId: string) =>
  db.selectFrom('agent_pools').select('id').where('id', '=', poolId).where('organization_id', '=', organizationId)

/** True if the pool belongs to the organization. */
export async function hasAgentPool(db: Queryable, organizationId: string, poolId: string): Promise<boolean> {
  return (await poolOf(db, organizationId, poolId).executeTakeFirst()) !== undefined
}

/** The same, and the pool cannot be deleted before the transaction ends. */
export async function lockAgentPoolForShare(tx: Tx, organizationId: string, poolId: string): Promise<boolean> {
  return (await poolOf(tx, organizationId, poolId).forKeyShare().executeTakeFirst()) !== undefined
}
