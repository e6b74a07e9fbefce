import {
  type OrganizationGrants,
  rightsOnWorkspace,
  type WorkspaceRightSet,
} from '../../../access/permissions/index.ts'
import { type Failure, failure } from '../../../kernel/failure.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { Call } from '../../../kit/endpoint.ts'
import { namesTag, weakTagOf } from '../../../kit/entity-tag.ts'
import { type PageDocument, type Resource, writeResource } from '../../../kit/jsonapi/index.ts'
import type { Reply } from '../../../kit/reply.ts'
import {
  type Organization,
  organizationOf,
  type RetentionPolicy,
  retentionPoliciesOf,
  toRetentionLink,
} from '../../people/organizations/index.ts'
import { lockInForce } from './locking/lock.ts'
import { projectDefaultsOf } from './settings/settings-actions.ts'
import type { VcsConnection } from './settings/vcs-settings.ts'
import { loadConnections } from './settings/vcs-settings-store.ts'
import { isAssessable } from './settings/workspace-settings.ts'
import { type Catalogue, catalogueOf } from './tool-versions/tool-version-actions.ts'
import { effectiveExecution, inheritedExecution, type ProjectDefaults, type Workspace } from './workspace.ts'
import type { OnWorkspace } from './workspace-access-actions.ts'
import { toWorkspaceResource, withLockShown } from './workspace-document-fields.ts'
import { type Links, noLinks, type PartName, workspacePart } from './workspace-parts-actions.ts'

/** The parts of a call that the document of a workspace depends on. */
type RenderCall = Pick<Call, 'deps' | 'request'>

/** What the document of a workspace depends on besides its row. */
type Basis = {
  readonly rights: WorkspaceRightSet
  /** Moves when organizations, projects, connections, retention policies or the catalogue of releases change. */
  readonly around: number
  readonly origin: string
}

/** A document without the lock, and with the lock that it was last shown with. */
type Document = Basis & { readonly unlocked: Resource; locked?: { readonly lock: object; readonly resource: Resource } }

/** Callers with different rights see different documents of one workspace; no more than this many are kept. */
const maxDocuments = 8

const documents = new WeakMap<Workspace, Document[]>()

/** Members that documents do not show, or that are laid over them. */
const unshown: ReadonlySet<string> = new Set(['lock', 'lockGeneration', 'revision'])

/** Keeps the documents of a workspace for its next state, if nothing but the lock has changed. */
export function keepDocuments(before: Workspace, after: Workspace): void {
  const kept = documents.get(before)
  if (!kept) return
  let name: keyof Workspace
  for (name in after) if (before[name] !== after[name] && !unshown.has(name)) return
  documents.set(after, kept)
}

const aroundOf = ({ store: { versions } }: Pick<Deps, 'store'>): number =>
  versions.of('organizations') + versions.of('projects') + versions.of('settings')

function recall(workspace: Workspace, { rights, around, origin }: Basis): Document | undefined {
  const isSame = (kept: Basis) => kept.rights === rights && kept.around === around && kept.origin === origin
  return documents.get(workspace)?.find(isSame)
}

function remember(workspace: Workspace, document: Document): Document {
  const others = documents.get(workspace)?.filter(({ around }) => around === document.around) ?? []
  documents.set(workspace, [document, ...others.slice(0, maxDocuments - 1)])
  return document
}

/** One workspace as a resource. */
export async function renderWorkspace(
  call: RenderCall,
  grants: OrganizationGrants,
  workspace: Workspace,
): Promise<Resource> {
  const [resource] = await renderWorkspaces(call, grants, [workspace])
  return resource as Resource
}

/** Workspaces of one organization as resources: the same few queries for one as for a page of them. */
export async function renderWorkspaces(
  call: RenderCall,
  grants: OrganizationGrants,
  workspaces: readonly Workspace[],
): Promise<Resource[]> {
  const { origin } = call.request
  const around = aroundOf(call.deps)
  const wanted = workspaces.map((workspace) => {
    const basis = { rights: rightsOnWorkspace(grants, workspace), around, origin }
    return { workspace, basis, document: recall(workspace, basis) }
  })
  const unknown = wanted.filter(({ document }) => !document).map(({ workspace }) => workspace)
  const found = unknown.length > 0 ? await surroundingsOf(call, grants, unknown) : undefined
  const now = call.deps.clock.now()
  return wanted.map(({ workspace, basis, document }) => {
    const shown = document ?? remember(workspace, { ...basis, unlocked: render(call, workspace, basis, found) })
    return withLock(shown, lockInForce(workspace.lock, now))
  })
}

function withLock(document: Document, lock: Workspace['lock']): Resource {
  if (!lock) return document.unlocked
  if (document.locked?.lock !== lock) document.locked = { lock, resource: withLockShown(document.unlocked, lock) }
  return document.locked.resource
}

/** What documents of workspaces show besides the workspaces themselves. */
type Surroundings = {
  readonly organization: Organization
  readonly catalogue: Catalogue
  readonly projects: ReadonlyMap<string, ProjectDefaults>
  readonly retentions: ReadonlyMap<string, RetentionPolicy>
  readonly connections: ReadonlyMap<string, VcsConnection>
  readonly outputs: Links
  readonly vars: Links
}

