import { onResource, type PermittedResource, type WorkspaceRight } from '../../../access/permissions/index.ts'
import { isId } from '../../../kernel/ids.ts'
import type { Access, RuleCall } from '../../../kit/endpoint.ts'
import { loadWorkspace, mayOnWorkspace, type Workspace } from '../workspaces/index.ts'
import { loadOutput, type StoredOutput } from './outputs/output-store.ts'
import { loadStateVersion } from './records/state-version-store.ts'
import type { StateVersion } from './state-version.ts'

/** The parameter of paths that name a state version. */
export const stateVersionInPath = {
  stateVersionId: { description: 'Identifier of the version.', example: 'sv-SDboVZC8TCxXEneJ' },
}

/** A version with the workspace it belongs to. */
export type VersionInWorkspace = {
  readonly organizationId: string
  readonly version: StateVersion
  readonly workspace: Workspace
}

/** What an endpoint about one version finds in `subject`. */
export type OnStateVersion = PermittedResource<VersionInWorkspace>

async function loadVersion({ deps }: RuleCall, id: string): Promise<VersionInWorkspace | undefined> {
  const version = isId('sv', id) ? await loadStateVersion(deps.db, id) : undefined
  const workspace = version && (await loadWorkspace(deps.db, version.workspaceId))
  return workspace && { organizationId: workspace.organizationId, version, workspace }
}

/** Access to one state version for those with this right on its workspace; for all others it does not exist. */
export const onStateVersion = (right: WorkspaceRight): Access<OnStateVersion> =>
  onResource({
    name: `state-version:${right}`,
    load: (call) => loadVersion(call, call.params.stateVersionId ?? ''),
    allows: (grants, { workspace }) => mayOnWorkspace(grants, right, workspace),
  })

/** What an endpoint about one output finds in `subject`. */
export type OnOutput = PermittedResource<VersionInWorkspace & { readonly output: StoredOutput }>

/** Access to one output for those who may read the outputs of its workspace. */
export const onOutput: Access<OnOutput> = onResource({
  name: 'state-version-output:can-read-state-outputs',
  load: async (call) => {
    const id = call.params.outputId ?? ''
    const output = isId('wsout', id) ? await loadOutput(call.deps.db, id) : undefined
    const found = output && (await loadVersion(call, output.state_version_id))
    return found && { ...found, output }
  },
  allows: (grants, { workspace }) => mayOnWorkspace(grants, 'can-read-state-outputs', workspace),
})
