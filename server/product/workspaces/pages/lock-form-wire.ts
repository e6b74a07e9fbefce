import { type Html, html } from '../../../kit/html.ts'
import type { Resource } from '../../../kit/jsonapi/index.ts'
import { csrfField, type Viewer } from '../../people/sign-in/index.ts'
import { longestReason } from '../workspaces/index.ts'
import { workspaceAddress } from './page-addresses.ts'

/** What a page can do to the lock of a workspace. */
export const lockVerbs = ['lock', 'unlock', 'force-unlock'] as const

/** One of them. */
export type LockVerb = (typeof lockVerbs)[number]

/** What the forms depend on: who reads the page, and the workspace with the rights of this reader. */
export type LockFormView = {
  readonly viewer: Viewer
  /** Identifier of the reader, who may hold the lock. */
  readonly readerId: string
  readonly organization: string
  readonly resource: Resource
}

/** The form for what the reader can do about the lock now; undefined if that is nothing. */
export function lockForm(view: LockFormView): Html | undefined {
  const { attributes, relationships } = view.resource
  const permissions = (attributes?.permissions ?? {}) as Record<string, boolean>
  if (attributes?.locked !== true) return permissions['can-lock'] ? formToLock(view) : undefined
  const holder = relationships?.['locked-by']?.data as { id?: string } | null | undefined
  if (holder?.id === view.readerId) return permissions['can-unlock'] ? formToUnlock(view) : undefined
  return permissions['can-force-unlock'] ? formToForce(view) : undefined
}

function form({ viewer, organization, resource }: LockFormView, verb: LockVerb, content: Html): Html {
  const address = workspaceAddress(viewer, organization, String(resource.attributes?.name))
  return html`<form method="post" action="${address}/actions/${verb}">${csrfField(viewer)}${content}</form>`
}

/** Where a form for the lock stands outside the page of the workspace: it leads back there. */
type LockFormPlace = {
  readonly viewer: Viewer
  readonly organization: string
  readonly workspace: string
  /** The page that has the form, below that of the workspace. */
  readonly back: string
}

/** A button that locks for a reason, on another page than that of the workspace. */
export const lockButton = (place: LockFormPlace, reason: string): Html =>
  formElsewhere(
    place,
    'lock',
    html`<input type="hidden" name="reason" value="${reason}"><button>Lock ${place.workspace}</button>`,
  )

/** A button that unlocks, on another page than that of the workspace. */
export const unlockButton = (place: LockFormPlace): Html =>
  formElsewhere(place, 'unlock', html`<button>Unlock ${place.workspace}</button>`)

const formElsewhere = ({ viewer, organization, workspace, back }: LockFormPlace, verb: LockVerb, content: Html): Html =>
  html`<form method="post" action="${workspaceAddress(viewer, organization, workspace)}/actions/${verb}">${csrfField(
    viewer,
  )}<input type="hidden" name="back" value="${back}">${content}</form>
`

const formToLock = (view: LockFormView): Html =>
  html`<details><summary>Lock</summary>${form(
    view,
    'lock',
    html`<label>Reason, shown to others<input name="reason" maxlength="${longestReason}" autocomplete="off"></label>
<button>Lock the workspace</button>`,
  )}</details>`

const formToUnlock = (view: LockFormView): Html => form(view, 'unlock', html`<button class="quiet">Unlock</button>`)

/** Two steps: whoever holds the lock may be in the middle of a change. The form releases only the lock it shows. */
const formToForce = (view: LockFormView): Html =>
  html`<details><summary>Force unlock</summary>${form(
    view,
    'force-unlock',
    html`<input type="hidden" name="since" value="${String(view.resource.attributes?.['locked-at'])}">
<p>Whoever holds the lock loses it, and state that is not completely stored yet is discarded. Make sure that no command is
still running.</p><button class="grave">Force unlock now</button>`,
  )}</details>`
