import { cloudBlock } from '../../../compat/vendor-names.ts'
import { Failure, type FailureKind } from '../../../kernel/failure.ts'
import type { Settings } from '../../../kit/app-settings.ts'
import type { Call, RuleAccess } from '../../../kit/endpoint.ts'
import { type Html, html } from '../../../kit/html.ts'
import { failureShapes, type PageRequest, type Relationship, type Resource } from '../../../kit/jsonapi/index.ts'
import type { Reply } from '../../../kit/reply.ts'
import {
  csrfField,
  type PagePrefix,
  type Problem,
  personOf,
  type SessionOptions,
  type Viewer,
  viewerOf,
  withSession,
} from '../../people/sign-in/index.ts'
import type { Session } from '../../people/users/index.ts'
import { longestReason } from '../workspaces/index.ts'

/** An attribute as text; empty where there is none. */
export const attributeText = (resource: Resource | undefined, name: string): string => {
  const value = resource?.attributes?.[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Which part of a list a page shows. */
type ListPart = { readonly page: PageRequest; readonly shown: number; readonly total: number }

/** The number in the query of a page; the first page, and a problem to show, for anything that is none. */
export function pageNumberIn(text: string): { readonly number: number; readonly problem: Problem | undefined } {
  const isNumber = /^0*[1-9]\d{0,8}$/.test(text)
  const problem = { text: `“${text.slice(0, 40)}” is not the number of a page. This is the first one.`, status: 400 }
  return isNumber ? { number: Number(text), problem: undefined } : { number: 1, problem }
}

/** The query that asks for a page; empty for the first. */
export const pageQuery = (number: number): string => (number > 1 ? `?page=${number}` : '')

/** The title of the window, which tells the pages of a list apart. */
export const pagedTitle = (title: string, { number }: PageRequest): string =>
  number > 1 ? `${title}, page ${number}` : title

/** Which entries these are, and the ways to those before and after them. */
export function pageLinks({ page, shown, total }: ListPart, addressOf: (number: number) => string): Html {
  const first = (page.number - 1) * page.size + 1
  const last = first + shown - 1
  const to = (number: number, name: string): Html => html`<a href="${addressOf(number)}">${name}</a>`
  return html`<nav class="pages" aria-label="Pages"><span>${first} to ${last} of ${total}</span>${
    page.number > 1 ? to(page.number - 1, 'Previous') : undefined
  }${last < total ? to(page.number + 1, 'Next') : undefined}</nav>`
}

/** The name of a holder or author, and that it is a team; empty for a team which the reader cannot see. */
export function holderName(holders: readonly Resource[], relationship: Relationship | undefined): string {
  const by = relationship?.data as Partial<Resource> | null | undefined
  const holder = holders.find(({ type, id }) => type === by?.type && id === by?.id)
  const name = attributeText(holder, 'name')
  return attributeText(holder, 'username') || (name && `team ${name}`)
}

/** The address of the page that lists the workspaces of an organization. */
export const listAddress = ({ prefix }: Viewer, organization: string): string => `${prefix}/${organization}/workspaces`

/** The address of the page of a workspace. */
export const workspaceAddress = (viewer: Viewer, organization: string, name: string): string =>
  `${listAddress(viewer, organization)}/${name}`

/** The settings that decide under which address the tools reach this server. */
export type ToolSettings = Pick<Settings, 'mode' | 'httpsPort'>

const loopbackHosts: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** The host for the tools, which only use HTTPS, whatever the browser uses; undefined if it is not known. */
function toolHost(origin: string, { mode, httpsPort }: ToolSettings): string | undefined {
  const { protocol, host, hostname } = new URL(origin)
  if (protocol === 'https:') return host
  // The certificate of dev mode is valid for this name, and its listeners are on one machine.
  if (mode === 'dev' && httpsPort > 0 && loopbackHosts.has(hostname)) return `localhost:${httpsPort}`
  return undefined
}

/** The block that points a configuration at a workspace. */
export function cloudBlockFor(origin: string, settings: ToolSettings, organization: string, workspace: string): Html {
  const known = toolHost(origin, settings)
  const host = known ?? new URL(origin).host
  const block = html`<pre><code>${cloudBlock({ host, organization, workspace })}</code></pre>`
  if (known !== undefined) return block
  return html`${block}<p class="faint">Use the host and port of this server’s HTTPS address there: the tools require it.</p>`
}

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

/** Runs as the person who is signed in; others sign in first and come back to the page, a path below the prefix. */
export const whenSignedIn = (
  call: Call,
  prefix: PagePrefix,
  path: string,
  run: (call: Call, viewer: Viewer, session: Session) => Promise<Reply>,
  options?: SessionOptions,
): Promise<Reply> =>
  withSession(
    call,
    prefix,
    path,
    (session) => run({ ...call, caller: personOf(session) }, viewerOf(call, session, prefix), session),
    options,
  )

const unreachableKinds: ReadonlySet<FailureKind> = new Set(['forbidden', 'missing', 'refused'])

/**
 * What a rule finds; undefined if it does not exist for the caller, or if the way the caller signed in does not allow
 * it.
 */
export async function findByRule<S>(rule: RuleAccess<S>, call: Call): Promise<S | undefined> {
  try {
    return await rule.check(call)
  } catch (thrown) {
    if (thrown instanceof Failure && unreachableKinds.has(thrown.kind)) return undefined
    throw thrown
  }
}

/** What a reader can do something about. */
const solvableKinds: ReadonlySet<FailureKind> = new Set(['conflict', 'precondition', 'invalid', 'unavailable'])

/** What a page says about a refusal that its reader can do something about; anything else is thrown on. */
export function problemOf(thrown: unknown): Problem {
  if (!(thrown instanceof Failure) || !solvableKinds.has(thrown.kind)) throw thrown
  return { text: thrown.message, status: failureShapes[thrown.kind].status }
}
