import { type Call, defineEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import type { Reply } from '../../../kit/reply.ts'
import { type Problem, pagePrefixes, redirectTo, signInFirst, type Viewer } from '../../people/sign-in/index.ts'
import { loadNewest } from '../state/index.ts'
import {
  includeWith,
  lockInForce,
  mayOnWorkspace,
  namedWorkspaceInPath,
  type OnWorkspace,
  onWorkspace,
  renderWorkspace,
} from '../workspaces/index.ts'
import { findByRule, whenSignedIn } from './page-access.ts'
import { awaitedAtUnlock, awaitedText } from './states/state-page-wire.ts'
import { noWorkspacePage, pageIncludes, workspacePage } from './workspace-page-wire.ts'

const readers = onWorkspace('can-read-run')

/** Shows the page of the workspace in the path, and what went wrong with a form of it. */
export async function showWorkspace(call: Call, viewer: Viewer, problem?: Problem): Promise<Reply> {
  const found = await findByRule(readers, call)
  if (!found) return noWorkspacePage(viewer)
  const { resource: workspace, grants, actor } = found
  if (workspace.former !== undefined) return redirectTo(`${viewer.prefix}${pathOf(call, workspace.name)}`)
  const resource = await renderWorkspace(call, grants, workspace)
  const documents = { grants, workspaces: [workspace], resources: [resource] }
  const { included } = await includeWith(call, pageIncludes, documents)
  return workspacePage({
    viewer,
    problem,
    readerId: actor.id,
    origin: call.request.origin,
    settings: call.deps.settings,
    organization: grants.organizationName,
    resource,
    included,
    atUnlock: await textAtUnlock(call, found),
  })
}

async function textAtUnlock({ deps }: Call, { resource: workspace, grants }: OnWorkspace): Promise<string> {
  const isLocked = lockInForce(workspace.lock, deps.clock.now()) !== null
  if (!isLocked || !mayOnWorkspace(grants, 'can-read-state-versions', workspace)) return ''
  const awaited = awaitedAtUnlock(await loadNewest(deps.db, workspace.id), workspace.currentStateVersionId)
  return awaited ? awaitedText(awaited) : ''
}

/** The path of a workspace's page below its prefix. */
export const pathOf = ({ params }: Pick<Call, 'params'>, name: string): string =>
  `/${params.organization}/workspaces/${name}`

/** The page of a workspace, which its documents name as `self-html`. */
export const workspacePageEndpoints: readonly Endpoint[] = defineEndpoints(
  'site',
  pagePrefixes.map((prefix) =>
    endpoint({
      id: `workspace-pages.show${prefix.replace('/', '.')}`,
      route: `GET ${prefix}/:organization/workspaces/:name`,
      summary: 'Show the page of a workspace: its lock, state and outputs.',
      access: signInFirst,
      params: namedWorkspaceInPath,
      returns: { 200: null, 303: null, 404: null },
      handle: (call) =>
        whenSignedIn(call, prefix, pathOf(call, call.params.name ?? ''), (known, viewer) =>
          showWorkspace(known, viewer),
        ),
    }),
  ),
)
