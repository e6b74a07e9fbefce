import { toIso } from '../../../../kernel/clock.ts'
import { fields } from '../../../../kit/bodies.ts'
import { authorOf } from '../../../../kit/change-log/index.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint, Type } from '../../../../kit/endpoint.ts'
import { field } from '../../../../kit/fields.ts'
import { type Html, html } from '../../../../kit/html.ts'
import type { Resource } from '../../../../kit/jsonapi/index.ts'
import { timeElement } from '../../../../kit/page.ts'
import type { Reply } from '../../../../kit/reply.ts'
import {
  csrfField,
  leadToPage,
  leaveNotice,
  type PagePrefix,
  type Problem,
  pagePrefixes,
  problemText,
  redirectTo,
  signedInPage,
  signInFirst,
  type Viewer,
  windowTitleOf,
} from '../../../people/sign-in/index.ts'
import type { Session } from '../../../people/users/index.ts'
import {
  type Change,
  type Comparison,
  compareVersions,
  includeWithVersions,
  loadNewest,
  loadSerialsBetween,
  loadStateVersion,
  loadVersionBefore,
  namedAttributes,
  rollbackState,
  type StateVersion,
  stateVersionInPath,
} from '../../state/index.ts'
import {
  holderOf,
  holderShown,
  includeWith,
  lockInForce,
  mayOnWorkspace,
  namedWorkspaceInPath,
  type OnWorkspace,
  renderWorkspace,
} from '../../workspaces/index.ts'
import { holderName, lockButton, problemOf, whenSignedIn } from '../page-parts-endpoints.ts'
import { entry, pathOf } from '../workspace-page-endpoints.ts'
import { isHolder, type Show, showToReaders, versionInPath } from './state-page-endpoints.ts'
import {
  addressOf,
  authorText,
  awaitedAtUnlock,
  countText,
  downloadLink,
  noVersionPage,
  type StatePlace,
  statusText,
  wayBack,
} from './state-parts-endpoints.ts'

/** One version of a state, as its page shows it. */
type VersionView = StatePlace & {
  readonly problem: Problem | undefined
  readonly version: StateVersion
  /** The identifier of the current version; null if there is none. */
  readonly currentId: string | null
  /** The version that was written last. */
  readonly newest: StateVersion | undefined
  /** The version that a rollback copied into this one. */
  readonly origin: StateVersion | undefined
  readonly authors: readonly Resource[]
  /** The version before it, and what changed since; undefined if there is none, or nothing is left to compare. */
  readonly since: Compared | undefined
  /** Whether the reader can roll back to this version now, or would have to lock the workspace first. */
  readonly rollback: RollbackWay | undefined
  /** What a rollback would change in the newest state; undefined if nothing is left of it to compare. */
  readonly wouldChange: Comparison | undefined
}

/** What a reader who may write states has to do first. */
type RollbackWay =
  | { readonly way: 'possible' | 'lock first' | 'may not lock' }
  /** Somebody else holds the lock; the name is empty for a team which the reader cannot see. */
  | { readonly way: 'held'; readonly by: string; readonly since: string }

/** An earlier version, and what has changed since. */
type Compared = {
  readonly before: StateVersion
  /** The serials of versions in between, which have no content to compare with. */
  readonly between: readonly number[]
  readonly comparison: Comparison
}

/** More changes are counted, but not listed. */
const listedChanges = 500

/** The page of one version of the state of a workspace. */
function versionPage(view: VersionView): Reply {
  const { version, problem, organization, workspace } = view
  const title = `Serial ${version.serial} of ${workspace}`
  return signedInPage(
    view.viewer,
    title,
    html`${problemText(problem?.text)}${wayBack(view, '/states', 'All versions of the state')}<dl>${factsOf(view)}</dl>
${changesSection(view)}${rollbackSection(view)}`,
    {
      status: problem?.status ?? 200,
      section: 'Workspaces',
      windowTitle: windowTitleOf(`${title} of ${organization}`, problem),
    },
  )
}

function factsOf(view: VersionView): Html[] {
  const { version, authors } = view
  const awaitedId = awaitedAtUnlock(view.newest, view.currentId)?.id
  const waits = version.id === awaitedId ? 'becomes the current state when the workspace is unlocked' : ''
  const status = [version.id === view.currentId ? 'current' : '', waits || statusText(version, awaitedId)]
    .filter(Boolean)
    .join('; ')
  return [
    ...(status ? [entry('Status', html`${status}`)] : []),
    entry('Created', html`${timeElement(toIso(version.createdAt))}`),
    entry('By', html`${authorText(version, authors)}`),
    ...(view.origin ? [entry('Rolled back to', versionLink(view, view.origin))] : []),
    entry('Managed resources', html`${countText(version)}`),
    ...(version.toolVersion ? [entry('Tool version', html`${version.toolVersion}`)] : []),
    ...(version.lineage ? [entry('Lineage', html`${version.lineage}`)] : []),
    entry('MD5', html`<code>${version.md5}</code>`),
    entry('Identifier', html`<code>${version.id}</code>`),
    ...(version.status === 'finalized'
      ? [entry('Content', html`${version.size.toLocaleString('en')} bytes. ${downloadLink(view, version)}`)]
      : []),
  ]
}

