import { canOnProject, hidden, type OrganizationGrants } from '../../access/permissions/index.ts'
import { failure } from '../../kernel/failure.ts'
import type { Deps } from '../../kit/deps.ts'
import { invalidAttribute, invalidDocument, requireNone } from '../../kit/jsonapi/index.ts'
import { isUniqueViolation } from '../../storage/errors.ts'
import { inTransaction } from '../../storage/transaction.ts'
import { type Author, recordChange, recordUpdate } from '../change-log/index.ts'
import { hasAgentPool, organizationOf } from '../organizations/index.ts'
import {
  bindingListFaults,
  followProjectDuration,
  type KeyValue,
  loadBindings,
  loadWorkspaces,
  mergeBindings,
  mostBindings,
  moveWorkspace,
  type TagBinding,
  tooManyBindings,
} from '../workspaces/index.ts'
import { type AskedProject, blankSettings, mergeSettings, type Project, type ProjectSettings } from './project-rules.ts'
import { deleteProject, insertProject, loadProject, loadProjectByName, updateProject } from './project-store.ts'

type ProjectDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'store' | 'settings'>

const changeOf = (project: Project) => ({
  organizationId: project.organizationId,
  subject: { type: 'projects', id: project.id, name: project.name },
})

const described = ({
  name,
  description,
  autoDestroyActivityDuration,
  defaultExecutionMode,
  defaultAgentPoolId,
}: ProjectSettings) => ({
  name,
  description,
  'auto-destroy-activity-duration': autoDestroyActivityDuration,
  'default-execution-mode': defaultExecutionMode,
  'default-agent-pool-id': defaultAgentPoolId,
})

const nameTaken = () => invalidAttribute('name', 'Name has already been taken', 'project.name-taken')

/** Makes a project, with its tag bindings if it brings some. */
export async function createProject(
  deps: ProjectDeps,
  author: Author,
  organizationId: string,
  { asked, bindings }: { asked: AskedProject & { name: string }; bindings: readonly KeyValue[] },
): Promise<Project> {
  const at = deps.clock.now()
  const settings = mergeSettings(blankSettings(asked.name), asked)
  requireNone(bindingListFaults(bindings, '/data/relationships/tag-bindings/data'))
  await requirePool(deps, organizationId, settings)
  const project: Project = { ...settings, id: deps.ids.newId('prj'), organizationId, createdAt: at, updatedAt: at }
  await refuseTaken(() =>
    inTransaction(deps.db, async (tx) => {
      if (await loadProjectByName(tx, organizationId, project.name)) throw nameTaken()
      await insertProject(tx, project)
      if (bindings.length > 0)
        await mergeBindings(tx, deps.ids, { organizationId, projectId: project.id }, { bindings, at })
      await recordChange(deps, tx, author, { ...changeOf(project), action: 'create', after: described(project) })
    }),
  )
  return project
}

/** Changes settings of a project. */
export async function changeProject(
  deps: ProjectDeps,
  author: Author,
  before: Project,
  asked: AskedProject,
): Promise<Project> {
  const settings = mergeSettings(before, asked)
  await requirePool(deps, before.organizationId, settings)
  const after: Project = { ...before, ...settings, updatedAt: deps.clock.now() }
  await refuseTaken(() =>
    inTransaction(deps.db, async (tx) => {
      const named = await loadProjectByName(tx, before.organizationId, after.name)
      if (named && named.id !== before.id) throw nameTaken()
      await updateProject(tx, after)
      if (after.autoDestroyActivityDuration !== before.autoDestroyActivityDuration) {
        await followProjectDuration(tx, after.id, after.autoDestroyActivityDuration, after.updatedAt)
      }
      await recordUpdate(deps, tx, author, { ...changeOf(after), before: described(before), after: described(after) })
    }),
  )
  return after
}

async function requirePool(deps: ProjectDeps, organizationId: string, settings: ProjectSettings): Promise<void> {
  const { defaultAgentPoolId: pool, defaultExecutionMode: mode } = settings
  if (mode === 'agent' && pool === null)
    throw invalidAttribute('default-agent-pool-id', 'Agent pool is required for agent mode')
  if (pool !== null && !(await hasAgentPool(deps.db, organizationId, pool))) {
    throw invalidAttribute('default-agent-pool-id', 'Agent pool was not found in this organization')
  }
}

/** Removes a project without workspaces. The default project stays. */
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
    await recordChange(deps, tx, author, { ...changeOf(project), action: 'delete', before: described(project) })
  })
}

/** Adds tag bindings to a project or changes their values. */
export async function mergeProjectBindings(
  deps: ProjectDeps,
  author: Author,
  project: Project,
  bindings: readonly KeyValue[],
): Promise<TagBinding[]> {
  requireNone(bindingListFaults(bindings, '/data'))
  return inTransaction(deps.db, async (tx) => {
    const at = deps.clock.now()
    await updateProject(tx, { ...project, updatedAt: at })
    const before = await loadBindings(tx, 'project_id', [project.id])
    await mergeBindings(
      tx,
      deps.ids,
      { organizationId: project.organizationId, projectId: project.id },
      { bindings, at },
    )
    const after = await loadBindings(tx, 'project_id', [project.id])
    if (after.length > mostBindings) throw invalidDocument([tooManyBindings('/data')])
    const pairs = (list: readonly TagBinding[]) => Object.fromEntries(list.map(({ key, value }) => [key, value]))
    await recordUpdate(deps, tx, author, {
      ...changeOf(project),
      before: { 'tag-bindings': pairs(before) },
      after: { 'tag-bindings': pairs(after) },
    })
    return after
  })
}

/** Moves workspaces into a project: all of them, or none. */
export async function moveWorkspaces(
  deps: ProjectDeps,
  author: Author,
  { grants, project }: { grants: OrganizationGrants; project: Project },
  ids: readonly string[],
): Promise<void> {
  const found = await loadWorkspaces(deps.db, ids)
  const movable = found.filter(
    (each) =>
      each.organizationId === project.organizationId && canOnProject(grants, 'can-move-workspace', each.projectId),
  )
  if (movable.length !== new Set(ids).size) {
    throw failure(
      'refused',
      'project.move-refused',
      'A workspace of the list does not exist, or you may not move it out of its project.',
    )
  }
  for (const workspace of movable) await moveWorkspace(deps, author, { grants, workspace, projectId: project.id })
}

/** Of two writers of one name the database lets one through. */
async function refuseTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isUniqueViolation(error)) throw nameTaken()
    throw error
  }
}