async function surroundingsOf(
  { deps }: RenderCall,
  { organizationId }: OrganizationGrants,
  workspaces: readonly Workspace[],
): Promise<Surroundings> {
  const ids = workspaces.map(({ id }) => id)
  const [organization, catalogue, projects, retentions, connections, outputs, vars] = await Promise.all([
    organizationOf(deps, organizationId),
    catalogueOf(deps),
    projectsOf(deps, workspaces),
    retentionPoliciesOf(deps, ids),
    connectionsOf(deps, organizationId, workspaces),
    linksOf(deps, 'outputs', workspaces),
    linksOf(deps, 'vars', workspaces),
  ])
  return { organization, catalogue, projects, retentions, connections, outputs, vars }
}

function render(
  { deps }: RenderCall,
  workspace: Workspace,
  { rights, origin }: Basis,
  found: Surroundings | undefined,
): Resource {
  if (!found) throw new Error('A workspace is rendered without its surroundings')
  const { organization, catalogue } = found
  const project = found.projects.get(workspace.projectId) as ProjectDefaults
  return toWorkspaceResource({
    workspace,
    organizationName: organization.name,
    project,
    rights,
    execution: effectiveExecution(workspace, inheritedExecution(organization, project)),
    assessed: isAssessed(deps, workspace, { organization, project, releases: catalogue.releases }),
    tool: catalogue.resolve(workspace.toolVersion, organization.defaultTool),
    connection: found.connections.get(workspace.vcsRepo?.oauthTokenId ?? ''),
    retention: toRetentionLink(found.retentions.get(workspace.id)),
    outputIds: found.outputs.get(workspace.id) ?? [],
    varIds: found.vars.get(workspace.id) ?? [],
    origin,
  })
}

/**
 * The self-hosted edition assesses nothing; the hosted one every workspace that can be, if it is asked for or enforced.
 */
function isAssessed(
  { settings }: Pick<Deps, 'settings'>,
  workspace: Workspace,
  context: Parameters<typeof isAssessable>[1] & {
    readonly organization: Organization
    readonly project: ProjectDefaults
  },
): boolean {
  if (settings.edition !== 'hosted') return false
  const wanted = workspace.assessmentsEnabled || context.organization.assessmentsEnforced
  return wanted && isAssessable(workspace, context)
}

async function projectsOf(deps: Deps, workspaces: readonly Workspace[]): Promise<ReadonlyMap<string, ProjectDefaults>> {
  const ids = [...new Set(workspaces.map(({ projectId }) => projectId))]
  const found = await Promise.all(ids.map((id) => projectDefaultsOf(deps, id)))
  return new Map(found.map((project) => [project.id, project]))
}

async function connectionsOf(
  { db }: Deps,
  organizationId: string,
  workspaces: readonly Workspace[],
): Promise<ReadonlyMap<string, VcsConnection>> {
  const tokenIds = new Set(workspaces.flatMap(({ vcsRepo }) => vcsRepo?.oauthTokenId ?? []))
  const found = tokenIds.size === 0 ? [] : await loadConnections(db, organizationId, [...tokenIds])
  return new Map(found.map((connection) => [connection.tokenId, connection]))
}

const linksOf = async (deps: Deps, name: PartName, workspaces: readonly Workspace[]): Promise<Links> =>
  (await workspacePart(deps, name)?.links?.(deps.db, workspaces)) ?? noLinks

/** The tag of a workspace's document: it changes whenever anything in the document does, for this caller. */
export const entityTag = (resource: Resource): string => writeResource(resource).tag

/**
 * Answers with a page of entries that were serialized before: they are joined, and the page's tag is derived from
 * theirs.
 */
export function answerWrittenPage(page: PageDocument): Reply {
  const { data, links, meta } = page
  const entries = data.map(writeResource)
  const rest = `"links":${JSON.stringify(links)},"meta":${JSON.stringify(meta)}`
  const tag = weakTagOf(`${entries.map((entry) => entry.tag).join()}${rest}`)
  const text = `{"data":[${entries.map((entry) => entry.text).join()}],${rest}}`
  return { kind: 'document', document: page, text, headers: { ETag: tag } }
}

/** The header of writes that are to fail after a change in between, as the reference describes it. */
export const ifMatchHeader = {
  'If-Match':
    'The `ETag` of an earlier read without `include` and `fields`: nothing is done if the workspace has changed since.',
}

/** The refusal of a write to a workspace that has changed since it was read, or was read in another form. */
const changedSinceRead = (): Failure =>
  failure(
    'precondition',
    'workspace.changed',
    'The workspace has changed since it was read, or If-Match has the ETag of a read with include or fields; read it ' +
      'again without these and repeat the change.',
  )

/** The revision that a conditional request has read; refused if the document is another by now. */
export async function expectedRevision(
  call: Pick<Call, 'deps' | 'request'> & { readonly subject: OnWorkspace },
): Promise<number | undefined> {
  const tags = call.request.headers['if-match'] ?? '*'
  if (tags.trim() === '*') return undefined
  const { resource: workspace, grants } = call.subject
  if (!namesTag(tags, entityTag(await renderWorkspace(call, grants, workspace)))) throw changedSinceRead()
  return workspace.revision
}

/** Refuses a workspace that has changed since that revision, if there is one. */
export function requireRevision({ revision }: Workspace, expected: number | undefined): void {
  if (expected !== undefined && revision !== expected) throw changedSinceRead()
}
