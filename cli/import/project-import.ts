import type { Client } from '../client.ts'
import { copyBindings } from './binding-import.ts'
import type { Copy } from './copy.ts'
import { copyableMode, createOnce, findOne, listAll, type Resource, textOf } from './documents.ts'

/**
 * Copies projects; returns the ids of those of the target by their ids at the source: empty ones in a dry run, undefined
 * for a project that was refused.
 */
export async function copyProjects(copy: Copy, organization: string): Promise<ReadonlyMap<string, string | undefined>> {
  const path = `/api/v2/organizations/${organization}/projects`
  const known = new Map<string, string>()
  if (await findOne(copy.to, `/api/v2/organizations/${organization}`)) {
    for await (const project of listAll(copy.to, path)) known.set(textOf(project, 'name'), project.id)
  }
  const ids = new Map<string, string | undefined>()
  for await (const project of listAll(copy.from, path, 'if any')) {
    ids.set(project.id, undefined)
    await copy.report.attempt(`Project ${textOf(project, 'name')}`, async () => {
      ids.set(project.id, await copyProject(copy, path, project, known))
    })
  }
  return ids
}

async function copyProject(copy: Copy, path: string, source: Resource, known: Map<string, string>): Promise<string> {
  const name = textOf(source, 'name')
  const id = known.get(name) ?? (await makeProject(copy, path, source))
  if (known.has(name)) copy.report.existed('project')
  else copy.report.copied('project', name)
  // Workspaces inherit the tags of their project, and command lines find workspaces by them.
  const paths = { source: `/api/v2/projects/${source.id}`, target: id === '' ? undefined : `/api/v2/projects/${id}` }
  await copy.report.attempt(`List of tags of project ${name}`, () => copyBindings(copy, paths, `project ${name}`))
  return id
}

/** Creates a project like the one at the source and returns its id; empty in a dry run. */
async function makeProject({ to, dryRun }: Copy, path: string, source: Resource): Promise<string> {
  if (dryRun) return ''
  const find = () => findByName(to, path, textOf(source, 'name'))
  return (await createOnce(to, path, projectDocument(source), find)).id
}

async function findByName(client: Client, path: string, name: string): Promise<Resource | undefined> {
  for await (const each of listAll(client, path)) if (textOf(each, 'name') === name) return each
  return undefined
}

function projectDocument(source: Resource): object {
  const overwrites = Object(source.attributes['setting-overwrites']) as Record<string, unknown>
  const mode =
    overwrites['default-execution-mode'] === true ? copyableMode(source, 'default-execution-mode') : undefined
  const description = textOf(source, 'description')
  const duration = textOf(source, 'auto-destroy-activity-duration')
  const attributes = {
    name: textOf(source, 'name'),
    ...(description && { description }),
    ...(mode && { 'default-execution-mode': mode, 'setting-overwrites': { 'default-execution-mode': true } }),
    ...(duration && { 'auto-destroy-activity-duration': duration }),
  }
  return { type: 'projects', attributes }
}
