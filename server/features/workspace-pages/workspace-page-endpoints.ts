import { organizationInPath } from '../../access/permissions/index.ts'
import { Failure } from '../../kernel/failure.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint, open } from '../../kit/endpoint.ts'
import type { Reply } from '../../kit/reply.ts'
import { goTo, type PagePrefix, pagePrefixes, sessionOf } from '../sign-in/index.ts'
import { includeWith, type OnWorkspace, onWorkspace, renderWorkspace } from '../workspaces/index.ts'
import { noWorkspacePage, shownWithPage, workspacePage } from './workspace-page-wire.ts'

const readers = onWorkspace('can-read-run')

/** The workspace of the path as somebody sees it; undefined when it is not there for them. */
async function findFor(call: Call): Promise<OnWorkspace | undefined> {
  try {
    return await readers.check(call)
  } catch (thrown) {
    if (thrown instanceof Failure && (thrown.kind === 'forbidden' || thrown.kind === 'missing')) return undefined
    throw thrown
  }
}

async function show(call: Call, prefix: PagePrefix): Promise<Reply> {
  const { deps, request, params } = call
  const pathOf = (name: string): string => `${prefix}/${params.organization}/workspaces/${name}`
  const caller = (await sessionOf(deps, request)) && (await deps.hooks.authenticateActor(request))
  if (!caller) {
    return goTo(`${prefix}/sign-in?next=${encodeURIComponent(pathOf(params.name ?? ''))}`)
  }
  const signedIn = { ...call, caller }
  const found = await findFor(signedIn)
  if (!found) return noWorkspacePage()
  const { resource: workspace, grants } = found
  if (workspace.former !== undefined) return goTo(pathOf(workspace.name))
  const resource = await renderWorkspace(signedIn, grants, workspace)
  const documents = { grants, workspaces: [workspace], resources: [resource] }
  const { included } = await includeWith(signedIn, shownWithPage, documents)
  const host = new URL(request.origin).host
  return workspacePage({ host, organization: grants.organizationName, resource, included })
}

/** The page of a workspace, which its documents name as `self-html`. */
export const workspacePageEndpoints: readonly Endpoint[] = defineEndpoints(
  'site',
  pagePrefixes.map((prefix) =>
    endpoint({
      id: `workspace-pages.show${prefix.replace('/', '.')}`,
      route: `GET ${prefix}/:organization/workspaces/:name`,
      summary: 'The page of a workspace: its lock, state and outputs, to be read.',
      access: open('Leads to the sign-in page without a session.'),
      params: { ...organizationInPath, name: { description: 'Name of the workspace.', example: 'network-prod' } },
      handle: (call) => show(call, prefix),
    }),
  ),
)
