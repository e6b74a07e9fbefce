import { toolVersionAlias } from '../../server/compat/vendor-names.ts'
import { CliFailure } from '../io.ts'
import { type Copy, copyAll, differences, keyed } from './copy.ts'
import { listAll, listIfAny, type Resource, requireWriter, textOf } from './documents.ts'
import { bindings, consumers, organizations, projects, tags, variables, workspaces } from './kinds.ts'
import { copyState } from './states/state-import.ts'

/**
 * Copies organizations with their contents. Whatever exists already is left as it is, except for states that are behind
 * and what is to be updated, so an import that failed can simply be run again.
 */
export async function importOrganizations(copy: Copy, names: readonly string[]): Promise<void> {
  const list = '/api/v2/organizations'
  const all = await Array.fromAsync(listAll(copy.from, list))
  const sources = all.filter(({ id }) => names.length === 0 || names.includes(id))
  const unknown = names.filter((name) => !sources.some(({ id }) => id === name))
  if (unknown.length > 0) throw new CliFailure(`The source has no organization ${unknown.join(', ')}.`)
  const mayCreate = await requireWriter(copy.to)
  await copyAll(copy, {
    kind: organizations,
    sources,
    list,
    before: ({ id }, existing) => {
      if (!existing && !mayCreate)
        throw new CliFailure('This token sees no organization of this name here, and may not create one.', 2)
      if (!existing || existing.id === id) return undefined
      const twin = all.find((other) => other.id !== id && fold(other.id) === fold(id))
      if (twin) throw new CliFailure(`The source also has ${twin.id}, which is the same name here. Rename one of them.`)
      copy.report.note(`Organization ${id} is called ${existing.id} here.`)
      return undefined
    },
    after: async (source, target) => {
      await copyWorkspaces(copy, source, await copyProjects(copy, source, target))
    },
  })
}

/** Names of organizations are compared without case here. */
const fold = (name: string): string => name.toLowerCase()

/**
 * The ids of projects of the target by their ids at the source: empty ones in a dry run, undefined for a project that
 * was refused.
 */
type ProjectIds = ReadonlyMap<string, string | undefined>

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

/** The target is undefined in a dry run that would create it. */
async function copyProjects(copy: Copy, source: Resource, target: Resource | undefined): Promise<ProjectIds> {
  const list = `/api/v2/organizations/${source.id}/projects`
  const known = target ? await keyed(copy, { kind: projects, list }) : new Map([[nameOf(newDefault), newDefault]])
  const all = await Array.fromAsync(listIfAny(copy.from, source, 'default-project', list))
  const ids = new Map<string, string | undefined>(all.map(({ id }) => [id, undefined]))
  const defaultId = source.relationships?.['default-project']?.data?.id
  const own = all.find(({ id }) => id === defaultId)
  const adopted = own && adoptDefault(own, known) ? own : undefined
  await copyAll(copy, {
    kind: projects,
    sources: adopted ? [adopted, ...all.filter((project) => project !== adopted)] : all,
    list,
    known,
    before: (project) => (project === adopted ? { update: true } : undefined),
    after: async (project, made) => {
      ids.set(project.id, made?.id ?? '')
      // Workspaces inherit the tags of their project, and command lines find workspaces by them.
      const owner = `project ${nameOf(project)}`
      await copy.report.attempt(`List of tags of ${owner}`, () => copyBindings(copy, project, made, owner))
    },
  })
  return ids
}

const nameOf = (document: Resource): string => textOf(document, 'name')

/**
 * The default project of the target becomes that of the source, whatever its name, as long as nobody has used it.
 * `known` has the projects of the target by name. Returns whether it does.
 */
function adoptDefault(source: Resource, known: Map<string, Resource>): boolean {
  const unused = known.get(nameOf(newDefault))
  const namesake = known.get(nameOf(source))
  if (!unused || (namesake && namesake !== unused)) return false
  if (Object.keys(differences(newDefault.attributes, unused.attributes)).length > 0) return false
  known.delete(nameOf(newDefault))
  known.set(nameOf(source), unused)
  return true
}

async function copyWorkspaces(copy: Copy, organization: Resource, projectIds: ProjectIds): Promise<void> {
  const { report } = copy
  const list = `/api/v2/organizations/${organization.id}/workspaces`
  const pairs = new Map<string, Pair>()
  await copyAll(copy, {
    kind: workspaces,
    sources: listAll(copy.from, list),
    list,
    before: (source, existing) => {
      const project = projectOf(source, projectIds)
      const connectByHand = (link: string) => report.note(`${nameOf(source)} uses ${link}; connect it here by hand.`)
      if (!existing && source.attributes['vcs-repo']) connectByHand('a repository')
      // Not every server says which pool it is.
      const isAgents = source.attributes['execution-mode'] === 'agent' || source.relationships?.['agent-pool']?.data
      if (!existing && isAgents) connectByHand('an agent pool')
      return { project }
    },
    after: async (source, made, isNew) => {
      if (made && isNew) noteOtherTool(copy, source, made)
      pairs.set(source.id, { source, target: made })
      await copyContents(copy, source, made)
    },
  })
  for (const pair of pairs.values()) {
    const what = `List of consumers of ${nameOf(pair.source)}`
    await report.attempt(what, () => copyConsumers(copy, pair, pairs))
  }
}

