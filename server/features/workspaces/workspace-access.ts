import {
  canOnWorkspace,
  canSeeWorkspace,
  type OrganizationGrants,
  onResource,
  type Permitted,
  type WorkspaceRight,
  withinNamed,
} from '../../access/permissions/index.ts'
import { failure } from '../../kernel/failure.ts'
import { isId } from '../../kernel/ids.ts'
import type { Access, RuleCall } from '../../kit/endpoint.ts'
import type { Workspace } from './workspace-rules.ts'
import { loadFormerlyNamed, loadWorkspace, loadWorkspaceByName } from './workspace-store.ts'

/** A workspace as a path addresses it. `former` is the name in the path when the workspace has another by now. */
export type Addressed = Workspace & { readonly former?: string }

/** What an endpoint about one workspace finds in `subject`. */
export type OnWorkspace = Permitted<Addressed>

/** Finds the workspace of a path: `:workspaceId`, or `:organization` and `:name`. */
async function loadAddressed(call: RuleCall): Promise<Addressed | undefined> {
  const { workspaceId, organization, name = '' } = call.params
  if (workspaceId !== undefined) {
    return isId('ws', workspaceId) ? await loadWorkspace(call.deps.db, workspaceId) : undefined
  }
  const { organizationId } = await withinNamed(call, organization ?? '')
  const found = await loadWorkspaceByName(call.deps.db, organizationId, name)
  if (found || !call.deps.settings.renameRedirects) return found
  const renamed = await loadFormerlyNamed(call.deps.db, organizationId, name)
  return renamed && { ...renamed, former: name }
}

/** Access to one workspace for those with this right on it; for all others it does not exist. */
export const onWorkspace = (right: WorkspaceRight): Access<OnWorkspace> =>
  onResource({
    name: `workspace:${right}`,
    load: loadAddressed,
    allows: (grants, workspace) => canSeeWorkspace(grants, workspace) && canOnWorkspace(grants, right, workspace),
  })

/** Access to one workspace by a rule of several rights; for all others it does not exist. */
export const onWorkspaceWhere = (
  name: string,
  allows: (grants: OrganizationGrants, workspace: Workspace) => boolean,
): Access<OnWorkspace> => onResource({ name, load: loadAddressed, allows })

/** Access for those who may force delete; who may delete only safely is told so. */
export const onForceDelete: Access<OnWorkspace> = onResource({
  name: 'workspace:can-force-delete',
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