const reasons: Readonly<Record<Extract<Comparison, string>, string>> = {
  'too large': 'These states are too large to be compared here. Download both.',
  'not readable': 'These states cannot be compared: one of them is encrypted, or in another format.',
}

/** Serials repeat after a rollback, so the time says which version is meant. */
const versionLink = (view: VersionView, { id, serial, createdAt }: StateVersion): Html =>
  html`<a href="${addressOf(view)}/states/${id}">serial ${serial}</a> of ${timeElement(toIso(createdAt))}`

function changesSection(view: VersionView): Html | undefined {
  if (!view.since) return undefined
  const { before, between, comparison } = view.since
  return html`<h2>Changes since serial ${before.serial}</h2>
<p>Compared with the version before, ${versionLink(view, before)}.${betweenText(between)}</p>${changesTables(comparison)}`
}

const namedBetween = 5

function betweenText(serials: readonly number[]): string {
  if (serials.length === 0) return ''
  if (serials.length === 1) return ` Serial ${serials[0]} in between has no content.`
  const named = serials.slice(0, namedBetween).join(', ')
  return ` Serials ${named}${serials.length > namedBetween ? ' and others' : ''} in between have no content.`
}

const changesTables = (comparison: Comparison): Html =>
  typeof comparison === 'string'
    ? html`<p>${reasons[comparison]}</p>`
    : html`${changesTable('Resource', comparison.resources)}${changesTable('Output', comparison.outputs)}`

function changesTable(what: 'Resource' | 'Output', changes: readonly Change[]): Html {
  if (changes.length === 0) return html`<p>No ${what.toLowerCase()}s have changed.</p>`
  const more = changes.length - listedChanges
  return html`<table><caption>${what}s: ${changes.length}</caption>
<thead><tr><th scope="col">${what}</th><th scope="col">Change</th></tr></thead>
<tbody>${changes.slice(0, listedChanges).map(changeRow)}</tbody></table>${
    more > 0 ? html`<p>${more} more are not listed.</p>` : undefined
  }`
}

function changeRow({ name, kind, attributes }: Change): Html {
  const more = attributes.length - namedAttributes
  const named = [...attributes.slice(0, namedAttributes), ...(more > 0 ? [`${more} more`] : [])].join(', ')
  return html`<tr><th scope="row">${name}</th><td data-label="Change">${kind}${named ? `: ${named}` : ''}</td></tr>
`
}

function rollbackSection(view: VersionView): Html | undefined {
  if (!view.rollback) return undefined
  return html`<h2>Roll back</h2>${wouldChangeSection(view)}${rollbackWay(view, view.rollback)}`
}

const whoRollsBack = 'Whoever holds the lock of the workspace can make this version the current state again.'

function rollbackWay(view: VersionView, rollback: RollbackWay): Html {
  switch (rollback.way) {
    case 'possible':
      return rollbackForm(view)
    case 'lock first': {
      const { id, serial } = view.version
      return html`<p>${whoRollsBack}</p>${lockButton({ ...view, back: `/states/${id}` }, `rollback to serial ${serial}`)}`
    }
    case 'may not lock':
      return html`<p>${whoRollsBack} You are not allowed to lock it; ask somebody who is.</p>`
    case 'held':
      return html`<p>${whoRollsBack} It is locked${rollback.by ? ` by ${rollback.by}` : ''} since ${timeElement(
        rollback.since,
      )}. <a href="${addressOf(view)}">Go to ${view.workspace}</a></p>`
  }
}

/** What decides about a rollback: how the newest state would change, not how this version came about. */
function wouldChangeSection(view: VersionView): Html | undefined {
  const { newest, wouldChange } = view
  if (!newest || !wouldChange) return undefined
  const which = newest.id === view.currentId ? 'the current state' : 'the newest state'
  return html`<p>A rollback would change ${which}, ${versionLink(view, newest)}, like this:</p>${changesTables(wouldChange)}`
}

/** Two steps. The form says which version was the newest, so that sending it again changes nothing. */
const rollbackForm = (view: VersionView): Html =>
  html`<details><summary>Roll back to this version</summary>
<form method="post" action="${addressOf(view)}/states/${view.version.id}/rollback">${csrfField(view.viewer)}<input type="hidden" name="newest" value="${view.newest?.id ?? ''}">
<p>A new version with this content becomes the current state when the workspace is unlocked. The infrastructure itself
stays as it is until the next apply, which then starts from this state. Throw away plans that were saved before.</p><button class="grave">Roll back now</button></form></details>`

const authors: ReadonlySet<string> = new Set(['created_by'])

