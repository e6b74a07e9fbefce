import { CliFailure } from '../io.ts'
import { copyConsumers, type Pair } from './consumer-import.ts'
import type { Copy } from './copy.ts'
import { copyableMode, createOnce, findOne, listAll, type Resource, textOf } from './documents.ts'
import { copyProjects } from './project-import.ts'
import { copyState } from './state-import.ts'
import { copyTags, copyVariables, copyWorkspace } from './workspace-import.ts'

/**
 * Copies organizations with their contents. Whatever exists already is left as it is, so an import that failed can
 * simply be run again.
 */
export async function importOrganizations(copy: Copy, names: readonly string[]): Promise<void> {
  const all = await Array.fromAsync(listAll(copy.from, '/api/v2/organizations'))
  const wanted = all.filter(({ id }) => names.length === 0 || names.includes(id))
  const unknown = names.filter((name) => !wanted.some(({ id }) => id === name))
  if (unknown.length > 0) throw new CliFailure(`The source has no organization ${unknown.join(', ')}.`)
  for (const organization of wanted) {
    await copy.report.attempt(`Organization ${organization.id}`, async () => {
      const twin = all.find(({ id }) => id !== organization.id && fold(id) === fold(organization.id))
      await importOrganization(copy, organization, twin?.id)
    })
  }
}

/** Names of organizations are compared without case here. */
const fold = (name: string): string => name.toLowerCase()

/** `twin` is the name of another organization of the source that this server cannot tell apart from this one. */
async function importOrganization(copy: Copy, source: Resource, twin: string | undefined): Promise<void> {
  const name = source.id
  const existing = await findOne(copy.to, `/api/v2/organizations/${name}`)
  if (!existing) await makeOrganization(copy, source)
  else if (existing.id === name) copy.report.existed('organization')
  else if (twin !== undefined)
    throw new CliFailure(`The source also has ${twin}, which is the same name here. Rename one of them.`)
  else {
    copy.report.existed('organization')
    copy.report.note(`Organization ${name} is called ${existing.id} here.`)
  }
  const projects = await copyProjects(copy, name)
  const pairs = new Map<string, Pair>()
  for await (const workspace of listAll(copy.from, `/api/v2/organizations/${name}/workspaces`)) {
    const sourceProject = workspace.relationships?.project?.data?.id ?? ''
    const projectId = projects.get(sourceProject)
    await copy.report.attempt(`Workspace ${textOf(workspace, 'name')}`, async () => {
      // In another project, other people could use it.
      if (projectId === undefined && projects.has(sourceProject)) throw new CliFailure('Its project was not copied.')
      const target = await copyWorkspace(copy, name, workspace, projectId)
      const pair = { source: workspace, target }
      pairs.set(workspace.id, pair)
      await copyContents(copy, pair)
    })
  }
  for (const pair of pairs.values()) {
    const what = `List of consumers of ${textOf(pair.source, 'name')}`
    await copy.report.attempt(what, () => copyConsumers(copy, pair, pairs))
  }
}

/** A tag that is refused must not cost a workspace its state. */
async function copyContents(copy: Copy, { source, target }: Pair): Promise<void> {
  const { report } = copy
  const name = textOf(source, 'name')
  await report.attempt(`List of tags of ${name}`, () => copyTags(copy, source, target))
  await report.attempt(`List of variables of ${name}`, () => copyVariables(copy, source, target))
  await report.attempt(`State of ${name}`, () => copyState(copy, source, target))
}

async function makeOrganization({ to, dryRun, report }: Copy, source: Resource): Promise<void> {
  const mode = copyableMode(source, 'default-execution-mode')
  if (!dryRun) {
    const email = textOf(source, 'email') || 'import@example.invalid'
    const attributes = { name: source.id, email, ...(mode && { 'default-execution-mode': mode }) }
    const find = () => findOne(to, `/api/v2/organizations/${source.id}`)
    await createOnce(to, '/api/v2/organizations', { type: 'organizations', attributes }, find)
  }
  report.copied('organization', source.id)
}
