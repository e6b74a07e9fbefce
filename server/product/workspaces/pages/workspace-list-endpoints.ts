import {
  actorOf,
  canInOrganization,
  grantsOf,
  inOrganization,
  organizationInPath,
} from '../../../access/permissions/index.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint, Type } from '../../../kit/endpoint.ts'
import { field } from '../../../kit/fields.ts'
import { type Html, html } from '../../../kit/html.ts'
import type { PageRequest, Resource } from '../../../kit/jsonapi/index.ts'
import { timeElement } from '../../../kit/page.ts'
import type { Reply } from '../../../kit/reply.ts'
import {
  leadToPage,
  type PagePrefix,
  type Problem,
  pagePrefixes,
  problemText,
  redirectTo,
  signedInPage,
  signInFirst,
  type Viewer,
  windowTitleOf,
} from '../../people/sign-in/index.ts'
import { everyWorkspace, includeWith, listPage, renderWorkspaces } from '../workspaces/index.ts'
import {
  attributeText,
  cloudBlockFor,
  findByRule,
  holderName,
  listAddress,
  pagedTitle,
  pageLinks,
  pageNumberIn,
  type ToolSettings,
  whenSignedIn,
} from './page-parts-endpoints.ts'

/** What a reader looks for. */
type ListSearch = {
  /** The text that names must contain; empty for all. */
  readonly search: string
  /** Tags that workspaces must have, with commas between them: `core, env=prod`. */
  readonly tags: string
  /** Whether only those that are locked are asked for. */
  readonly locked: boolean
}

/** A workspace in the list. */
type WorkspaceRow = {
  readonly resource: Resource
  /** False if the state is encrypted, so that nobody knows how many resources it has. */
  readonly isCountKnown: boolean
}

/** The workspaces of an organization as a page shows them. */
type WorkspaceListView = {
  readonly viewer: Viewer
  /** The address of this server, as the reader's browser has it. */
  readonly origin: string
  readonly settings: ToolSettings
  readonly organization: string
  readonly requested: ListSearch
  readonly page: PageRequest
  readonly rows: readonly WorkspaceRow[]
  /** Who holds the locks of these workspaces. */
  readonly holders: readonly Resource[]
  readonly total: number
  /** What is wrong with the address of the page. */
  readonly problem: Problem | undefined
  /** Whether the reader may create workspaces. */
  readonly mayCreate: boolean
}

/** The organizations of a person, each with a link to its workspaces. */
function organizationsPage(viewer: Viewer, names: readonly string[]): Reply {
  const items = names.map((name) => html`<li><a href="${listAddress(viewer, name)}">${name}</a></li>`)
  const none = html`<p>You belong to no organization yet. An owner of one can invite you.</p>`
  const body = names.length === 0 ? none : html`<ul>${items}</ul>`
  return signedInPage(viewer, 'Organizations', body, { section: 'Workspaces' })
}

/** The page shown for an organization that does not exist for this reader. */
const noOrganizationPage = (viewer: Viewer): Reply =>
  signedInPage(
    viewer,
    'No such organization',
    html`<p>It does not exist, or you do not belong to it. <a href="${viewer.prefix}/workspaces">Show my organizations</a></p>`,
    { status: 404 },
  )

/** The page of an organization’s workspaces. */
function workspaceListPage(view: WorkspaceListView): Reply {
  const { organization, requested, total, page, rows } = view
  const links = pageLinks(
    { page, shown: rows.length, total },
    (number) => addressOf(view) + queryFor(requested, number),
  )
  const found = total === 0 ? emptyText(view) : html`${tableOf(view)}${links}`
  const body = total === 0 && isEverything(requested) ? found : html`${searchForm(view)}${found}`
  const title = `Workspaces of ${organization}`
  const windowTitle = pagedTitle([title, ...wordsOf(requested)].join(', '), page)
  return signedInPage(view.viewer, title, html`${problemText(view.problem?.text)}${body}`, {
    status: view.problem?.status ?? 200,
    section: 'Workspaces',
    windowTitle: windowTitleOf(windowTitle, view.problem),
  })
}

const isEverything = ({ search, tags, locked }: ListSearch): boolean => search === '' && tags === '' && !locked

