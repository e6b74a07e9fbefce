import { type WorkspaceRightSet, workspaceRights } from '../../../access/permissions/workspace-rights.ts'
import { toolVersionAlias } from '../../../compat/vendor-names.ts'
import { maybeIso, toIso } from '../../../kernel/clock.ts'
import { shownAddress } from '../../../kernel/hidden-credentials.ts'
import { withoutEndSlashes } from '../../../kernel/slashes.ts'
import { Type } from '../../../kit/endpoint.ts'
import { toLink, toMany, toOne } from '../../../kit/jsonapi/resource-documents.ts'
import {
  documentSchema,
  pageSchema,
  type Relationship,
  type Resource,
  resourceSchema,
  shown,
} from '../../../kit/jsonapi/schemas.ts'
import { withChanged } from '../../../kit/jsonapi/written.ts'
import { serviceUserId } from '../../people/users/index.ts'
import type { VcsConnection } from './settings/vcs-settings.ts'
import {
  describeOverwrites,
  type Execution,
  effectiveAutoDestroy,
  type LockHolder,
  type ProjectDefaults,
  type VcsRepo,
  type Workspace,
  type WorkspaceLock,
} from './workspace.ts'
import { facts, inheritable, origin, settings, settled } from './workspace-fields.ts'

/** A workspace with everything that its document shows besides its row. */
type WorkspaceView = {
  readonly workspace: Workspace
  readonly organizationName: string
  readonly project: ProjectDefaults
  readonly rights: WorkspaceRightSet
  readonly execution: Execution
  readonly assessed: boolean
  readonly tool: { readonly tool: string; readonly version: string | null }
  readonly connection: VcsConnection | undefined
  readonly retention: Relationship
  readonly outputIds: readonly string[]
  readonly varIds: readonly string[]
  /** Scheme and authority the caller used. */
  readonly origin: string
}

/** The address of a workspace by name. */
export const workspacePath = (organizationName: string, name: string): string =>
  `/api/v2/organizations/${organizationName}/workspaces/${name}`

/**
 * A workspace as a resource, unlocked. Every attribute is always present, so that created, shown and listed ones are
 * equal.
 */
export const toWorkspaceResource = (view: WorkspaceView): Resource => ({
  type: 'workspaces',
  id: view.workspace.id,
  attributes: { ...settingsShown(view), ...statusShown(view) },
  relationships: relationshipsShown(view),
  links: {
    self: workspacePath(view.organizationName, view.workspace.name),
    'self-html': `/app/${view.organizationName}/workspaces/${view.workspace.name}`,
  },
})

/** The resource of a workspace with its lock: nothing else in it depends on the lock. */
export const withLockShown = (unlocked: Resource, lock: WorkspaceLock): Resource =>
  withChanged(unlocked, { attributes: lockShown(lock), relationships: { 'locked-by': holderShown(lock.holder) } })

const lockShown = (lock: WorkspaceLock | null) => ({
  locked: lock !== null,
  'locked-reason': lock?.reason ?? '',
  'locked-at': lock && toIso(lock.since),
  'lock-expires-at': maybeIso(lock?.expiresAt ?? null),
})

function settingsShown({ workspace, project, execution, assessed, tool, ...view }: WorkspaceView) {
  const autoDestroy = effectiveAutoDestroy(workspace, project)
  return {
    ...settings.toDocument(workspace),
    ...settled.toDocument(workspace),
    'setting-overwrites': describeOverwrites(workspace),
    environment: 'default',
    'execution-mode': execution.executionMode,
    operations: execution.executionMode !== 'local',
    'assessments-enabled': assessed,
    'auto-destroy-activity-duration': autoDestroy.duration,
    'inherits-project-auto-destroy': autoDestroy.inherits,
    [toolVersionAlias]: workspace.toolVersion,
    'tool-name': tool.tool,
    'resolved-tool-version': tool.version,
    'oauth-client-name': view.connection?.clientName ?? null,
    'vcs-repo': workspace.vcsRepo && vcsRepoShown(workspace.vcsRepo, view),
    'vcs-repo-identifier': workspace.vcsRepo?.identifier ?? null,
  }
}

