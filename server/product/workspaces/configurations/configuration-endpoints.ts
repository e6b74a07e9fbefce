import {
  type OrganizationGrants,
  onResource,
  type PermittedResource,
  type WorkspaceRight,
} from '../../../access/permissions/index.ts'
import { integrationHeader, workspaceSources } from '../../../compat/vendor-names.ts'
import { toIso } from '../../../kernel/clock.ts'
import { isId } from '../../../kernel/ids.ts'
import type { ActorPrincipal } from '../../../kernel/principal.ts'
import { authorOf } from '../../../kit/change-log/index.ts'
import {
  type Access,
  type Call,
  defineEndpoints,
  type Endpoint,
  endpoint,
  type RuleCall,
  Type,
} from '../../../kit/endpoint.ts'
import {
  type AnswerExtras,
  answerCreated,
  answerOne,
  answerPage,
  documentSchema,
  listQuery,
  pageSchema,
  type Resource,
  rangeOf,
  resourceBody,
  resourceSchema,
  shown,
  showQuery,
  toOne,
} from '../../../kit/jsonapi/index.ts'
import { partsOf } from '../../../kit/parts.ts'
import {
  holderOf,
  loadWorkspace,
  mayOnWorkspace,
  onWorkspace,
  type Workspace,
  workspaceInPath,
} from '../workspaces/index.ts'
import { archiveUrl } from './archive-url.ts'
import type { ConfigurationVersion } from './configuration.ts'
import { createConfiguration } from './configuration-actions.ts'
import { facts, settings } from './configuration-fields.ts'
import { listConfigurations, loadConfiguration } from './configuration-store.ts'

/** A configuration version as answers show it. */
export const configurationSchema = resourceSchema('configuration-versions', {
  attributes: {
    ...settings.shown,
    ...facts.shown,
    status: shown.text('`pending`, `uploaded`, `errored`, `archived`, or the status of its backing data.'),
    'status-timestamps': Type.Record(Type.String(), Type.String({ format: 'date-time' }), {
      description: 'When each status was reached.',
    }),
    'upload-url': Type.Optional(
      Type.String({
        description: 'Where its archive is sent with PUT and without a token; only when it was just made.',
      }),
    ),
    'changed-files': shown.texts('Files that a commit changed; empty for uploads.'),
  },
  relationships: {
    workspace: 'The workspace it belongs to.',
    'ingress-attributes': 'The commit it came from; null for uploads.',
    run: 'Its newest run; only with `include=run`.',
  },
})

/** A configuration version as a resource. */
export const toConfigurationResource = (version: ConfigurationVersion): Resource => ({
  type: 'configuration-versions',
  id: version.id,
  attributes: {
    ...settings.toDocument(version),
    ...facts.toDocument(version),
    status: version.status,
    'status-timestamps': Object.fromEntries(Object.entries(version.times).map(([name, at]) => [name, toIso(at)])),
    'changed-files': [],
  },
  relationships: {
    workspace: toOne('workspaces', version.workspaceId, `/api/v2/workspaces/${version.workspaceId}`),
    'ingress-attributes': { data: null },
  },
  links: {
    self: `/api/v2/configuration-versions/${version.id}`,
    ...(version.status === 'uploaded' ? { download: `/api/v2/configuration-versions/${version.id}/download` } : {}),
  },
})

/** The body that makes a configuration version. */
const newConfigurationBody = resourceBody('configuration-versions', { attributes: settings.fields })

/** What can be included; nothing is linked to commits yet. */
const includes = ['ingress_attributes', 'run'] as const

declare module '../../../kit/parts.ts' {
  interface FeatureParts {
    /** The newest run of each of these configuration versions of one organization, by version. */
    runsOfVersions: (
      call: PartCall,
      reader: ReaderOfRuns,
      versionIds: readonly string[],
    ) => Promise<ReadonlyMap<string, Resource>>
  }
}

type PartCall = Pick<Call, 'deps' | 'caller' | 'request'>

/** Who reads runs, with their rights in the organization. */
type ReaderOfRuns = { readonly grants: OrganizationGrants; readonly actor: ActorPrincipal }

type VersionsCall = PartCall & {
  readonly subject: ReaderOfRuns
  readonly query: { readonly include: ReadonlySet<string> }
}

