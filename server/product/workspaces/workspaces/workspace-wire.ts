import { type WorkspaceRightSet, workspaceRights } from '../../../access/permissions/index.ts'
import { toolVersionAlias } from '../../../compat/workspace-names.ts'
import { maybeIso, toIso } from '../../../kernel/clock.ts'
import { shownAddress } from '../../../kernel/hidden-credentials.ts'
import { withoutEndSlashes } from '../../../kernel/slashes.ts'
import { type Relationship, type Resource, toLink, toMany, toOne, withChanged } from '../../../kit/jsonapi/index.ts'
import { serviceUserId } from '../../people/users/index.ts'
import type { VcsConnection } from './settings/vcs/vcs-rules.ts'
import { describeOverwrites } from './workspace-changes.ts'
import { facts, origin, settings, settled } from './workspace-fields.ts'
import {
  type Execution,
  effectiveAutoDestroy,
  type LockHolder,
  type ProjectDefaults,
  type VcsRepo,
  type Workspace,
  type WorkspaceLock,
} from './workspace-rules.ts'

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
    ...metrics,
    actions: { 'is-destroyable': workspace.allowDestroyPlan },
    permissions: workspaceRights.flags(rights),
  }
}

/** Figures about past runs; the count has two names. */
const metrics = {
  'apply-duration-average': null,
  'plan-duration-average': null,
  'policy-check-failures': null,
  'run-failures': null,
  'workspace-kpis-runs-count': null,
  'workspace-kpis-run-count': null,
} as const

const none: Relationship = { data: null }

function relationshipsShown(view: WorkspaceView): Readonly<Record<string, Relationship>> {
  const { workspace, organizationName, execution } = view
  const self = `/api/v2/workspaces/${workspace.id}`
  const { agentPoolId } = execution
  return {
    organization: toOne('organizations', organizationName, `/api/v2/organizations/${organizationName}`),
    project: toOne('projects', workspace.projectId, `/api/v2/projects/${workspace.projectId}`),
    'agent-pool': agentPoolId ? toOne('agent-pools', agentPoolId, `/api/v2/agent-pools/${agentPoolId}`) : none,
    'current-configuration-version': none,
    'current-run': none,
    'latest-run': none,
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