const wordsOf = ({ search, tags, locked }: ListSearch): string[] =>
  [search && `“${search}”`, tags, locked ? 'locked' : ''].filter(Boolean)

const addressOf = ({ viewer, organization }: WorkspaceListView): string => listAddress(viewer, organization)

/** The query of the list for this search and page; empty for the whole list from its start. */
function queryFor({ search, tags, locked }: ListSearch, page: number): string {
  const requested = {
    ...(search && { search }),
    ...(tags && { tags }),
    ...(locked && { locked: 'true' }),
    ...(page > 1 && { page: String(page) }),
  }
  const query = new URLSearchParams(requested).toString()
  return query && `?${query}`
}

const searchForm = (
  view: WorkspaceListView,
): Html => html`<form class="search" role="search" action="${addressOf(view)}">
<label>Name<input name="search" type="search" value="${view.requested.search}"></label>
<label>Tags, such as env=prod<input name="tags" type="search" value="${view.requested.tags}"></label>
<label class="check"><input name="locked" type="checkbox" value="true"${view.requested.locked ? ' checked' : undefined}>Locked</label><button class="quiet">Find</button></form>
`

function emptyText(view: WorkspaceListView): Html {
  const { requested, origin, settings, organization } = view
  if (isEverything(requested) && !view.mayCreate)
    return html`<p>There are none that you can see, and you are not allowed to create any. Ask an owner of ${organization} for
access: to a workspace, by way of a team, or to create workspaces.</p>`
  if (isEverything(requested))
    return html`<p>There are none that you can see. A configuration with this block creates one on first use:</p>
${cloudBlockFor(origin, settings, organization, 'first-steps')}`
  const conditions = [
    requested.search && `“${requested.search}” in its name`,
    requested.tags && `all of these tags: ${requested.tags}`,
  ]
  const has = conditions.filter(Boolean).join(' and ')
  const which = `${requested.locked ? 'locked ' : ''}workspace ${has ? `has ${has}` : 'was found'}`
  return html`<p>No ${which}. <a href="${addressOf(view)}">Show all</a></p>`
}

const tableOf = (view: WorkspaceListView): Html => html`<table><caption class="unseen">Workspaces by name</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Lock</th><th scope="col" class="count">Managed resources</th><th scope="col" class="whole">State changed</th></tr></thead>
<tbody>${view.rows.map((row) => rowOf(view, row))}</tbody></table>`

function rowOf(view: WorkspaceListView, { resource, isCountKnown }: WorkspaceRow): Html {
  const name = attributeText(resource, 'name')
  const description = attributeText(resource, 'description')
  const contact = attributeText(resource, 'contact')
  const hasState = Boolean(resource.relationships?.['current-state-version']?.data)
  const changed = hasState ? timeElement(attributeText(resource, 'latest-change-at')) : html`no state yet`
  return html`<tr><th scope="row"><a href="${addressOf(view)}/${name}">${name}</a>${
    description ? html`<div class="faint brief">${description}</div>` : undefined
  }${contact ? html`<div class="faint brief">Contact: ${contact}</div>` : undefined}</th>
<td class="holder" data-label="Lock">${lockOf(view, resource)}</td><td class="count" data-label="Managed resources">${
    isCountKnown ? attributeText(resource, 'resource-count') : 'unknown'
  }</td><td class="whole" data-label="State changed">${changed}</td></tr>`
}

/** The state of a lock, with its holder unless that is a team which the reader cannot see. */
function lockOf({ holders }: WorkspaceListView, resource: Resource): Html {
  if (resource.attributes?.locked !== true) return html`not locked`
  const name = holderName(holders, resource.relationships?.['locked-by'])
  return html`<strong>locked</strong>${name ? ` by ${name}` : ''}`
}

const members = inOrganization('can-traverse')
const pageSize = 50
const maxTags = 20

async function showOrganizations({ deps, caller }: Call, viewer: Viewer): Promise<Reply> {
  const { byId } = await grantsOf(deps, actorOf(caller))
  const names = [...byId.values()].map(({ organizationName }) => organizationName).sort()
  const [only] = names
  return only !== undefined && names.length === 1
    ? redirectTo(listAddress(viewer, only))
    : organizationsPage(viewer, names)
}

const wordsIn = (tags: string): string[] =>
  tags
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)

