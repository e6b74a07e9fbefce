import { isDeepStrictEqual } from 'node:util'
import { canOnProject, hidden, type OrganizationGrants } from '../../access/permissions/index.ts'
import { type Fault, failure } from '../../kernel/failure.ts'
import type { Deps } from '../../kit/deps.ts'
import { invalidAttribute, invalidDocument, requireNoFaults } from '../../kit/jsonapi/index.ts'
import { untilWritten } from '../../kit/until-written.ts'
import { unlessTaken } from '../../storage/errors.ts'
import type { Tx } from '../../storage/open.ts'
import { inTransaction } from '../../storage/transaction.ts'
import { lockArea } from '../../storage/versions.ts'
import { type Author, type Members, recordChange, recordUpdate } from '../change-log/index.ts'
import {
  blankSettings,
  hasAgentPool,
  keepAgentPool,
  organizationOf,
  type Project,
  type ProjectSettings,
} from '../organizations/index.ts'
import {
  bindingListFaults,
  bindingPairs,
  type KeyValue,
  loadBindings,
  loadWorkspaces,
  maxBindings,
  mergeBindings,
  moveWorkspaces,
  replaceBindings,
  rescheduleWithProject,
  type TagBinding,
  tooManyBindings,
} from '../workspaces/index.ts'
import { requireDefaultPools } from './default-pool-actions.ts'
import { type AskedProject, executionFaults, mergeSettings } from './project-rules.ts'
import { deleteProject, insertProject, loadProject, loadProjectByName, updateProject } from './project-store.ts'

type ProjectDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'store' | 'settings'>

const changeOf = (project: Project) => ({
  organizationId: project.organizationId,
  subject: { type: 'projects', id: project.id, name: project.name },
})

/** Settings as the change log shows them, by the names of documents. */
const describeProject = (project: ProjectSettings): Members => ({
  name: project.name,
  description: project.description,
  'auto-destroy-activity-duration': project.autoDestroyActivityDuration,
  'default-execution-mode': project.defaultExecutionMode,
  'default-agent-pool-id': project.defaultAgentPoolId,
  'setting-overwrites': {
    'default-execution-mode': project.overwritesExecutionMode,
    'default-agent-pool': project.overwritesAgentPool,
  },
})

const describeBindings = (bindings: readonly KeyValue[]): Members => ({ 'tag-bindings': bindingPairs(bindings) })

const nameTaken = () => invalidAttribute('name', 'Name has already been taken', 'project.name-taken')

