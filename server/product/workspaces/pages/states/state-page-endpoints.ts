import { isId } from '../../../../kernel/ids.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint, open, Type } from '../../../../kit/endpoint.ts'
import { field } from '../../../../kit/fields.ts'
import { rangeOf } from '../../../../kit/jsonapi/index.ts'
import type { Reply } from '../../../../kit/reply.ts'
import {
  type PagePrefix,
  pagePrefixes,
  redirectTo,
  signInFirst,
  signInPage,
  type Viewer,
} from '../../../people/sign-in/index.ts'
import type { Session } from '../../../people/users/index.ts'
import {
  contentUrl,
  includeWithVersions,
  listResources,
  listStateVersions,
  loadNewest,
  loadStateVersion,
  type StateVersion,
  stateVersionInPath,
} from '../../state/index.ts'
import {
  holderOf,
  isSameHolder,
  lockInForce,
  mayOnWorkspace,
  namedWorkspaceInPath,
  type OnWorkspace,
  onWorkspace,
  type Workspace,
} from '../../workspaces/index.ts'
import { findByRule, pageNumberIn, pageQuery, whenSignedIn } from '../page-parts-endpoints.ts'
import { noWorkspacePage, pathOf } from '../workspace-page-endpoints.ts'
import {
  awaitedAtUnlock,
  noStatePage,
  noVersionPage,
  resourcesPage,
  type StatePlace,
  statesPage,
} from './state-parts-endpoints.ts'

const readers = onWorkspace('can-read-state-versions')
const visitors = onWorkspace('can-read-run')

/** Answers with a page about the state of a workspace. */
export type Show = (call: Call, place: StatePlace, found: OnWorkspace, session: Session) => Promise<Reply>

/** Shows what is below a workspace to those who may read its state; a former name leads to the present one. */
export async function showToReaders(
  call: Call,
  { viewer, session }: { viewer: Viewer; session: Session },
  below: string,
  show: Show,
): Promise<Reply> {
  const permitted = await findByRule(readers, call)
  const found = permitted ?? (await findByRule(visitors, call))
  if (!found) return noWorkspacePage(viewer)
  const { resource: workspace, grants } = found
  if (workspace.former !== undefined) return redirectTo(`${viewer.prefix}${pathOf(call, workspace.name)}${below}`)
  const place = { viewer, organization: grants.organizationName, workspace: workspace.name }
  return permitted ? await show(call, place, permitted, session) : noStatePage(place)
}

/** True if the reader holds the lock of the workspace. */
export function isHolder({ deps }: Call, { resource, actor }: OnWorkspace): boolean {
  const lock = lockInForce(resource.lock, deps.clock.now())
  return lock !== null && isSameHolder(lock.holder, holderOf(actor))
}

/** The version that the path names, if it is one of this workspace. */
export async function versionInPath({ deps, params }: Call, { id }: Workspace): Promise<StateVersion | undefined> {
  const { stateVersionId = '' } = params
  const version = isId('sv', stateVersionId) ? await loadStateVersion(deps.db, stateVersionId) : undefined
  return version?.workspaceId === id ? version : undefined
}

const versionsPerPage = 20
const resourcesPerPage = 50
const authors: ReadonlySet<string> = new Set(['created_by'])

/** The last page of a list, for links to pages that are no longer there. */
const toLastPage = (call: Call, { viewer, workspace }: StatePlace, list: string, pages: number): Reply =>
  redirectTo(`${viewer.prefix}${pathOf(call, workspace)}/${list}${pageQuery(pages)}`)

/** The page that is asked for, and what is wrong with its number. */
type RequestedPage = ReturnType<typeof pageNumberIn>

