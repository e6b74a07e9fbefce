import {
  actorOf,
  canOnWorkspace,
  grantsInNamedOrganization,
  grantsInOrganization,
  hidden,
  type OrganizationGrants,
  onResource,
  organizationInPath,
  type PermittedResource,
  rightsOnWorkspace,
  type WorkspaceRight,
  workspaceRights,
} from '../../../access/permissions/index.ts'
import { failure } from '../../../kernel/failure.ts'
import { isId } from '../../../kernel/ids.ts'
import { perApp } from '../../../kit/deps.ts'
import type { Access, Call, RuleAccess, RuleCall } from '../../../kit/endpoint.ts'
import { invalidDocument, parameter } from '../../../kit/jsonapi/index.ts'
import { WhileUnchanged } from '../../../kit/unchanged.ts'
import { lastSeen } from './known-workspaces-store.ts'
import type { Workspace } from './workspace.ts'
import { loadFormerlyNamed, loadWorkspace, loadWorkspaceByName } from './workspace-store.ts'

/** The parameter of paths that name a workspace by its id. */
export const workspaceInPath = {
  workspaceId: { description: 'Identifier of the workspace.', example: 'ws-SihZTyXKfNXUWuUa' },
}

/** The parameters of paths that name a workspace by its organization and name. */
export const namedWorkspaceInPath = {
  ...organizationInPath,
  name: { description: 'Name of the workspace.', example: 'network-prod' },
}

const noRedirects: Readonly<Record<number, null>> = {}

/**
 * Both addresses of a workspace; `suffix` distinguishes the ids of the endpoints under each, and `redirects` are the
 * answers to former names.
 */
export const workspaceAddresses = [
  { suffix: '', path: '/workspaces/:workspaceId', params: workspaceInPath, redirects: noRedirects },
  {
    suffix: '-by-name',
    path: '/organizations/:organization/workspaces/:name',
    params: namedWorkspaceInPath,
    redirects: { 307: null },
  },
] as const

/** The workspace that a path addresses. `former` is the name in the path if the workspace has another by now. */
type Addressed = Workspace & { readonly former?: string }

/** What an endpoint about one workspace finds in `subject`. */
export type OnWorkspace = PermittedResource<Addressed>

const workspacesByPath = perApp(() => new WhileUnchanged<string, Workspace>({ max: 10_000 }))

const keyOf = ({ params: { workspaceId, organization, name } }: RuleCall): string =>
  workspaceId ?? `${organization}/${name}`

/** The workspace of a path (`:workspaceId`, or `:organization` and `:name`), if nothing has changed since it was read. */
const peekAddressed = (call: RuleCall): Addressed | undefined =>
  workspacesByPath(call.deps).peek(call.deps, keyOf(call))

/** The same from the database. A renamed workspace is found by its former name, too. */
async function loadAddressed(call: RuleCall): Promise<Addressed | undefined> {
  const { deps } = call
  const { workspaceId, organization = '', name = '' } = call.params
  const byPath = workspacesByPath(deps)
  if (workspaceId !== undefined) {
    if (!isId('ws', workspaceId)) return undefined
    return await byPath.load(deps, keyOf(call), () => loadWorkspace(deps.db, workspaceId))
  }
  const { organizationId } = await grantsInNamedOrganization(call, organization)
  const load = () => loadWorkspaceByName(deps.db, organizationId, name)
  const found = await byPath.load(deps, keyOf(call), load)
  return found || !deps.settings.renameRedirects ? found : await loadRenamed(call, organizationId, name)
}

async function loadRenamed({ deps }: RuleCall, organizationId: string, name: string): Promise<Addressed | undefined> {
  const renamed = await loadFormerlyNamed(deps.db, organizationId, name)
  return renamed && { ...renamed, former: name }
}

/** Access to one workspace for those with this right on it; for all others it does not exist. */
export const onWorkspace = (right: WorkspaceRight): RuleAccess<OnWorkspace> =>
  onWorkspaceWhere(`workspace:${right}`, (grants, workspace) => mayOnWorkspace(grants, right, workspace))

