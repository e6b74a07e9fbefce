import {
  canOnProject,
  hidden,
  type OrganizationGrants,
  onResource,
  type PermittedResource,
  type ProjectRight,
  visibleProjects,
} from '../../../access/permissions/index.ts'
import type { Searcher } from '../../../access/searcher.ts'
import { type Fault, failure } from '../../../kernel/failure.ts'
import { isId } from '../../../kernel/ids.ts'
import { type Author, type Members, recordChange, recordUpdate } from '../../../kit/change-log/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { Access } from '../../../kit/endpoint.ts'
import { invalidAttribute, requireNoFaults } from '../../../kit/jsonapi/index.ts'
import { unlessTaken } from '../../../storage/database-errors.ts'
import type { Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { lockArea } from '../../../storage/versions.ts'
import { deleteScopesOf } from '../../workspaces/pools/index.ts'
import {
  bindingListFaults,
  changeBindings,
  describeBindings,
  type KeyValue,
  loadWorkspaces,
  mergeBindings,
  moveWorkspaces,
  replaceBindings,
  rescheduleWithProject,
  storeBindings,
  type TagBinding,
} from '../../workspaces/workspaces/index.ts'
import {
  blankSettings,
  type CountedProject,
  deleteProject,
  followerFaults,
  type InheritedDefaults,
  insertProject,
  loadPoolFollowers,
  lockAgentPoolForShare,
  lockDefaultPoolForShare,
  organizationOf,
  type Project,
  type ProjectSettings,
  projectDefaults,
  projectSettings,
  updateProject,
} from '../organizations/index.ts'
import { executionFaults, mergeSettings, type RequestedProject } from './project-change.ts'
import { listProjects, loadProject, loadProjectByName, lockProjectForUpdate } from './project-store.ts'

type Change = { readonly before: Project; readonly after: Project; readonly inherited: InheritedDefaults }

/**
 * Refuses settings that would leave workspaces of the project in agent mode without a pool. No others can begin to use
 * the pool before the transaction ends.
 */
async function requirePoolOfFollowers(
  tx: Tx,
  requested: RequestedProject,
  { before, after, inherited }: Change,
): Promise<void> {
  if (poolOf(before, inherited) === null || poolOf(after, inherited) !== null) return
  await lockProjectForUpdate(tx, after.id)
  requireNoFaults(
    followerFaults('workspaces', await loadPoolFollowers(tx, { projectId: after.id }), pointerOf(requested)),
  )
}

/** The pool that workspaces with agent mode of their own follow, whatever the mode of the project. */
const poolOf = (project: ProjectSettings, organization: InheritedDefaults): string | null =>
  project.overwritesAgentPool ? project.defaultAgentPoolId : organization.defaultAgentPoolId

const pointerOf = ({ defaultExecutionMode }: RequestedProject): string =>
  `/data/attributes/${defaultExecutionMode === undefined ? 'setting-overwrites' : 'default-execution-mode'}`

type ProjectDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'store' | 'settings' | 'parts' | 'keyring'>

const changeOf = (project: Project) => ({
  organizationId: project.organizationId,
  subject: { type: 'projects', id: project.id, name: project.name },
})

/** Settings as the change log shows them, by the names of documents. */
const describeProject = (project: ProjectSettings): Members => ({
  ...projectSettings.toDocument(project),
  ...projectDefaults.toDocument(project),
  'default-agent-pool-id': project.defaultAgentPoolId,
  'setting-overwrites': {
    'default-execution-mode': project.overwritesExecutionMode,
    'default-agent-pool': project.overwritesAgentPool,
  },
})

const bindingTargetOf = ({ organizationId, id }: Project) => ({ organizationId, projectId: id })

const nameTaken = () => invalidAttribute('name', 'Name has already been taken', 'project.name-taken')

/** A document about a project; bindings that are sent replace all it has. */
type ProjectDraft<A extends RequestedProject = RequestedProject> = {
  readonly requested: A
  /** Where the document names the default pool. */
  readonly poolPointer: string
  readonly bindings?: readonly KeyValue[] | undefined
}

const bindingsPointer = '/data/relationships/tag-bindings/data'

/** Makes a project, with the tag bindings that are sent. */
export async function createProject(
  deps: ProjectDeps,
  author: Author,
  organizationId: string,
  draft: ProjectDraft<RequestedProject & { name: string }>,
): Promise<Project> {
  const at = deps.clock.now()
  const { requested, bindings = [] } = draft
  const settings = mergeSettings(blankSettings(requested.name), requested)
  const project: Project = { ...settings, id: deps.ids.newId('prj'), organizationId, createdAt: at, updatedAt: at }
  await unlessTaken(nameTaken, () =>
    inTransaction(deps.db, async (tx) => {
      await requireValid(tx, draft, project)
      await insertProject(tx, project)
      if (bindings.length > 0) await mergeBindings(tx, deps.ids, bindingTargetOf(project), { bindings, at })
      const after = { ...describeProject(project), ...(bindings.length > 0 ? describeBindings(bindings) : {}) }
      await recordChange(deps, tx, author, { ...changeOf(project), action: 'create', after })
    }),
  )
  return project
}

/**
 * Changes settings of a project, and replaces its tag bindings if some are sent. Members that are not sent stay as they
 * are.
 */
export async function changeProject(
  deps: ProjectDeps,
  author: Author,
  id: string,
  draft: ProjectDraft,
): Promise<Project> {
  const { requested, bindings } = draft
  return unlessTaken(nameTaken, () =>
    inTransaction(deps.db, async (tx) => {
      await lockArea(tx, 'projects')
      const before = await loadProject(tx, id)
      if (!before) throw hidden()
      const after: Project = { ...before, ...mergeSettings(before, requested), updatedAt: deps.clock.now() }
      await requireValid(tx, draft, after, before)
      await updateProject(tx, after)
      if (after.autoDestroyActivityDuration !== before.autoDestroyActivityDuration) {
        await rescheduleWithProject(tx, after.id, after.autoDestroyActivityDuration, after.updatedAt)
      }
      const sent = bindings && { bindings, store: replaceBindings, at: after.updatedAt }
      const tags = sent && (await storeBindings(deps, tx, bindingTargetOf(after), sent))
      await recordUpdate(deps, tx, author, {
        ...changeOf(after),
        before: { ...describeProject(before), ...tags?.before },
        after: { ...describeProject(after), ...tags?.after },
      })
      return after
    }),
  )
}

/** Refuses what is wrong with a project after a document; what this depends on stays until the transaction ends. */
async function requireValid(
  tx: Tx,
  { requested, poolPointer, bindings = [] }: ProjectDraft,
  after: Project,
  before?: Project,
): Promise<void> {
  const { id, organizationId, defaultAgentPoolId: pool } = after
  const inherited = await lockDefaultPoolForShare(tx, organizationId)
  if (!inherited) throw hidden()
  const faults = [
    ...executionFaults(requested, after, { inherited, poolPointer }),
    ...bindingListFaults(bindings, bindingsPointer),
  ]
  if (pool !== null && !(await lockAgentPoolForShare(tx, organizationId, pool))) faults.push(unknownPool(poolPointer))
  requireNoFaults(faults)
  const named = await loadProjectByName(tx, organizationId, after.name)
  if (named && named.id !== id) throw nameTaken()
  if (before) await requirePoolOfFollowers(tx, requested, { before, after, inherited })
}

const unknownPool = (pointer: string): Fault => ({ detail: 'Agent pool was not found in this organization', pointer })

/** Removes a project without workspaces. The default project cannot be removed. */
export async function removeProject(deps: ProjectDeps, author: Author, project: Project): Promise<void> {
  const organization = await organizationOf(deps, project.organizationId)
  if (organization.defaultProjectId === project.id) {
    throw failure('invalid', 'project.default', 'The default project of an organization cannot be deleted.')
  }
  await inTransaction(deps.db, async (tx) => {
    if (!(await deleteProject(tx, project.id))) {
      if (!(await loadProject(tx, project.id))) throw hidden()
      throw failure('invalid', 'project.not-empty', 'The project still has workspaces; move or delete them first.')
    }
    await deleteScopesOf(tx, project.id)
    await recordChange(deps, tx, author, { ...changeOf(project), action: 'delete', before: describeProject(project) })
  })
}

type ChangeBindings = (
  deps: ProjectDeps,
  author: Author,
  project: Project,
  bindings: readonly KeyValue[],
) => Promise<TagBinding[]>

const changeWith =
  (store: typeof mergeBindings): ChangeBindings =>
  (deps, author, { id }, bindings) =>
    changeBindings(deps, author, { bindings, store }, async (tx, at) => {
      await lockArea(tx, 'projects')
      const project = await loadProject(tx, id)
      if (!project) throw hidden()
      await updateProject(tx, { ...project, updatedAt: at })
      return { target: bindingTargetOf(project), named: changeOf(project) }
    })

/** Adds tag bindings to a project or changes their values. */
export const mergeProjectBindings: ChangeBindings = changeWith(mergeBindings)

/** Makes these the only tag bindings of a project. */
export const replaceProjectBindings: ChangeBindings = changeWith(replaceBindings)

/** Moves workspaces into a project: all of them, or none. */
export async function moveIntoProject(
  deps: ProjectDeps,
  author: Author,
  { grants, project }: { grants: OrganizationGrants; project: Project },
  ids: readonly string[],
): Promise<void> {
  const wanted = [...new Set(ids)]
  const found = await loadWorkspaces(deps.db, wanted)
  const movable = found.filter(
    (each) =>
      each.organizationId === project.organizationId && canOnProject(grants, 'can-move-workspace', each.projectId),
  )
  if (movable.length !== wanted.length) {
    throw failure(
      'refused',
      'project.move-refused',
      'A workspace of the list does not exist, or you may not move it out of its project.',
    )
  }
  await moveWorkspaces(deps, author, { grants, workspaces: movable, projectId: project.id })
}

/** The parameter of paths that name a project. */
export const projectInPath = {
  projectId: { description: 'Identifier of the project.', example: 'prj-1111111111111111' },
}

/** Access to the project in the path for those with this right on it. */
export const onProject = (right: ProjectRight): Access<PermittedResource<CountedProject>> =>
  onResource({
    name: `project:${right}`,
    load: async ({ deps, params: { projectId = '' } }) =>
      isId('prj', projectId) ? loadProject(deps.db, projectId) : undefined,
    allows: (grants, project) =>
      canOnProject(grants, 'can-read', project.id) && canOnProject(grants, right, project.id),
  })

/** Finds the projects that the caller may see by a part of their name. */
export const searchProjects: Searcher = async ({ deps }, { grants, text, limit }) => {
  const { organizationId } = grants
  const visible = visibleProjects(grants)
  const ids = visible.kind === 'all' ? undefined : visible.projectIds
  const filter = { organizationId, ids, names: [], text: text.toLowerCase(), tagged: [] }
  const { projects } = await listProjects(deps.reads, filter, { offset: 0, limit })
  return projects.map(({ id, name }) => ({ type: 'projects', id, name }))
}
