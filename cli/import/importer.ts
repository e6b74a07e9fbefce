import { CliFailure } from '../io.ts'
import type { Copy } from './copy.ts'
import { everyOf, findOne, make, type Resource, textOf } from './documents.ts'
import { copyState } from './state-import.ts'
import { copyTags, copyVariables, copyWorkspace } from './workspace-import.ts'

/**
 * Copies organizations with what is in them. Whatever is there already is left as it is, so an import that broke off is
 * simply run again.
 */
export async function importOrganizations(copy: Copy, names: readonly string[]): Promise<void> {
  const wanted: Resource[] = []
  for await (const each of everyOf(copy.from, '/api/v2/organizations')) {
    if (names.length === 0 || names.includes(each.id)) wanted.push(each)
  }
  const unknown = names.filter((name) => !wanted.some(({ id }) => id === name))
  if (unknown.length > 0) throw new CliFailure(`The source has no organization ${unknown.join(', ')}.`)
  for (const organization of wanted) await importOrganization(copy, organization)
}

async function importOrganization(copy: Copy, source: Resource): Promise<void> {
  const name = source.id
  if (await findOne(copy.to, `/api/v2/organizations/${name}`)) copy.report.there('organization')
  else await makeOrganization(copy, source)
  const projects = await copyProjects(copy, name)
  for await (const workspace of everyOf(copy.from, `/api/v2/organizations/${name}/workspaces`)) {
    await copyOne(copy, name, workspace, projects.get(workspace.relationships?.project?.data?.id ?? ''))
  }
}

async function makeOrganization({ to, dryRun, report }: Copy, source: Resource): Promise<void> {
  if (!dryRun) {
    const attributes = { name: source.id, email: textOf(source, 'email') || 'import@example.invalid' }
    await make(to, '/api/v2/organizations', { type: 'organizations', attributes })
  }
  report.copied('organization', source.id)
}

/** The projects here by the ids they have at the source. */
async function copyProjects(copy: Copy, organization: string): Promise<ReadonlyMap<string, string>> {
  const path = `/api/v2/organizations/${organization}/projects`
  const known = new Map<string, string>()
  if (await findOne(copy.to, `/api/v2/organizations/${organization}`)) {
    for await (const project of everyOf(copy.to, path)) known.set(textOf(project, 'name'), project.id)
  }
  const ids = new Map<string, string>()
  for await (const project of everyOf(copy.from, path)) {
    const name = textOf(project, 'name')
    const there = known.get(name)
    if (there) copy.report.there('project')
    else copy.report.copied('project', name)
    const attributes = { name, description: textOf(project, 'description') }
    const id = there ?? (copy.dryRun ? '' : (await make(copy.to, path, { type: 'projects', attributes })).id)
    ids.set(project.id, id)
  }
  return ids
}

/** One workspace that cannot be copied does not keep the others back. */
async function copyOne(
  copy: Copy,
  organization: string,
  source: Resource,
  projectId: string | undefined,
): Promise<void> {
  try {
    const target = await copyWorkspace(copy, organization, source, projectId)
    await copyTags(copy, source, target)
    await copyVariables(copy, source, target)
    await copyState(copy, source, target)
  } catch (thrown) {
    if (!(thrown instanceof CliFailure)) throw thrown
    copy.report.failed(`${textOf(source, 'name')} was not copied in full: ${thrown.message}`)
  }
}