const showStates =
  ({ number, problem }: RequestedPage): Show =>
  async (call, place, found) => {
    const { id: workspaceId, currentStateVersionId } = found.resource
    const page = { number, size: versionsPerPage }
    const of = { workspaceId, status: undefined }
    const { versions, total } = await listStateVersions(call.deps.reads, of, rangeOf(page))
    if (versions.length === 0 && total > 0) return toLastPage(call, place, 'states', Math.ceil(total / page.size))
    return statesPage({
      ...place,
      page,
      problem,
      versions,
      total,
      currentId: currentStateVersionId,
      awaited: awaitedAtUnlock(await loadNewest(call.deps.db, workspaceId), currentStateVersionId),
      mayUnlock: isHolder(call, found) && mayOnWorkspace(found.grants, 'can-unlock', found.resource),
      authors: await includeWithVersions(call, authors, versions),
    })
  }

const noResources = { resources: [], addresses: [], total: 0 }

const showResources =
  ({ number, problem }: RequestedPage): Show =>
  async (call, place, { resource: { currentStateVersionId: id } }) => {
    const page = { number, size: resourcesPerPage }
    const version = id === null ? undefined : await loadStateVersion(call.deps.db, id)
    const { resources, addresses, total } = version ? listResources(call.deps, version, page) : noResources
    if (resources.length === 0 && total > 0) return toLastPage(call, place, 'resources', Math.ceil(total / page.size))
    return resourcesPage({ ...place, page, problem, version, resources, addresses, total })
  }

/** Leads to a fresh signed address: those in a page would expire while it stays open. */
const download: Show = async (call, place, { resource }) => {
  const { deps, request } = call
  const version = await versionInPath(call, resource)
  if (version?.status !== 'finalized') return noVersionPage(place)
  return redirectTo(contentUrl(deps, request.origin, { use: 'get', kind: 'state', id: version.id }))
}

const query = Type.Object({ page: field.text('Page number.') })

const listsBelow = (prefix: PagePrefix) =>
  [
    { list: 'states', show: showStates, summary: 'Show the page of the versions of the state, newest first.' },
    { list: 'resources', show: showResources, summary: 'Show the page of the resources in the current state.' },
  ].map(({ list, show, summary }) =>
    endpoint({
      id: `workspace-pages.${list}${prefix.replace('/', '.')}`,
      route: `GET ${prefix}/:organization/workspaces/:name/${list}`,
      summary,
      access: signInFirst,
      params: namedWorkspaceInPath,
      query,
      returns: { 200: null, 303: null, 403: null, 404: null },
      handle: (call) => {
        const requested = pageNumberIn(call.query.page ?? '1')
        const below = `/${list}${pageQuery(requested.number)}`
        const run = (known: Call, viewer: Viewer, session: Session) =>
          showToReaders(known, { viewer, session }, below, show(requested))
        return whenSignedIn(call, prefix, `${pathOf(call, call.params.name ?? '')}${below}`, run)
      },
    }),
  )

const notSignedIn = { text: 'Sign in to download the state.', status: 401 }

const downloadBelow = (prefix: PagePrefix) =>
  endpoint({
    id: `workspace-pages.download${prefix.replace('/', '.')}`,
    route: `GET ${prefix}/:organization/workspaces/:name/states/:stateVersionId/download`,
    summary: 'Download the content of a version of the state, by a redirect to its signed address.',
    access: open('Shows the sign-in form without a session.'),
    params: { ...namedWorkspaceInPath, ...stateVersionInPath },
    returns: { 303: null, 401: null, 403: null, 404: null },
    handle: (call) => {
      const below = `/states/${call.params.stateVersionId}/download`
      const run = (known: Call, viewer: Viewer, session: Session) =>
        showToReaders(known, { viewer, session }, below, download)
      const certificate = call.request.certificate !== undefined
      // With a redirect to a page, the browser would save that page as the state.
      const askToSignIn = (page: string) => signInPage(prefix, page, { problem: notSignedIn, certificate })
      return whenSignedIn(call, prefix, `${pathOf(call, call.params.name ?? '')}/states`, run, { askToSignIn })
    },
  })

/** The pages that show the state of a workspace: its versions, and what the current one manages. */
export const statePageEndpoints: readonly Endpoint[] = defineEndpoints(
  'site',
  pagePrefixes.flatMap((prefix) => [...listsBelow(prefix), downloadBelow(prefix)]),
)
