import { toIso } from '../../../../kernel/clock.ts'
import { type Html, html } from '../../../../kit/html.ts'
import type { PageRequest, Resource } from '../../../../kit/jsonapi/index.ts'
import { timeElement } from '../../../../kit/page.ts'
import type { Reply } from '../../../../kit/reply.ts'
import { type Problem, problemText, signedInPage, type Viewer, windowTitleOf } from '../../../people/sign-in/index.ts'
import { listedInstances, type StateStatus, type StateVersion } from '../../state/index.ts'
import { holderShown } from '../../workspaces/index.ts'
import {
  attributeText,
  holderName,
  pagedTitle,
  pageLinks,
  pageQuery,
  unlockButton,
  workspaceAddress,
} from '../page-parts-endpoints.ts'

/** The workspace whose state a page shows, and who reads it. */
export type StatePlace = { readonly viewer: Viewer; readonly organization: string; readonly workspace: string }

/** A page of a list about the state. */
type ListView = StatePlace & {
  readonly page: PageRequest
  /** What is wrong with the address of the page. */
  readonly problem: Problem | undefined
}

/** A page of the versions of a state. */
type StatesView = ListView & {
  readonly versions: readonly StateVersion[]
  readonly total: number
  /** The identifier of the current version; null if there is none. */
  readonly currentId: string | null
  /** The version that unlocking makes the current one, if any. */
  readonly awaited: StateVersion | undefined
  /** Whether the reader holds the lock, and so decides when that happens. */
  readonly mayUnlock: boolean
  /** Who wrote these versions. */
  readonly authors: readonly Resource[]
}

/** A page of the resources in the current state. */
type ResourcesView = ListView & {
  /** The current version; undefined if there is none. */
  readonly version: StateVersion | undefined
  readonly resources: readonly Resource[]
  /** Their addresses, as the tools write them. */
  readonly addresses: readonly string[]
  readonly total: number
}

/** The address of the workspace. */
export const addressOf = ({ viewer, organization, workspace }: StatePlace): string =>
  workspaceAddress(viewer, organization, workspace)

const statePage = ({ viewer, organization, workspace, page, problem }: ListView, title: string, body: Html): Reply =>
  signedInPage(viewer, `${title} of ${workspace}`, html`${problemText(problem?.text)}${body}`, {
    status: problem?.status ?? 200,
    section: 'Workspaces',
    windowTitle: windowTitleOf(pagedTitle(`${title} of ${workspace} of ${organization}`, page), problem),
  })

/** The page for readers who see the workspace, but not its state. */
export const noStatePage = (place: StatePlace): Reply =>
  signedInPage(
    place.viewer,
    'State not shown',
    html`<p>You are not allowed to read the state of this workspace. <a href="${addressOf(place)}">Show ${place.workspace}</a></p>`,
    { status: 403, section: 'Workspaces' },
  )

/** The page for a version that does not exist for this reader, or whose content is not there. */
export const noVersionPage = (place: StatePlace): Reply =>
  signedInPage(
    place.viewer,
    'No such state',
    html`<p>It does not exist, or its content was deleted. <a href="${addressOf(place)}/states">Show the versions of the state</a></p>`,
    { status: 404, section: 'Workspaces' },
  )

/** The ways to the workspace and to another page about its state. */
export const wayBack = (place: StatePlace, path: string, name: string): Html =>
  html`<p>Workspace: <a href="${addressOf(place)}">${place.workspace}</a>. <a href="${addressOf(place)}${path}">${name}</a></p>
`

/** The versions of the state of a workspace, newest first. */
export function statesPage(view: StatesView): Reply {
  const { page, versions, total } = view
  const links = pageLinks({ page, shown: versions.length, total }, (number) => statesAddress(view, number))
  const found =
    total === 0
      ? html`<p>There is no state yet.</p>`
      : html`<table><caption class="unseen">Versions of the state, newest first</caption>
<thead><tr><th scope="col">Version</th><th scope="col" class="whole">Created</th><th scope="col">By</th><th scope="col" class="count">Managed resources</th><td></td></tr></thead>
<tbody>${versions.map((version) => versionRow(view, version))}</tbody></table>${links}`
  const body = html`${wayBack(view, '/resources', 'Resources of the current state')}${awaitedNotice(view)}${found}`
  return statePage(view, 'State versions', body)
}

const statesAddress = (place: StatePlace, page: number): string => `${addressOf(place)}/states${pageQuery(page)}`

const statusTexts: Readonly<Record<StateStatus, string>> = {
  finalized: '',
  pending: 'pending: its content has not arrived yet',
  discarded: 'discarded: its content never arrived',
  backing_data_soft_deleted: 'content deleted; it can be restored',
  backing_data_permanently_deleted: 'content deleted permanently',
}

