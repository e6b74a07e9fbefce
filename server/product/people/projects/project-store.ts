import type { SelectQueryBuilder } from 'kysely'
import type { Queryable, Tx } from '../../../storage/open.ts'
import { containsInAnyCase } from '../../../storage/search.ts'
import type { DescribedTables } from '../../../storage/tables.ts'
import { type CountedProject, countedProjects, type Project, toCounted, toProject } from '../organizations/index.ts'

/** A project by its id. */
export async function loadProject(db: Queryable, id: string): Promise<CountedProject | undefined> {
  const row = await countedProjects(db).where('projects.id', '=', id).executeTakeFirst()
  return row && toCounted(row)
}

/** A project by its name. */
export async function loadProjectByName(
  db: Queryable,
  organizationId: string,
  name: string,
): Promise<Project | undefined> {
  const row = await db
    .selectFrom('projects')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('name', '=', name)
    .executeTakeFirst()
  return row && toProject(row)
}

/** Which projects of an organization are wanted. */
type ProjectFilter = {
  readonly organizationId: string
  /** Only these; undefined for all. */
  readonly ids: readonly string[] | undefined
  /** Names in any case; empty for all. */
  readonly names: readonly string[]
  /** Part of the name, in lower case. */
  readonly text: string
  /** Tag bindings a project must have, each given by key, value or both. */
  readonly tagged: readonly { readonly key?: string | undefined; readonly value?: string | undefined }[]
}

/** Which page of a list, and in which direction it is sorted. */
type ProjectPage = { offset: number; limit: number; sort?: { descending: boolean } | undefined }

/** One page of projects by name, and how many there are. */
export async function listProjects(
  db: Queryable,
  filter: ProjectFilter,
  page: ProjectPage,
): Promise<{ projects: CountedProject[]; total: number }> {
  const all = filteredQuery(db, filter)
  const { total } = await all.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow()
  const wanted = orderedQuery(all.select('projects.id'), page).limit(page.limit).offset(page.offset)
  const rows = await orderedQuery(countedProjects(db).where('projects.id', 'in', wanted), page).execute()
  return { projects: rows.map(toCounted), total: Number(total) }
}

type ProjectQuery<T> = SelectQueryBuilder<DescribedTables, 'projects', T>

function filteredQuery(db: Queryable, filter: ProjectFilter): ProjectQuery<unknown> {
  let all: ProjectQuery<unknown> = db
    .selectFrom('projects')
    .where('projects.organization_id', '=', filter.organizationId)
  if (filter.ids) all = all.where('projects.id', 'in', filter.ids)
  const names = filter.names.map((name) => name.toLowerCase())
  if (names.length > 0) all = all.where(({ fn }) => fn<string>('lower', ['projects.name']), 'in', names)
  if (filter.text !== '') all = all.where(containsInAnyCase('projects.name', filter.text))
  for (const { key, value } of filter.tagged) {
    all = all.where('projects.id', 'in', (eb) => {
      let bound = eb
        .selectFrom('tag_bindings')
        .select((of) => of.ref('project_id').$notNull().as('project_id'))
        .where('organization_id', '=', filter.organizationId)
        .where('project_id', 'is not', null)
      if (key !== undefined) bound = bound.where('key', '=', key)
      if (value !== undefined) bound = bound.where('value', '=', value)
      return bound
    })
  }
  return all
}

/** By name without case, the same on every engine since names are ASCII. Ids break ties. */
function orderedQuery<T>(query: ProjectQuery<T>, { sort }: ProjectPage): ProjectQuery<T> {
  const direction = sort?.descending ? 'desc' : 'asc'
  return query.orderBy(({ fn }) => fn('lower', ['projects.name']), direction).orderBy('projects.id', direction)
}

/** Blocks requests that begin to use what a project decides; those under way end first. */
export async function lockProjectForUpdate(tx: Tx, id: string): Promise<void> {
  await tx.selectFrom('projects').select('id').where('id', '=', id).forUpdate().execute()
}
