import { CliFailure } from '../io.ts'
import { requireWriter } from './caller.ts'
import type { Copy } from './copy.ts'
import { listAll, type Resource, textOf } from './documents.ts'
import { copyConsumers, type Pair } from './resources/consumer-import.ts'
import { copyOrganization, type OrganizationRules } from './resources/organization-import.ts'
import { copyProjects, type ProjectIds } from './resources/project-import.ts'
import { copyTags } from './resources/tag-import.ts'
import { copyVariables } from './resources/variable-import.ts'
import { copyWorkspace } from './resources/workspace-import.ts'
import { copyState } from './states/state-import.ts'

/**
 * Copies organizations with their contents. Whatever exists already is left as it is, except for states that are behind
 * and what is to be updated, so an import that failed can simply be run again.
 */
export async function importOrganizations(copy: Copy, names: readonly string[]): Promise<void> {
  const all = await Array.fromAsync(listAll(copy.from, '/api/v2/organizations'))
  const wanted = all.filter(({ id }) => names.length === 0 || names.includes(id))
  const unknown = names.filter((name) => !wanted.some(({ id }) => id === name))
  if (unknown.length > 0) throw new CliFailure(`The source has no organization ${unknown.join(', ')}.`)
  const { mayCreateOrganizations: mayCreate } = await requireWriter(copy.to)
  for (const organization of wanted) {
    await copy.report.attempt(`Organization ${organization.id}`, async () => {
      const twin = all.find(({ id }) => id !== organization.id && fold(id) === fold(organization.id))?.id
      await importOrganization(copy, organization, { twin, mayCreate })
    })
  }
}

/** Names of organizations are compared without case here. */
const fold = (name: string): string => name.toLowerCase()

async function importOrganization(copy: Copy, source: Resource, rules: OrganizationRules): Promise<void> {
  const target = await copyOrganization(copy, source, rules)
  const projects = await copyProjects(copy, source, target)
  const pairs = new Map<string, Pair>()
  for await (const workspace of listAll(copy.from, `/api/v2/organizations/${source.id}/workspaces`)) {
    await copy.report.attempt(`Workspace ${textOf(workspace, 'name') || workspace.id}`, async () => {
      const projectId = projectOf(workspace, projects)
      const pair = { source: workspace, target: await copyWorkspace(copy, source.id, workspace, projectId) }
      pairs.set(workspace.id, pair)
      await copyContents(copy, pair)
    })
  }
  for (const pair of pairs.values()) {
    const what = `List of consumers of ${textOf(pair.source, 'name')}`
    await copy.report.attempt(what, () => copyConsumers(copy, pair, pairs))
  }
}

/**
 * The project of the target where a workspace belongs: in another one, other people could use it. Undefined if the
 * source has no projects.
 */
function projectOf({ relationships }: Resource, projects: ProjectIds): string | undefined {
  const source = relationships?.project?.data?.id
  if (source === undefined) return undefined
  const target = projects.get(source)
  if (target === undefined)
    throw new CliFailure(
      projects.has(source) ? 'Its project was not copied.' : 'This token may not see its project.',
      2,
    )
  return target
}

/** A tag that is refused must not cost a workspace its state. */
async function copyContents(copy: Copy, { source, target }: Pair): Promise<void> {
  const { report } = copy
  const name = textOf(source, 'name')
  await report.attempt(`List of tags of ${name}`, () => copyTags(copy, source, target))
  await report.attempt(`List of variables of ${name}`, () => copyVariables(copy, source, target))
  await report.attempt(`State of ${name}`, () => copyState(copy, source, target))
}