/** The address that the provider calls is shown only to those who can change the workspace. */
function vcsRepoShown(repo: VcsRepo, view: Pick<WorkspaceView, 'connection' | 'rights' | 'origin'>) {
  const { connection, rights, origin } = view
  return {
    branch: repo.branch,
    'display-identifier': repo.identifier,
    identifier: repo.identifier,
    'ingress-submodules': repo.ingressSubmodules,
    'oauth-token-id': repo.oauthTokenId,
    ...(repo.installationId ? { 'vcs-app-installation-id': repo.installationId } : {}),
    'repository-http-url': connection ? `${withoutEndSlashes(connection.httpUrl)}/${repo.identifier}` : null,
    'service-provider': connection?.serviceProvider ?? null,
    'tags-regex': repo.tagsRegex,
    'webhook-url': workspaceRights.has(rights, 'can-update') ? `${origin}/webhooks/vcs/${repo.webhookId}` : null,
  }
}

function statusShown({ workspace, rights }: WorkspaceView) {
  return {
    ...facts.toDocument(workspace),
    ...origin.toDocument(workspace),
    'source-url': workspace.sourceUrl && shownAddress(workspace.sourceUrl),
    ...lockShown(null),
    'last-assessment-result-at': null,
    ...figuresShown(workspace),
    actions: { 'is-destroyable': workspace.allowDestroyPlan },
    permissions: workspaceRights.flags(rights),
  }
}

/** Figures about past runs; the count has two names. */
const figuresShown = ({ runsCounted }: Workspace) => ({
  'policy-check-failures': runsCounted === null ? null : 0,
  'workspace-kpis-runs-count': runsCounted,
  'workspace-kpis-run-count': runsCounted,
})

const none: Relationship = { data: null }

function relationshipsShown(view: WorkspaceView): Readonly<Record<string, Relationship>> {
  const { workspace, organizationName, execution } = view
  const self = `/api/v2/workspaces/${workspace.id}`
  const { agentPoolId } = execution
  const { currentConfigurationVersionId: configurationId, currentRunId } = workspace
  const currentRun = currentRunId ? toOne('runs', currentRunId, `/api/v2/runs/${currentRunId}`) : none
  return {
    organization: toOne('organizations', organizationName, `/api/v2/organizations/${organizationName}`),
    project: toOne('projects', workspace.projectId, `/api/v2/projects/${workspace.projectId}`),
    'agent-pool': agentPoolId ? toOne('agent-pools', agentPoolId, `/api/v2/agent-pools/${agentPoolId}`) : none,
    'current-configuration-version': configurationId
      ? toOne('configuration-versions', configurationId, `/api/v2/configuration-versions/${configurationId}`)
      : none,
    'current-run': currentRun,
    'latest-run': currentRun,
    'current-state-version': workspace.currentStateVersionId
      ? toOne('state-versions', workspace.currentStateVersionId, `${self}/current-state-version`)
      : none,
    'current-assessment-result': none,
    'data-retention-policy': view.retention,
    readme: none,
    'ssh-key': workspace.sshKeyId
      ? toOne('ssh-keys', workspace.sshKeyId, `/api/v2/ssh-keys/${workspace.sshKeyId}`)
      : none,
    'locked-by': none,
    outputs: toMany(
      'workspace-outputs',
      view.outputIds,
      view.outputIds.length > 0 ? `${self}/current-state-version-outputs` : undefined,
    ),
    vars: toMany('vars', view.varIds),
    'remote-state-consumers': toLink(`${self}/relationships/remote-state-consumers`),
    'tag-bindings': toLink(`${self}/tag-bindings`),
    'effective-tag-bindings': toLink(`${self}/effective-tag-bindings`),
  }
}

/** An organization appears as its service user: clients know users, teams and runs as holders. */
export function holderShown(holder: LockHolder): Relationship {
  switch (holder.kind) {
    case 'team':
      return toOne('teams', holder.id, `/api/v2/teams/${holder.id}`)
    case 'run':
      return toOne('runs', holder.id, `/api/v2/runs/${holder.id}`)
    case 'organization': {
      const id = serviceUserId(holder)
      return toOne('users', id, `/api/v2/users/${id}`)
    }
    default:
      return toOne('users', holder.id, `/api/v2/users/${holder.id}`)
  }
}