/** Access to one workspace by a rule about several rights; for all others it does not exist. */
export const onWorkspaceWhere = (
  name: string,
  allows: (grants: OrganizationGrants, workspace: Workspace) => boolean,
): RuleAccess<OnWorkspace> => onResource({ name, peek: peekAddressed, load: loadAddressed, allows })

/** True if somebody with these grants sees the workspace and has this right on it. */
export function mayOnWorkspace(grants: OrganizationGrants, right: WorkspaceRight, workspace: Workspace): boolean {
  const rights = rightsOnWorkspace(grants, workspace)
  return workspaceRights.has(rights, 'can-read-run') && workspaceRights.has(rights, right)
}

/** Those of these workspaces that the caller sees and has this right on. */
export async function filterAllowed(
  call: Pick<RuleCall, 'deps' | 'caller'>,
  right: WorkspaceRight,
  workspaces: readonly Workspace[],
): Promise<readonly Workspace[]> {
  const allowed: Workspace[] = []
  for (const workspace of workspaces) {
    if (mayOnWorkspace(await grantsInOrganization(call, workspace.organizationId), right, workspace))
      allowed.push(workspace)
  }
  return allowed
}

/**
 * As `onWorkspace`, for actions that write only if the workspace is still the one they were given, and check access
 * again otherwise: a workspace that was seen before is not read again, but taken as it was then.
 */
export function onLastSeenWorkspace(right: WorkspaceRight): RuleAccess<OnWorkspace> {
  const strict = onWorkspace(right)
  return {
    ...strict,
    check: async (call) => {
      const resource = lastSeen(call.deps.db, call.params.workspaceId ?? '')
      if (!resource) return await strict.check(call)
      const actor = actorOf(call.caller)
      const grants = await grantsInOrganization(call, resource.organizationId)
      return mayOnWorkspace(grants, right, resource) ? { resource, grants, actor } : await strict.check(call)
    },
  }
}

/** Access for those who may force delete; callers who may only delete safely are told so. */
export const onForceDelete: Access<OnWorkspace> = onResource({
  name: 'workspace:can-force-delete',
  peek: peekAddressed,
  load: loadAddressed,
  allows: (grants, workspace) => canOnWorkspace(grants, 'can-force-delete', workspace),
  refusal: (grants, workspace) =>
    canOnWorkspace(grants, 'can-destroy', workspace)
      ? failure(
          'refused',
          'workspace.force-delete-refused',
          'You are not allowed to force delete this workspace; use the safe-delete action.',
        )
      : undefined,
})

const names = { organization: 'filter[organization][name]', workspace: 'filter[workspace][name]' } as const

/** The parameters of lists whose query names the workspace they are about. */
export const workspaceFilters = {
  organization: parameter.text(names.organization, 'Name of the organization; required.'),
  workspace: parameter.text(names.workspace, 'Name of the workspace; required.'),
} as const

type FilteredCall = Pick<Call, 'deps' | 'caller'> & {
  readonly query: Readonly<Record<keyof typeof names, string | undefined>>
}

/** The workspace that the filters name, for those with this right on it. */
export async function filteredWorkspace(call: FilteredCall, right: WorkspaceRight): Promise<Workspace> {
  const { organization, workspace } = call.query
  if (organization === undefined || workspace === undefined) throw missingParameters(call)
  const grants = await grantsInNamedOrganization(call, organization)
  const found = await loadWorkspaceByName(call.deps.db, grants.organizationId, workspace)
  if (!found || !mayOnWorkspace(grants, right, found)) throw hidden()
  return found
}

function missingParameters({ query }: Pick<FilteredCall, 'query'>) {
  const absent = (['organization', 'workspace'] as const).filter((name) => query[name] === undefined)
  return invalidDocument(
    absent.map((name) => ({ detail: `Parameter ${names[name]} is needed`, parameter: names[name] })),
  )
}