/** What is wrong with a search for too many tags. */
const tagsProblem = ({ tags }: ListSearch): Problem | undefined =>
  wordsIn(tags).length > maxTags
    ? { text: `Only ${maxTags} tags can be searched for at a time; those after them are left out here.`, status: 400 }
    : undefined

/** The conditions of a search: `core` is a flat tag or the key of a binding, `env=prod` a binding. */
function filterOf({ search, tags, locked }: ListSearch): Parameters<typeof listPage>[2]['filter'] {
  const words = wordsIn(tags).slice(0, maxTags)
  return {
    ...everyWorkspace,
    nameContains: search === '' ? undefined : search.toLowerCase(),
    locked: locked || undefined,
    tags: words.filter((word) => !word.includes('=')),
    tagged: words
      .filter((word) => word.includes('='))
      .map((word) => ({
        key: word.slice(0, word.indexOf('=')).trim(),
        value: word.slice(word.indexOf('=') + 1).trim(),
      })),
  }
}

const lockHolders: ReadonlySet<string> = new Set(['locked_by'])

type RequestedPage = { readonly requested: ListSearch; readonly number: number; readonly problem: Problem | undefined }

async function showWorkspaces(
  call: Call,
  viewer: Viewer,
  { requested, number, problem }: RequestedPage,
): Promise<Reply> {
  const grants = await findByRule(members, call)
  if (!grants) return noOrganizationPage(viewer)
  const page = { number, size: pageSize }
  const order = { by: 'name', descending: false } as const
  const { workspaces, total } = await listPage(call, grants, { filter: filterOf(requested), order, page })
  // Workspaces may have been deleted since the link to this page was shown.
  if (workspaces.length === 0 && total > 0)
    return redirectTo(
      `${listAddress(viewer, grants.organizationName)}${queryFor(requested, Math.ceil(total / pageSize))}`,
    )
  const resources = await renderWorkspaces(call, grants, workspaces)
  const { included } = await includeWith(call, lockHolders, { grants, workspaces, resources })
  return workspaceListPage({
    viewer,
    origin: call.request.origin,
    settings: call.deps.settings,
    organization: grants.organizationName,
    requested,
    page,
    rows: resources.map((resource, at) => ({ resource, isCountKnown: workspaces[at]?.resourceCountKnown ?? true })),
    holders: included,
    total,
    problem,
    mayCreate: canInOrganization(grants, 'can-create-workspace'),
  })
}

const pagesBelow = (prefix: PagePrefix) => [
  leadToPage(`${prefix}/:organization`, `${prefix}/:organization/workspaces`, organizationInPath),
  endpoint({
    id: `workspace-pages.organizations${prefix.replace('/', '.')}`,
    route: `GET ${prefix}/workspaces`,
    summary: 'Show the page of your organizations, or of the workspaces if there is only one organization.',
    access: signInFirst,
    returns: { 200: null, 303: null },
    handle: (call) => whenSignedIn(call, prefix, '/workspaces', showOrganizations),
  }),
  endpoint({
    id: `workspace-pages.list${prefix.replace('/', '.')}`,
    route: `GET ${prefix}/:organization/workspaces`,
    summary: 'Show the page of the workspaces you can see in an organization.',
    access: signInFirst,
    returns: { 200: null, 303: null, 404: null },
    params: organizationInPath,
    query: Type.Object({
      search: field.text('Text that the names must contain.'),
      tags: field.text('Tags that the workspaces must have, separated by commas: `core`, `env=prod`.'),
      locked: field.text('`true` for those that are locked.'),
      page: field.text('Page number.'),
    }),
    handle: (call) => {
      const { search = '', tags = '', locked, page = '1' } = call.query
      const { number, problem } = pageNumberIn(page)
      const requested = { search: search.trim(), tags: tags.trim(), locked: locked === 'true' }
      const shown = { requested, number, problem: problem ?? tagsProblem(requested) }
      const path = `/${call.params.organization}/workspaces${queryFor(requested, number)}`
      return whenSignedIn(call, prefix, path, (known, viewer) => showWorkspaces(known, viewer, shown))
    },
  }),
]

/** Pages that lead to workspaces. */
export const workspaceListEndpoints: readonly Endpoint[] = defineEndpoints('site', pagePrefixes.flatMap(pagesBelow))