/** What is special about a version; empty for most. */
export function statusText(
  { id, status, intermediate, rolledBackTo }: StateVersion,
  awaitedId: string | undefined,
): string {
  if (statusTexts[status] || !intermediate) return statusTexts[status]
  if (rolledBackTo === null) return 'intermediate: sent before its writer was done'
  return id === awaitedId
    ? 'not current until the workspace is unlocked'
    : 'never current: replaced under the same lock'
}

/** The version that unlocking makes the current one: the newest, if it was written under the present lock. */
export const awaitedAtUnlock = (
  newest: StateVersion | undefined,
  currentId: string | null,
): StateVersion | undefined => (newest?.intermediate && newest.id !== currentId ? newest : undefined)

/** What unlocking does besides. */
export const awaitedText = ({ serial }: StateVersion): string =>
  `Serial ${serial} becomes the current state when the workspace is unlocked, unless another one is written first.`

const awaitedNotice = (view: StatesView): Html | undefined =>
  view.awaited &&
  html`<p>${awaitedText(view.awaited)} ${
    view.mayUnlock ? undefined : html`<a href="${addressOf(view)}">Go to ${view.workspace}</a>`
  }</p>${view.mayUnlock ? unlockButton({ ...view, back: '/states' }) : undefined}
`

/** Who wrote a version. */
export function authorText({ createdBy }: StateVersion, authors: readonly Resource[]): string {
  return holderName(authors, holderShown(createdBy)) || 'not shown to you'
}

/** How many resources a version manages. */
export const countText = ({ resourceCountKnown, status, resourceCount }: StateVersion): string =>
  resourceCountKnown && status !== 'pending' && status !== 'discarded' ? String(resourceCount) : 'unknown'

function versionRow(view: StatesView, version: StateVersion): Html {
  const current = version.id === view.currentId ? html` <strong>current</strong>` : undefined
  const text = statusText(version, view.awaited?.id)
  return html`<tr><th scope="row"><a href="${addressOf(view)}/states/${version.id}">Serial ${version.serial}</a>${current}${rolledBackText(
    view,
    version,
  )}${text ? html`<div class="faint">${text}</div>` : undefined}</th>
<td class="whole" data-label="Created">${timeElement(toIso(version.createdAt))}</td><td data-label="By">${authorText(
    version,
    view.authors,
  )}</td><td class="count" data-label="Managed resources">${countText(version)}</td><td class="act">${
    version.status === 'finalized' ? downloadLink(view, version) : undefined
  }</td></tr>`
}

const rolledBackText = (view: StatesView, { rolledBackTo, serial }: StateVersion): Html | undefined =>
  rolledBackTo === null
    ? undefined
    : html`<div class="faint">rolled back to <a href="${addressOf(view)}/states/${rolledBackTo}">an earlier serial ${serial}</a></div>`

/** The browser saves the content under this name. */
export const downloadLink = (view: StatePlace, { id, serial }: StateVersion): Html =>
  html`<a href="${addressOf(view)}/states/${id}/download" download="${view.workspace}-${serial}.tfstate">Download<span class="unseen"> serial ${serial}</span></a>`

/** The resources in the current state of a workspace. */
export function resourcesPage(view: ResourcesView): Reply {
  const { page, resources, total } = view
  const links = pageLinks({ page, shown: resources.length, total }, (number) => resourcesAddress(view, number))
  const found =
    total === 0
      ? html`<p>${noResourcesText(view)}</p>`
      : html`<table><caption>In serial ${view.version?.serial}${
          total === listedInstances ? `; at most ${listedInstances} are listed` : ''
        }${countNote(view)}</caption>
<thead><tr><th scope="col">Address</th><th scope="col">Type</th><th scope="col">Provider</th><th scope="col">Module</th></tr></thead>
<tbody>${resources.map((resource, at) => resourceRow(resource, view.addresses[at] ?? ''))}</tbody></table>${links}`
  const body = html`${wayBack(view, '/states', 'All versions of the state')}${found}`
  return statePage(view, 'Resources', body)
}

/** Why the list is longer or shorter than the number that other pages show. */
const countNote = ({ version, total }: ResourcesView): string =>
  version && total < listedInstances && total !== version.resourceCount
    ? `. Managed resources: ${version.resourceCount}; that is without data sources, and with deposed objects, which are not listed`
    : ''

const resourcesAddress = (place: StatePlace, page: number): string => `${addressOf(place)}/resources${pageQuery(page)}`

function noResourcesText({ version }: ResourcesView): string {
  if (!version) return 'There is no state yet.'
  if (version.resourceCountKnown) return `The current state, serial ${version.serial}, has no resources.`
  return version.encrypted
    ? 'The current state is encrypted: only its writer knows its resources.'
    : 'The current state is not of format 4, so its resources are not known here.'
}

const resourceRow = (resource: Resource, address: string): Html =>
  html`<tr><th scope="row">${address}</th>
<td class="kind" data-label="Type">${attributeText(resource, 'provider-type')}</td><td class="holder" data-label="Provider">${attributeText(resource, 'provider')}</td><td data-label="Module">${attributeText(resource, 'module')}</td></tr>`