/** Versions of one organization as resources, with their runs if they are asked for. */
async function renderVersions(
  call: VersionsCall,
  versions: readonly ConfigurationVersion[],
): Promise<{ readonly resources: readonly Resource[]; readonly extras: AnswerExtras }> {
  const resources = versions.map(toConfigurationResource)
  const [runsOf] = partsOf(call.deps, 'runsOfVersions')
  if (!runsOf || !call.query.include.has('run')) return { resources, extras: {} }
  const runs = await runsOf(
    call,
    call.subject,
    versions.map(({ id }) => id),
  )
  const linked = resources.map((resource) => {
    const run = runs.get(resource.id)
    const relation = run ? toOne('runs', run.id, `/api/v2/runs/${run.id}`) : { data: null }
    return { ...resource, relationships: { ...resource.relationships, run: relation } }
  })
  return { resources: linked, extras: { included: [...runs.values()] } }
}

/** A configuration version with the workspace it belongs to. */
type ConfigurationInWorkspace = {
  readonly organizationId: string
  readonly version: ConfigurationVersion
  readonly workspace: Workspace
}

/** The parameter of paths that name a configuration version. */
export const configurationInPath = {
  configurationVersionId: { description: 'Identifier of the configuration version.', example: 'cv-UnS8bJyEQ9wYWCTt' },
}

async function loadInWorkspace({ deps, params }: RuleCall): Promise<ConfigurationInWorkspace | undefined> {
  const { configurationVersionId: id = '' } = params
  const version = isId('cv', id) ? await loadConfiguration(deps.db, id) : undefined
  const workspace = version && (await loadWorkspace(deps.db, version.workspaceId))
  return workspace && { organizationId: workspace.organizationId, version, workspace }
}

/** Access to one configuration version for those with this right on its workspace; for all others it does not exist. */
export const onConfiguration = (right: WorkspaceRight): Access<PermittedResource<ConfigurationInWorkspace>> =>
  onResource({
    name: `configuration-version:${right}`,
    load: loadInWorkspace,
    allows: (grants, { workspace }) => mayOnWorkspace(grants, right, workspace),
  })

/** The source of a configuration: a browser, a command line, or any other client of the API. */
function sourceOf({ caller, request }: Pick<Call, 'caller' | 'request'>): string {
  if (request.headers[integrationHeader] !== undefined) return workspaceSources.commandLine
  return 'via' in caller && caller.via === 'session' ? workspaceSources.browser : workspaceSources.api
}

/** Versions of configurations; their content has endpoints of its own. */
export const configurationEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'configuration-versions.create',
    route: 'POST /workspaces/:workspaceId/configuration-versions',
    summary: 'Create a configuration version, whose content is uploaded afterwards.',
    description:
      'Unless it is speculative or provisional, it is the current configuration of the workspace from now on. Its ' +
      'organization must have `remote-execution-enabled`.',
    access: onWorkspace('can-queue-run'),
    params: workspaceInPath,
    query: showQuery(),
    body: newConfigurationBody,
    returns: { 201: documentSchema(configurationSchema) },
    fails: ['missing', 'invalid'],
    example: { request: { data: { type: 'configuration-versions', attributes: { 'auto-queue-runs': false } } } },
    handle: async (call) => {
      const { deps, subject, body } = call
      const version = await createConfiguration(deps, authorOf(call), {
        workspace: subject.resource,
        settings: settings.made(body.attributes),
        source: sourceOf(call),
        by: holderOf(subject.actor),
      })
      const made = toConfigurationResource(version)
      const uploadUrl = archiveUrl(deps, call.request.origin, 'put', version.id)
      return answerCreated(call, { ...made, attributes: { ...made.attributes, 'upload-url': uploadUrl } })
    },
  }),
  endpoint({
    id: 'configuration-versions.list',
    route: 'GET /workspaces/:workspaceId/configuration-versions',
    summary: 'List the configuration versions of a workspace, newest first.',
    access: onWorkspace('can-read-run'),
    params: workspaceInPath,
    query: listQuery({ include: includes }),
    returns: { 200: pageSchema(configurationSchema) },
    fails: ['missing'],
    handle: async (call) => {
      const { deps, subject, query } = call
      const { versions, total } = await listConfigurations(deps.reads, subject.resource.id, rangeOf(query.page))
      const { resources, extras } = await renderVersions(call, versions)
      return answerPage(call, { resources, total }, extras)
    },
  }),
  endpoint({
    id: 'configuration-versions.show',
    route: 'GET /configuration-versions/:configurationVersionId',
    summary: 'Read a configuration version.',
    access: onConfiguration('can-read-run'),
    params: configurationInPath,
    query: showQuery({ include: includes }),
    returns: { 200: documentSchema(configurationSchema) },
    fails: ['missing'],
    handle: async (call) => {
      const { resources, extras } = await renderVersions(call, [call.subject.resource.version])
      return answerOne(call, resources[0] as Resource, extras)
    },
  }),
])
