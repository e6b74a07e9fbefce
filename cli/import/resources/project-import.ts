import type { Client } from '../../connection/client.ts'
import type { Copy } from '../copy.ts'
import { copyableMode, createOnce, listAll, listIfAny, type Resource, textOf } from '../documents.ts'
import { requireAcceptedName } from '../names.ts'
import { differences, overwritesOf, reconcile, type Settings, withoutEmpty } from '../reconcile.ts'
import { copyBindings } from './binding-import.ts'
import { projectSettings } from './setting-names.ts'

/**
 * The ids of projects of the target by their ids at the source: empty ones in a dry run, undefined for a project that
 * was refused.
 */
export type ProjectIds = ReadonlyMap<string, string | undefined>

/** The default project that every new organization has. */
const newDefault: Resource = {
  id: '',
  type: 'projects',
  attributes: {
    name: 'Default Project',
    description: null,
    'auto-destroy-activity-duration': null,
    'workspace-count': 0,
    'setting-overwrites': { 'default-execution-mode': false },
  },
}

/** Copies the projects of an organization; the target is undefined in a dry run that would create it. */
export async function copyProjects(copy: Copy, source: Resource, target: Resource | undefined): Promise<ProjectIds> {
  const path = `/api/v2/organizations/${source.id}/projects`
  const here = target ? await Array.fromAsync(listAll(copy.to, path)) : [newDefault]
  const known = new Map(here.map((project) => [textOf(project, 'name'), project]))
  const there = await Array.fromAsync(listIfAny(copy.from, source, 'default-project', path))
  const ids = new Map<string, string | undefined>(there.map(({ id }) => [id, undefined]))
  const attempt = (project: Resource, work: () => Promise<string>): Promise<void> =>
    copy.report.attempt(`Project ${textOf(project, 'name')}`, async () => void ids.set(project.id, await work()))
  const defaultId = source.relationships?.['default-project']?.data?.id
  const adopted = there.find((project) => project.id === defaultId && isAdoptable(project, known))
  if (adopted) await attempt(adopted, () => adoptDefault(copy, adopted, known))
  for (const project of there) {
    if (project !== adopted) await attempt(project, () => copyProject(copy, path, project, known))
  }
  return ids
}

/** Projects of the target by their names. */
type Known = Map<string, Resource>

/** The default project of the target becomes that of the source, whatever its name, as long as nobody has used it. */
function isAdoptable(source: Resource, known: Known): boolean {
  const found = known.get(textOf(newDefault, 'name'))
  const namesake = known.get(textOf(source, 'name'))
  if (!found || (namesake && namesake !== found)) return false
  return Object.keys(differences(newDefault.attributes, found.attributes)).length === 0
}

async function adoptDefault(copy: Copy, source: Resource, known: Known): Promise<string> {
  const unused = known.get(textOf(newDefault, 'name')) ?? newDefault
  known.delete(textOf(unused, 'name'))
  return await updateProject({ ...copy, update: true }, source, unused)
}

async function copyProject(copy: Copy, path: string, source: Resource, known: Known): Promise<string> {
  const existing = known.get(textOf(source, 'name'))
  return existing ? await updateProject(copy, source, existing) : await makeProject(copy, path, source)
}

async function updateProject(copy: Copy, source: Resource, existing: Resource): Promise<string> {
  const name = textOf(source, 'name')
  requireAcceptedName('project', name)
  const path = `/api/v2/projects/${existing.id}`
  const twins = { kind: 'project', name, wanted: settingsOf(source), existing: existing.attributes } as const
  await reconcile(copy, twins, (attributes) =>
    copy.to.call({ method: 'PATCH', path, body: { data: { type: 'projects', attributes } } }),
  )
  await copyProjectTags(copy, source, existing.id)
  return existing.id
}

/** Creates a project like the one at the source and returns its id; empty in a dry run. */
async function makeProject(copy: Copy, path: string, source: Resource): Promise<string> {
  const name = textOf(source, 'name')
  requireAcceptedName('project', name)
  const document = { type: 'projects', attributes: withoutEmpty(settingsOf(source)) }
  const find = () => findByName(copy.to, path, name)
  const id = copy.dryRun ? '' : (await createOnce(copy.to, path, document, find)).id
  copy.report.copied('project', name)
  await copyProjectTags(copy, source, id)
  return id
}

/** Workspaces inherit the tags of their project, and command lines find workspaces by them. */
async function copyProjectTags(copy: Copy, source: Resource, id: string): Promise<void> {
  const owner = `project ${textOf(source, 'name')}`
  const target = id === '' ? undefined : `/api/v2/projects/${id}`
  await copy.report.attempt(`List of tags of ${owner}`, () => copyBindings(copy, source, target, owner))
}

async function findByName(client: Client, path: string, name: string): Promise<Resource | undefined> {
  for await (const each of listAll(client, path)) if (textOf(each, 'name') === name) return each
  return undefined
}

function settingsOf(source: Resource): Settings {
  const plain = Object.fromEntries(projectSettings.map((name) => [name, source.attributes[name]]))
  return { ...plain, ...modeOf(source) }
}

/** A project that follows its organization does so here, too. */
function modeOf(source: Resource): Settings {
  const isOwn = overwritesOf(source)['default-execution-mode']
  if (isOwn === false) return { 'setting-overwrites': { 'default-execution-mode': false } }
  const mode = isOwn === true ? copyableMode(source, 'default-execution-mode') : undefined
  return mode ? { 'default-execution-mode': mode, 'setting-overwrites': { 'default-execution-mode': true } } : {}
}
