import { type Call, defineEndpoints, type Endpoint, endpoint, open } from '../../kit/endpoint.ts'
import type { Reply } from '../../kit/reply.ts'
import { pagePrefixes, redirectTo, type Viewer } from '../sign-in/index.ts'
import { includeWith, namedWorkspaceInPath, onWorkspace, renderWorkspace } from '../workspaces/index.ts'
import { findByRule, whenSignedIn } from './page-access.ts'
import { noWorkspacePage, pageIncludes, workspacePage } from './workspace-page-wire.ts'

const readers = onWorkspace('can-read-run')

async function show(call: Call, viewer: Viewer): Promise<Reply> {
  const found = await findByRule(readers, call)
  if (!found) return noWorkspacePage(viewer)
  const { resource: workspace, grants } = found
  if (workspace.former !== undefined) return redirectTo(`${viewer.prefix}${pathOf(call, workspace.name)}`)
  const resource = await renderWorkspace(call, grants, workspace)
  const documents = { grants, workspaces: [workspace], resources: [resource] }
  const { included } = await includeWith(call, pageIncludes, documents)
  return workspacePage({
    viewer,
    origin: call.request.origin,
    settings: call.deps.settings,
    organization: grants.organizationName,
    resource,
    included,
  })
}

const pathOf = ({ params }: Pick<Call, 'params'>, name: string): string => `/${params.organization}/workspaces/${name}`

/** The page of a workspace, which its documents name as `self-html`. */
export const workspacePageEndpoints: readonly Endpoint[] = defineEndpoints(
  'site',
  pagePrefixes.map((prefix) =>
    endpoint({
      id: `workspace-pages.show${prefix.replace('/', '.')}`,
      route: `GET ${prefix}/:organization/workspaces/:name`,
      summary: 'Show the read-only page of a workspace: its lock, state and outputs.',
      access: open('Leads to the sign-in page without a session.'),
      params: namedWorkspaceInPath,
      returns: { 200: null, 303: null, 404: null },
      handle: (call) => whenSignedIn(call, prefix, pathOf(call, call.params.name ?? ''), show),
    }),
  ),
)
