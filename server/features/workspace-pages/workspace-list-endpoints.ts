import { actorOf, grantsOf, inOrganization, organizationInPath } from '../../access/permissions/index.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint, open, Type } from '../../kit/endpoint.ts'
import { field } from '../../kit/fields.ts'
import type { Reply } from '../../kit/reply.ts'
import { type PagePrefix, pagePrefixes, redirectTo, type Viewer } from '../sign-in/index.ts'
import { everyWorkspace, listPage, renderWorkspaces } from '../workspaces/index.ts'
import { findByRule, whenSignedIn } from './page-access.ts'
import { noOrganizationPage, organizationsPage, queryFor, workspaceListPage } from './workspace-list-wire.ts'

const access = open('Leads to the sign-in page without a session.')
const members = inOrganization('can-traverse')
const pageSize = 50

async function showOrganizations({ deps, caller }: Call, viewer: Viewer): Promise<Reply> {
  const { byId } = await grantsOf(deps, actorOf(caller))
  const names = [...byId.values()].map(({ organizationName }) => organizationName).sort()
  const [only] = names
  return only !== undefined && names.length === 1
    ? redirectTo(`${viewer.prefix}/${only}/workspaces`)
    : organizationsPage(viewer, names)
}

type PageQuery = { readonly search?: string; readonly page?: number }

async function showWorkspaces(
  call: Call,
  viewer: Viewer,
  { search = '', page: number = 1 }: PageQuery,
): Promise<Reply> {
  const grants = await findByRule(members, call)
  if (!grants) return noOrganizationPage(viewer)
  const page = { number, size: pageSize }
  const filter = { ...everyWorkspace, nameContains: search === '' ? undefined : search.toLowerCase() }
  const { workspaces, total } = await listPage(call, grants, { filter, order: { by: 'name', descending: false }, page })
  // Workspaces may have been deleted since the link to this page was shown.
  if (workspaces.length === 0 && total > 0)
    return redirectTo(
      `${viewer.prefix}/${grants.organizationName}/workspaces${queryFor(search, Math.ceil(total / pageSize))}`,
    )
  const resources = await renderWorkspaces(call, grants, workspaces)
  return workspaceListPage({
    viewer,
    origin: call.request.origin,
    settings: call.deps.settings,
    organization: grants.organizationName,
    search,
    page,
    resources,
    total,
  })
}

const pagesBelow = (prefix: PagePrefix) => [
  endpoint({
    id: `workspace-pages.organizations${prefix.replace('/', '.')}`,
    route: `GET ${prefix}/workspaces`,
    summary: 'Show the page of your organizations, or of the workspaces if there is only one organization.',
    access,
    returns: { 200: null, 303: null },
    handle: (call) => whenSignedIn(call, prefix, '/workspaces', showOrganizations),
  }),
  endpoint({
    id: `workspace-pages.list${prefix.replace('/', '.')}`,
    route: `GET ${prefix}/:organization/workspaces`,
    summary: 'Show the page of the workspaces you can see in an organization.',
    access,
    returns: { 200: null, 303: null, 404: null },
    params: organizationInPath,
    query: Type.Object({
      search: field.text('Text that the names must contain.'),
      page: field.whole('Page number.', { minimum: 1 }),
    }),
    handle: (call) => {
      const { search = '', page = 1 } = call.query
      const path = `/${call.params.organization}/workspaces${queryFor(search, page)}`
      return whenSignedIn(call, prefix, path, (known, viewer) => showWorkspaces(known, viewer, call.query))
    },
  }),
]

/** Pages that lead to workspaces. */
export const workspaceListEndpoints: readonly Endpoint[] = defineEndpoints('site', pagePrefixes.flatMap(pagesBelow))