/**
 * The project of the target where a workspace belongs: in another one, other people could use it. Undefined if the
 * source has no projects.
 */
function projectOf({ relationships }: Resource, ids: ProjectIds): string | undefined {
  const source = relationships?.project?.data?.id
  if (source === undefined) return undefined
  const target = ids.get(source)
  const why = ids.has(source) ? 'Its project was not copied.' : 'This token may not see its project.'
  if (target === undefined) throw new CliFailure(why, 2)
  return target
}

/** The version may stand for a release of another tool here, where other releases are known. */
function noteOtherTool({ report }: Copy, source: Resource, made: Resource): void {
  const [theirs, ours] = [textOf(source, 'tool-name'), textOf(made, 'tool-name')]
  if (theirs !== '' && theirs !== ours)
    report.note(`${nameOf(source)} uses ${theirs} at the source and ${ours} here; set its ${toolVersionAlias}.`)
}

/** A tag that is refused must not cost a workspace its state. */
async function copyContents(copy: Copy, source: Resource, target: Resource | undefined): Promise<void> {
  const { report } = copy
  const name = nameOf(source)
  await report.attempt(`List of tags of ${name}`, async () => {
    const known = new Map(tagsOf(target).map((tag) => [tags.key?.(tag) ?? '', tag]))
    const list = `/api/v2/workspaces/${target?.id}/relationships/tags`
    await copyAll(copy, { kind: tags, sources: tagsOf(source), list, known, owner: name })
    await copyBindings(copy, source, target, name)
  })
  await report.attempt(`List of variables of ${name}`, () => copyVariables(copy, source, target))
  await report.attempt(`State of ${name}`, () => copyState(copy, source, target))
}

/** The flat tags of a workspace; spelled in two ways, one is the same tag. */
function tagsOf(workspace: Resource | undefined): Resource[] {
  const names = (workspace?.attributes['tag-names'] ?? []) as string[]
  const unique = new Map(names.map((name) => [name.toLowerCase(), name]))
  return [...unique.values()].map((name) => ({ id: name, type: 'tags', attributes: { name } }))
}

/** Copies the tags with values of a workspace or project. */
async function copyBindings(copy: Copy, source: Resource, target: Resource | undefined, owner: string): Promise<void> {
  const listOf = ({ type, id }: Resource): string => `/api/v2/${type}/${id}/tag-bindings`
  const sources = listIfAny(copy.from, source, 'tag-bindings', listOf(source))
  // The default project of an organization that a dry run would create has no id yet.
  await copyAll(copy, { kind: bindings, sources, list: target?.id ? listOf(target) : undefined, owner })
}

/** A workspace of the source, and the one it was copied to; undefined in a dry run. */
type Pair = { readonly source: Resource; readonly target: Resource | undefined }

/**
 * Lets the same workspaces read a workspace's state as at the source. `pairs` has all copied ones, by their ids there.
 */
async function copyConsumers(copy: Copy, { source, target }: Pair, pairs: ReadonlyMap<string, Pair>): Promise<void> {
  // A workspace that shares its state globally or with its project lists all of them as consumers, and accepts no list.
  if (source.attributes['global-remote-state'] !== false || source.attributes['project-remote-state'] === true) return
  const listOf = ({ id }: Resource): string => `/api/v2/workspaces/${id}/relationships/remote-state-consumers`
  const theirs = await Array.fromAsync(listIfAny(copy.from, source, 'remote-state-consumers', listOf(source)))
  const sources = theirs.flatMap(({ id }) => {
    const pair = pairs.get(id)
    return pair ? [{ ...pair.source, id: pair.target?.id ?? id }] : []
  })
  await copyAll(copy, { kind: consumers, sources, list: target && listOf(target), owner: nameOf(source) })
}

/** Values of sensitive variables cannot be read, so these are created empty and reported. */
async function copyVariables(copy: Copy, source: Resource, target: Resource | undefined): Promise<void> {
  const listOf = ({ id }: Resource): string => `/api/v2/workspaces/${id}/vars`
  const owner = nameOf(source)
  await copyAll(copy, {
    kind: variables,
    sources: listAll(copy.from, listOf(source)),
    list: target && listOf(target),
    owner,
    after: ({ attributes }, _made, isNew) => {
      if (attributes.sensitive !== true) return
      const variable = `Variable ${attributes.key} of ${owner} is sensitive`
      if (isNew) copy.report.note(`${variable}; set its value again.`)
      // A run that was killed may have created it empty, and whether it still is cannot be read.
      else copy.report.noteForEnd(`${variable} and was here already; make sure that its value is set.`)
    },
  })
}