/** A document about a project; bindings that are sent replace all it has. */
export type ProjectDraft<A extends AskedProject = AskedProject> = {
  readonly asked: A
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
  { asked, poolPointer, bindings = [] }: ProjectDraft<AskedProject & { name: string }>,
): Promise<Project> {
  const at = deps.clock.now()
  const settings = mergeSettings(blankSettings(asked.name), asked)
  await requireValid(deps, organizationId, { asked, poolPointer, bindings }, settings)
  const project: Project = { ...settings, id: deps.ids.newId('prj'), organizationId, createdAt: at, updatedAt: at }
  await unlessTaken(nameTaken, () =>
    inTransaction(deps.db, async (tx) => {
      if (await loadProjectByName(tx, organizationId, project.name)) throw nameTaken()
      await requirePool(tx, project, poolPointer)
      await requireDefaultPools(tx, { asked, poolPointer }, project)
      await insertProject(tx, project)
      if (bindings.length > 0)
        await mergeBindings(tx, deps.ids, { organizationId, projectId: project.id }, { bindings, at })
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
  addressed: Project,
  draft: ProjectDraft,
): Promise<Project> {
  let before = addressed
  return untilWritten(async () => {
    const changed = await tryChange(deps, author, before, draft)
    if (changed) return changed
    const current = await loadProject(deps.db, before.id)
    if (!current) throw hidden()
    before = current
    return undefined
  }, contended)
}

const contended = () => failure('conflict', 'project.contended', 'The project is being changed by others; try again.')

/** Undefined when another write came first. */
async function tryChange(
  deps: ProjectDeps,
  author: Author,
  before: Project,
  { asked, poolPointer, bindings }: ProjectDraft,
): Promise<Project | undefined> {
  const settings = mergeSettings(before, asked)
  await requireValid(deps, before.organizationId, { asked, poolPointer, bindings }, settings)
  const after: Project = { ...before, ...settings, updatedAt: deps.clock.now() }
  return unlessTaken(nameTaken, () =>
    inTransaction(deps.db, async (tx) => {
      await lockArea(tx, 'projects')
      const current = await loadProject(tx, before.id)
      if (!current || !hasSameSettings(current, before)) return undefined
      const named = await loadProjectByName(tx, before.organizationId, after.name)
      if (named && named.id !== before.id) throw nameTaken()
      await requirePool(tx, after, poolPointer)
      await requireDefaultPools(tx, { asked, poolPointer }, after, before)
      await updateProject(tx, after)
      if (after.autoDestroyActivityDuration !== before.autoDestroyActivityDuration) {
        await rescheduleWithProject(tx, after.id, after.autoDestroyActivityDuration, after.updatedAt)
      }
      const tags = bindings && (await storeBindings(deps, tx, after, { bindings, store: replaceBindings }))
      await recordUpdate(deps, tx, author, {
        ...changeOf(after),
        before: { ...describeProject(before), ...tags?.before },
        after: { ...describeProject(after), ...tags?.after },
      })
      return after
    }),
  )
}

/**
 * The numbers of workspaces and teams of a project may change while its settings are written, so they are not compared.
 */
const hasSameSettings = (one: ProjectSettings, other: ProjectSettings): boolean =>
  isDeepStrictEqual(describeProject(one), describeProject(other))

async function requireValid(
  deps: ProjectDeps,
  organizationId: string,
  { asked, poolPointer, bindings = [] }: ProjectDraft,
  settings: ProjectSettings,
): Promise<void> {
  const organization = await organizationOf(deps, organizationId)
  const faults = [
    ...executionFaults(asked, settings, { inherited: organization, poolPointer }),
    ...bindingListFaults(bindings, bindingsPointer),
  ]
  const pool = settings.defaultAgentPoolId
  if (pool !== null && !(await hasAgentPool(deps.db, organizationId, pool))) faults.push(unknownPool(poolPointer))
  requireNoFaults(faults)
}

const unknownPool = (pointer: string): Fault => ({ detail: 'Agent pool was not found in this organization', pointer })

/** Refuses a pool that was deleted since the settings were decided. */
async function requirePool(
  tx: Tx,
  { organizationId, defaultAgentPoolId: pool }: Project,
  pointer: string,
): Promise<void> {
  if (pool !== null && !(await keepAgentPool(tx, organizationId, pool))) requireNoFaults([unknownPool(pointer)])
}

/** The bindings a project has after a change, and both sides for the change log. */
type BindingsChange = { readonly bindings: TagBinding[]; readonly before: Members; readonly after: Members }

/** Stores bindings by merging them with those of the project, or by replacing all of them. */
async function storeBindings(
  { ids }: ProjectDeps,
  tx: Tx,
  project: Project,
  { bindings, store }: { readonly bindings: readonly KeyValue[]; readonly store: typeof mergeBindings },
): Promise<BindingsChange> {
  const target = { organizationId: project.organizationId, projectId: project.id }
  const before = await loadBindings(tx, 'project_id', [project.id])
  await store(tx, ids, target, { bindings, at: project.updatedAt })
  const after = await loadBindings(tx, 'project_id', [project.id])
  return { bindings: after, before: describeBindings(before), after: describeBindings(after) }
}

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
    await recordChange(deps, tx, author, { ...changeOf(project), action: 'delete', before: describeProject(project) })
  })
}

type ChangeBindings = (
  deps: ProjectDeps,
  author: Author,
  project: Project,
  bindings: readonly KeyValue[],
) => Promise<TagBinding[]>

const bindingsChanger =
  (store: typeof mergeBindings): ChangeBindings =>
  async (deps, author, project, bindings) => {
    requireNoFaults(bindingListFaults(bindings, '/data'))
    return await inTransaction(deps.db, async (tx) => {
      await lockArea(tx, 'projects')
      const current = await loadProject(tx, project.id)
      if (!current) throw hidden()
      const written = { ...current, updatedAt: deps.clock.now() }
      await updateProject(tx, written)
      const change = await storeBindings(deps, tx, written, { bindings, store })
      if (change.bindings.length > maxBindings) throw invalidDocument([tooManyBindings('/data')])
      await recordUpdate(deps, tx, author, { ...changeOf(project), before: change.before, after: change.after })
      return change.bindings
    })
  }

/** Adds tag bindings to a project or changes their values. */
export const mergeProjectBindings: ChangeBindings = bindingsChanger(mergeBindings)

/** Makes these the only tag bindings of a project. */
export const replaceProjectBindings: ChangeBindings = bindingsChanger(replaceBindings)

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