const showVersion =
  (problem?: Problem): Show =>
  async (call, place, found) => {
    const version = await versionInPath(call, found.resource)
    if (!version) return noVersionPage(place)
    const { db } = call.deps
    const newest = await loadNewest(db, found.resource.id)
    const rollback = version.id === newest?.id ? undefined : await rollbackFor(call, found, version)
    return versionPage({
      ...place,
      problem,
      version,
      currentId: found.resource.currentStateVersionId,
      newest,
      origin: version.rolledBackTo === null ? undefined : await loadStateVersion(db, version.rolledBackTo),
      authors: await includeWithVersions(call, authors, [version]),
      since: await changesOf(call, version),
      rollback,
      wouldChange:
        rollback && newest?.status === 'finalized' ? await compareVersions(call.deps, newest, version) : undefined,
    })
  }

async function changesOf({ deps }: Call, version: StateVersion): Promise<VersionView['since']> {
  const before = version.status === 'finalized' ? await loadVersionBefore(deps.db, version) : undefined
  if (!before) return undefined
  const between = await loadSerialsBetween(deps.db, before, version)
  return { before, between, comparison: await compareVersions(deps, before, version) }
}

async function rollbackFor(call: Call, found: OnWorkspace, version: StateVersion): Promise<VersionView['rollback']> {
  const { resource: workspace, grants } = found
  if (version.status !== 'finalized' || !mayOnWorkspace(grants, 'can-create-state-versions', workspace))
    return undefined
  if (isHolder(call, found)) return { way: 'possible' }
  const lock = lockInForce(workspace.lock, call.deps.clock.now())
  if (!lock) return { way: mayOnWorkspace(grants, 'can-lock', workspace) ? 'lock first' : 'may not lock' }
  const resources = [await renderWorkspace(call, grants, workspace)]
  const { included } = await includeWith(call, lockHolders, { grants, workspaces: [workspace], resources })
  return { way: 'held', by: holderName(included, holderShown(lock.holder)), since: toIso(lock.since) }
}

const lockHolders: ReadonlySet<string> = new Set(['locked_by'])

const notAllowed: Problem = { text: 'You are not allowed to roll back the state of this workspace.', status: 403 }

/** Rolls back and shows all versions, so that a reload of the page repeats nothing. */
const rollback =
  (after = ''): Show =>
  async (call, place, found, session) => {
    const { resource: workspace, grants, actor } = found
    const version = await versionInPath(call, workspace)
    if (!version) return noVersionPage(place)
    if (!mayOnWorkspace(grants, 'can-create-state-versions', workspace)) {
      return await showVersion(notAllowed)(call, place, found, session)
    }
    const path = `${place.viewer.prefix}${pathOf(call, place.workspace)}/states`
    const text = `Rolled back to serial ${version.serial}.`
    const done = redirectTo(path, leaveNotice(call, { path, session }, { kind: 'done', text }))
    try {
      await rollbackState(call.deps, authorOf(call), { workspace, id: version.id, by: holderOf(actor), after })
      return done
    } catch (thrown) {
      const problem = problemOf(thrown)
      return (await isDone(call, version)) ? done : await showVersion(problem)(call, place, found, session)
    }
  }

/** True if the newest state is already the one that the form asks for: a second click is not an error. */
const isDone = async ({ deps }: Call, { workspaceId, md5 }: StateVersion): Promise<boolean> =>
  (await loadNewest(deps.db, workspaceId))?.md5 === md5

const body = fields(
  Type.Object({
    csrf: field.text('CSRF token of the form.'),
    newest: field.text('The version that was the newest one when the page was shown.'),
  }),
)

/** Runs below the page of a version, for those who may read the state. */
function onVersion(call: Call, prefix: PagePrefix, show: Show, csrf?: string): Promise<Reply> {
  const below = `/states/${call.params.stateVersionId}`
  const run = (known: Call, viewer: Viewer, session: Session) => showToReaders(known, { viewer, session }, below, show)
  return whenSignedIn(call, prefix, `${pathOf(call, call.params.name ?? '')}${below}`, run, { csrf })
}

const pagesBelow = (prefix: PagePrefix) => {
  const path = `${prefix}/:organization/workspaces/:name/states/:stateVersionId` as const
  const common = { access: signInFirst, params: { ...namedWorkspaceInPath, ...stateVersionInPath } }
  return [
    endpoint({
      ...common,
      id: `workspace-pages.version${prefix.replace('/', '.')}`,
      route: `GET ${path}`,
      summary: 'Show the page of a version of the state, and what changed since the one before.',
      returns: { 200: null, 303: null, 403: null, 404: null },
      handle: (call) => onVersion(call, prefix, showVersion()),
    }),
    endpoint({
      ...common,
      id: `workspace-pages.rollback${prefix.replace('/', '.')}`,
      route: `POST ${path}/rollback`,
      summary: 'Send the rollback form of the page of a version.',
      body,
      returns: { 303: null, 403: null, 404: null, 409: null, 412: null, 422: null, 503: null },
      handle: (call) => onVersion(call, prefix, rollback(call.body.newest), call.body.csrf),
    }),
    leadToPage(`${path}/rollback`, path, common.params),
  ]
}

/** The page of one version of a state, with the form that rolls back to it. */
export const versionPageEndpoints: readonly Endpoint[] = defineEndpoints('site', pagePrefixes.flatMap(pagesBelow))
