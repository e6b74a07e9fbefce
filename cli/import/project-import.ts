import type { Client } from '../client.ts'
import { copyBindings } from './binding-import.ts'
import type { Copy } from './copy.ts'
import { copyableMode, createOnce, findOne, listAll, type Resource, textOf } from './documents.ts'

/** The projects here by the ids they have at the source. */
export async function copyProjects(copy: Copy, organization: string): Promise<ReadonlyMap<string, string>> {
  const path = `/api/v2/organizations/${organization}/projects`
  const known = new Map<string, string>()
  if (await findOne(copy.to, `/api/v2/organizations/${organization}`)) {
    for await (const project of listAll(copy.to, path)) known.set(textOf(project, 'name'), project.id)
  }
  const ids = new Map<string, string>()
  for await (const project of listAll(copy.from, path, 'if any')) {
    const name = textOf(project, 'name')
    const there = known.get(name)
    if (there) copy.report.existed('project')
    else copy.report.copied('project', name)
    const find = () => findByName(copy.to, path, name)
    const id = there ?? (copy.dryRun ? '' : (await createOnce(copy.to, path, projectDocument(project), find)).id)
    // Workspaces inherit them, and command lines find workspaces by them.
    const at = { there: `/api/v2/projects/${project.id}`, here: id === '' ? undefined : `/api/v2/projects/${id}` }
    await copyBindings(copy, at, `project ${name}`)
    ids.set(project.id, id)
  }
  return ids
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
