import { grantsInNamedOrganization, hidden, type WorkspaceRight } from '../../../access/permissions/index.ts'
import type { Call } from '../../../kit/endpoint.ts'
import { invalidDocument, parameter } from '../../../kit/jsonapi/index.ts'
import { mayOnWorkspace } from './workspace-access.ts'
import type { Workspace } from './workspace-rules.ts'
import { loadWorkspaceByName } from './workspace-store.ts'

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
