import { type Html, html } from '../../kit/html.ts'
import type { PageRequest, Resource } from '../../kit/jsonapi/index.ts'
import type { Reply } from '../../kit/reply.ts'
import { signedInPage, type Viewer } from '../sign-in/index.ts'
import { cloudBlockFor, type ToolSettings } from './cloud-block-wire.ts'
import { attributeText, timeElement } from './workspace-page-wire.ts'

/** The workspaces of an organization as a page shows them. */
export type WorkspaceListView = {
  readonly viewer: Viewer
  /** The address of this server, as the reader's browser has it. */
  readonly origin: string
  readonly settings: ToolSettings
  readonly organization: string
  /** The text that names must contain; empty for all. */
  readonly search: string
  readonly page: PageRequest
  readonly resources: readonly Resource[]
  readonly total: number
}

/** The organizations of a person, each with a link to its workspaces. */
export function organizationsPage(viewer: Viewer, names: readonly string[]): Reply {
  const items = names.map((name) => html`<li><a href="${viewer.prefix}/${name}/workspaces">${name}</a></li>`)
  const none = html`<p>You belong to no organization yet. An owner of one can invite you.</p>`
  const body = names.length === 0 ? none : html`<ul>${items}</ul>`
  return signedInPage(viewer, 'Organizations', body, { section: 'Workspaces' })
}

/** The page shown for an organization that does not exist for this reader. */
export const noOrganizationPage = (viewer: Viewer): Reply =>
  signedInPage(viewer, 'No such organization', html`<p>It does not exist, or you do not belong to it.</p>`, {
    status: 404,
  })

/** The page of an organization’s workspaces. */
export function workspaceListPage(view: WorkspaceListView): Reply {
  const { organization, search, total } = view
  const found = total === 0 ? emptyText(view) : html`${tableOf(view)}${pagesOf(view)}`
  const body = total === 0 && search === '' ? found : html`${searchForm(view)}${found}`
  return signedInPage(view.viewer, `Workspaces of ${organization}`, body, { section: 'Workspaces' })
}

const addressOf = ({ viewer, organization }: WorkspaceListView): string => `${viewer.prefix}/${organization}/workspaces`

/** The query of the list for this search and page; empty for the whole list from its start. */
export function queryFor(search: string, page: number): string {
  const query = new URLSearchParams({ ...(search && { search }), ...(page > 1 && { page: String(page) }) }).toString()
  return query && `?${query}`
}

const searchForm = (
  view: WorkspaceListView,
): Html => html`<form class="search" role="search" action="${addressOf(view)}">
<label>Name<input name="search" type="search" value="${view.search}"></label><button class="quiet">Find</button></form>
`

function emptyText({ search, origin, settings, organization }: WorkspaceListView): Html {
  if (search !== '') return html`<p>No workspace has “${search}” in its name.</p>`
  return html`<p>There are none that you can see. A configuration with this block creates one on first use:</p>
${cloudBlockFor(origin, settings, organization, 'first-steps')}`
}

const tableOf = (view: WorkspaceListView): Html => html`<table>
<thead><tr><th>Name</th><th>Lock</th><th class="whole">State changed</th></tr></thead>
<tbody>${view.resources.map((resource) => rowOf(view, resource))}</tbody></table>`

function rowOf(view: WorkspaceListView, resource: Resource): Html {
  const name = attributeText(resource, 'name')
  const description = attributeText(resource, 'description')
  const lock = resource.attributes?.locked === true ? 'locked' : 'not locked'
  return html`<tr><td><a href="${addressOf(view)}/${name}">${name}</a>${
    description ? html`<br><span class="faint">${description}</span>` : undefined
  }</td>
<td class="whole" data-label="Lock">${lock}</td><td class="whole" data-label="State changed">${changedText(resource)}</td></tr>`
}

const changedText = (resource: Resource): Html =>
  resource.relationships?.['current-state-version']?.data
    ? timeElement(attributeText(resource, 'latest-change-at'))
    : html`no state yet`

function pagesOf(view: WorkspaceListView): Html {
  const { page, total, resources } = view
  const first = (page.number - 1) * page.size + 1
  const last = first + resources.length - 1
  const to = (number: number, name: string): Html =>
    html`<a href="${addressOf(view)}${queryFor(view.search, number)}">${name}</a>`
  return html`<p class="pages"><span>${first} to ${last} of ${total}</span>${
    page.number > 1 ? to(page.number - 1, 'Previous') : undefined
  }${last < total ? to(page.number + 1, 'Next') : undefined}</p>`
}
