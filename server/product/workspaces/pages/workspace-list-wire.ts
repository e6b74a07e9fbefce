import { type Html, html } from '../../../kit/html.ts'
import type { PageRequest, Resource } from '../../../kit/jsonapi/index.ts'
import { timeElement } from '../../../kit/page.ts'
import type { Reply } from '../../../kit/reply.ts'
import { type Problem, problemText, signedInPage, type Viewer, windowTitleOf } from '../../people/sign-in/index.ts'
import { cloudBlockFor, type ToolSettings } from './cloud-block-wire.ts'
import { attributeText, holderName, pagedTitle, pageLinks } from './list-parts-wire.ts'
import { listAddress } from './page-addresses.ts'

/** What a reader looks for. */
export type ListSearch = {
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
  readonly asked: ListSearch
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
export function organizationsPage(viewer: Viewer, names: readonly string[]): Reply {
  const items = names.map((name) => html`<li><a href="${listAddress(viewer, name)}">${name}</a></li>`)
  const none = html`<p>You belong to no organization yet. An owner of one can invite you.</p>`
  const body = names.length === 0 ? none : html`<ul>${items}</ul>`
  return signedInPage(viewer, 'Organizations', body, { section: 'Workspaces' })
}

/** The page shown for an organization that does not exist for this reader. */
export const noOrganizationPage = (viewer: Viewer): Reply =>
  signedInPage(
    viewer,
    'No such organization',
    html`<p>It does not exist, or you do not belong to it. <a href="${viewer.prefix}/workspaces">Show my organizations</a></p>`,
    { status: 404 },
  )

/** The page of an organization’s workspaces. */
export function workspaceListPage(view: WorkspaceListView): Reply {
  const { organization, asked, total, page, rows } = view
  const links = pageLinks({ page, shown: rows.length, total }, (number) => addressOf(view) + queryFor(asked, number))
  const found = total === 0 ? emptyText(view) : html`${tableOf(view)}${links}`
  const body = total === 0 && isEverything(asked) ? found : html`${searchForm(view)}${found}`
  const title = `Workspaces of ${organization}`
  const windowTitle = pagedTitle([title, ...wordsOf(asked)].join(', '), page)
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
export function queryFor({ search, tags, locked }: ListSearch, page: number): string {
  const asked = {
    ...(search && { search }),
    ...(tags && { tags }),
    ...(locked && { locked: 'true' }),
    ...(page > 1 && { page: String(page) }),
  }
  const query = new URLSearchParams(asked).toString()
  return query && `?${query}`
}

const searchForm = (
  view: WorkspaceListView,
): Html => html`<form class="search" role="search" action="${addressOf(view)}">
<label>Name<input name="search" type="search" value="${view.asked.search}"></label>
<label>Tags, such as env=prod<input name="tags" type="search" value="${view.asked.tags}"></label>
<label class="check"><input name="locked" type="checkbox" value="true"${view.asked.locked ? ' checked' : undefined}>Locked</label><button class="quiet">Find</button></form>
`

function emptyText(view: WorkspaceListView): Html {
  const { asked, origin, settings, organization } = view
  if (isEverything(asked) && !view.mayCreate)
    return html`<p>There are none that you can see, and you are not allowed to create any. Ask an owner of ${organization} for
access: to a workspace, by way of a team, or to create workspaces.</p>`
  if (isEverything(asked))
    return html`<p>There are none that you can see. A configuration with this block creates one on first use:</p>
${cloudBlockFor(origin, settings, organization, 'first-steps')}`
  const conditions = [asked.search && `“${asked.search}” in its name`, asked.tags && `all of these tags: ${asked.tags}`]
  const has = conditions.filter(Boolean).join(' and ')
  const which = `${asked.locked ? 'locked ' : ''}workspace ${has ? `has ${has}` : 'was found'}`
  return html`<p>No ${which}. <a href="${addressOf(view)}">Show all</a></p>`
}

const tableOf = (view: WorkspaceListView): Html => html`<table><caption class="unseen">Workspaces by name</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Lock</th><th scope="col" class="count">Managed resources</th><th scope="col" class="whole">State changed</th></tr></thead>
<tbody>${view.rows.map((row) => rowOf(view, row))}</tbody></table>`

function rowOf(view: WorkspaceListView, { resource, isCountKnown }: WorkspaceRow): Html {
  const name = attributeText(resource, 'name')
  const description = attributeText(resource, 'description')
  const hasState = Boolean(resource.relationships?.['current-state-version']?.data)
  const changed = hasState ? timeElement(attributeText(resource, 'latest-change-at')) : html`no state yet`
  return html`<tr><th scope="row"><a href="${addressOf(view)}/${name}">${name}</a>${
    description ? html`<div class="faint brief">${description}</div>` : undefined
  }</th>
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
