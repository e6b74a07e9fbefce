import { workspaceRights } from '../../../access/permissions/index.ts'
import { toolVersionAlias } from '../../../compat/workspace-names.ts'
import { Type } from '../../../kit/endpoint.ts'
import { documentSchema, pageSchema, resourceSchema, shown } from '../../../kit/jsonapi/index.ts'
import { facts, inheritable, origin, settings, settled } from './workspace-fields.ts'

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
    'apply-duration-average': shown.maybeWhole('Average in milliseconds, over past runs.'),
    'plan-duration-average': shown.maybeWhole('Average in milliseconds, over past runs.'),
    'policy-check-failures': shown.maybeWhole('Past runs that a policy stopped.'),
    'run-failures': shown.maybeWhole('Past runs that failed.'),
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