const vcsRepo = Type.Union(
  [
    Type.Object({
      branch: shown.text('Branch; empty for the default branch.'),
      'display-identifier': shown.text('Display name of the repository.'),
      identifier: shown.text('":org/:repo".'),
      'ingress-submodules': shown.flag('Whether submodules are fetched.'),
      'oauth-token-id': shown.maybeText('The version control token.'),
      'vcs-app-installation-id': Type.Optional(shown.text('The app installation used instead of a token, if any.')),
      'repository-http-url': shown.maybeText("URL of the repository's web page."),
      'service-provider': shown.maybeText('The kind of provider.'),
      'tags-regex': shown.maybeText('Git tags that start runs.'),
      'webhook-url': shown.maybeText('URL that the provider calls; null if the caller cannot change the workspace.'),
    }),
    Type.Null(),
  ],
  { description: 'The repository it is linked to, or null.' },
)

/** A workspace as answers show it. */
const workspaceSchema = resourceSchema('workspaces', {
  attributes: {
    ...settings.shown,
    ...inheritable.shown,
    ...settled.shown,
    ...origin.shown,
    ...facts.shown,
    environment: shown.text('Always `default`.'),
    operations: shown.flag('Deprecated: false if execution-mode is local.'),
    'last-assessment-result-at': shown.maybeTime('When health was last assessed.'),
    [toolVersionAlias]: shown.text('Same as `tool-version`, under the name that compatible clients know.'),
    'tool-name': shown.text('The tool that runs configurations.'),
    'resolved-tool-version': shown.maybeText('The release that the constraint currently resolves to.'),
    locked: shown.flag('Whether it is locked.'),
    'locked-reason': shown.maybeText('Reason for the lock.'),
    'locked-at': shown.maybeTime('When it was locked.'),
    'lock-expires-at': shown.maybeTime('When the lock expires, if it does.'),
    'oauth-client-name': shown.maybeText('Name of the version control connection.'),
    'vcs-repo': vcsRepo,
    'vcs-repo-identifier': shown.maybeText('":org/:repo".'),
    'policy-check-failures': shown.maybeWhole('Past runs that a policy stopped.'),
    'workspace-kpis-runs-count': shown.maybeWhole('Past runs that these figures cover.'),
    'workspace-kpis-run-count': shown.maybeWhole('Same as `workspace-kpis-runs-count`.'),
    actions: shown.flags(['is-destroyable'], 'What can be done with it.'),
    'setting-overwrites': shown.flags(['execution-mode', 'agent-pool'], 'Which settings are its own.'),
    permissions: shown.flags(workspaceRights.names, 'What the caller may do with it.'),
  },
  relationships: {
    organization: 'The organization, by name.',
    project: 'The project it belongs to.',
    'agent-pool': 'The agent pool that executes its runs in agent mode.',
    'current-configuration-version': 'The configuration in use.',
    'current-run': 'The current run, or the last one.',
    'latest-run': 'Deprecated: the same as current-run.',
    'current-state-version': 'Its current state version.',
    'current-assessment-result': 'The newest assessment of its health.',
    'data-retention-policy': 'The retention policy set on it, not an inherited one.',
    readme: 'The README of its configuration.',
    'ssh-key': 'The SSH key used to fetch modules.',
    'locked-by': 'Who locked it: a user, a team or a run.',
    outputs: 'Root outputs of its current state.',
    vars: 'Its variables.',
    'remote-state-consumers': 'The workspaces that may read its state.',
    'tag-bindings': 'Its own tag bindings.',
    'effective-tag-bindings': 'Effective tag bindings, including those of the project.',
  },
})

/** A document with one workspace. */
export const workspaceDocument = documentSchema(workspaceSchema)

/** A page of workspaces. */
export const workspacePage = pageSchema(workspaceSchema)
