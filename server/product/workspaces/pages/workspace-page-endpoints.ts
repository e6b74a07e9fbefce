import { type Call, defineEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import { type Html, html } from '../../../kit/html.ts'
import type { Resource } from '../../../kit/jsonapi/index.ts'
import { timeElement } from '../../../kit/page.ts'
import type { Reply } from '../../../kit/reply.ts'
import {
  type Problem,
  pagePrefixes,
  problemText,
  redirectTo,
  signedInPage,
  signInFirst,
  type Viewer,
  windowTitleOf,
} from '../../people/sign-in/index.ts'
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
import {
  attributeText,
  cloudBlockFor,
  findByRule,
  holderName,
  type LockFormView,
  listAddress,
  lockForm,
  type ToolSettings,
  whenSignedIn,
  workspaceAddress,
} from './page-parts-endpoints.ts'
import { awaitedAtUnlock, awaitedText } from './states/state-parts-endpoints.ts'

/** A workspace as its page shows it: the document the reader may see, and what is included with it. */
type WorkspaceView = LockFormView & {
  /** What went wrong with a form of the page. */
  readonly problem: Problem | undefined
  /** The address of this server, as the reader's browser has it. */
  readonly origin: string
  readonly settings: ToolSettings
  readonly included: readonly Resource[]
  /** What unlocking does besides, for those who may read the state; empty for nothing. */
  readonly atUnlock: string
}

/** What is included with the document of a page. */
const pageIncludes: ReadonlySet<string> = new Set([
  'project',
  'locked_by',
  'current_state_version',
  'outputs',
  'effective_tag_bindings',
])

/** A fact, in a list of them. */
export const entry = (name: string, value: Html): Html => html`<dt>${name}</dt><dd>${value}</dd>
`

function lockText({ resource, included }: WorkspaceView): Html {
  if (resource.attributes?.locked !== true) return html`not locked`
  const name = holderName(included, resource.relationships?.['locked-by'])
  const reason = attributeText(resource, 'locked-reason')
  const ends = attributeText(resource, 'lock-expires-at')
  const until = ends ? html` until ${timeElement(ends)}` : undefined
  const since = timeElement(attributeText(resource, 'locked-at'))
  return html`locked${name ? ` by ${name}` : ''} since ${since}${until}${reason ? `: ${reason}` : ''}`
}

function stateText({ resource, included }: WorkspaceView): Html {
  const state = included.find(({ type }) => type === 'state-versions')
  if (!state)
    return resource.relationships?.['current-state-version']?.data
      ? html`stored; you may not see its details`
      : html`none yet`
  const count =
    state.attributes?.['resource-count-known'] === false ? 'unknown' : attributeText(state, 'resource-count')
  return html`serial ${attributeText(state, 'serial')} of ${timeElement(attributeText(state, 'created-at'))}, managed resources: ${count}`
}

/** The ways to earlier versions and to the resources, for those who may read the state. */
function stateLinks({ viewer, organization, resource }: WorkspaceView): Html | undefined {
  const permissions = (resource.attributes?.permissions ?? {}) as Record<string, boolean>
  if (!permissions['can-read-state-versions']) return undefined
  const page = workspaceAddress(viewer, organization, attributeText(resource, 'name'))
  return html`<br><a href="${page}/states">Versions</a>, <a href="${page}/resources">resources</a>`
}

/** Longer values are shown in full on demand; beyond the second length they have to be read with a command line. */
const longestValue = 200
const longestWhole = 20_000

/** The start of a text; a pair of surrogates, such as an emoji, stays whole. */
const startOf = (text: string, length: number): string => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')

function valueText(output: Resource): Html {
  if (output.attributes?.sensitive === true) return html`(sensitive)`
  const value = JSON.stringify(output.attributes?.value ?? null)
  if (value.length <= longestValue) return html`<code>${value}</code>`
  const start = html`<code>${startOf(value, longestValue)}…</code>`
  return value.length <= longestWhole
    ? html`${start} <details><summary>Show all</summary><pre><code>${value}</code></pre></details>`
    : html`${start} <span class="faint">(shortened; a command line shows all ${value.length.toLocaleString('en')} characters)</span>`
}

function outputList({ included }: WorkspaceView): Html | undefined {
  const outputs = included.filter(({ type }) => type === 'workspace-outputs')
  if (outputs.length === 0) return undefined
  return html`<h2>Outputs</h2><dl>${outputs.map((output) => entry(attributeText(output, 'name'), valueText(output)))}</dl>`
}

/** Tags of both kinds, including those inherited from the project. */
function tagsOf({ resource, included }: WorkspaceView): string[] {
  const flat = (resource.attributes?.['tag-names'] ?? []) as string[]
  const bound = included
    .filter(({ type }) => type === 'effective-tag-bindings')
    .map((binding) => [attributeText(binding, 'key'), attributeText(binding, 'value')].filter(Boolean).join('='))
  return [...new Set([...flat, ...bound])]
}

/** A tag leads to the workspaces that have it. */
const tagLink = ({ viewer, organization }: WorkspaceView, tag: string, follows: boolean): Html =>
  html`${follows ? ', ' : ''}<a href="${listAddress(viewer, organization)}?tags=${encodeURIComponent(tag)}">${tag}</a>`

function factsOf(view: WorkspaceView): Html[] {
  const { viewer, resource, included, organization } = view
  const tags = tagsOf(view)
  const project = included.find(({ type }) => type === 'projects')
  const contact = attributeText(resource, 'contact')
  return [
    entry('Organization', html`<a href="${listAddress(viewer, organization)}">${organization}</a>`),
    ...(project ? [entry('Project', html`${attributeText(project, 'name')}`)] : []),
    entry('Lock', html`${lockText(view)}${view.atUnlock ? html`<p>${view.atUnlock}</p>` : undefined}${lockForm(view)}`),
    entry('State', html`${stateText(view)}${stateLinks(view)}`),
    ...(contact ? [entry('Contact', html`${contact}`)] : []),
    entry('Execution mode', html`${attributeText(resource, 'execution-mode')}`),
    entry('Tool version', html`${attributeText(resource, 'tool-version')}`),
    ...(tags.length > 0 ? [entry('Tags', html`${tags.map((tag, at) => tagLink(view, tag, at > 0))}`)] : []),
    entry('Identifier', html`<code>${resource.id}</code>`),
  ]
}

/** The page of a workspace. */
function workspacePage(view: WorkspaceView): Reply {
  const { resource, organization, origin, settings, problem } = view
  const workspace = attributeText(resource, 'name')
  const description = attributeText(resource, 'description')
  return signedInPage(
    view.viewer,
    workspace,
    html`${problemText(problem?.text)}${description ? html`<p>${description}</p>` : undefined}
<dl>${factsOf(view)}</dl>
${outputList(view)}
<h2>Use it</h2>${cloudBlockFor(origin, settings, organization, workspace)}`,
    {
      status: problem?.status ?? 200,
      section: 'Workspaces',
      windowTitle: windowTitleOf(`${workspace} of ${organization}`, problem),
    },
  )
}

/** The page shown for a workspace that does not exist for this reader. */
export const noWorkspacePage = (viewer: Viewer): Reply =>
  signedInPage(
    viewer,
    'No such workspace',
    html`<p>It does not exist, or you are not allowed to see it. <a href="${viewer.prefix}/workspaces">Show workspaces</a></p>`,
    { status: 404 },
  )

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
