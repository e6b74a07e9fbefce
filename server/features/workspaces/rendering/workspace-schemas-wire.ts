import { workspaceRights } from '../../../access/permissions/index.ts'
import { toolVersionAlias } from '../../../compat/workspace-names.ts'
import { Type } from '../../../kit/endpoint.ts'
import { documentSchema, pageSchema, resourceSchema, shown } from '../../../kit/jsonapi/index.ts'

const vcsRepo = Type.Union(
  [
    Type.Object({
      branch: shown.text('Branch; blank for the default one.'),
      'display-identifier': shown.text('As people call it.'),
      identifier: shown.text('":org/:repo".'),
      'ingress-submodules': shown.flag('Whether submodules are fetched.'),
      'oauth-token-id': shown.maybeText('The connection.'),
      'vcs-app-installation-id': Type.Optional(shown.text('The app installation in place of it, where there is one.')),
      'repository-http-url': shown.maybeText('Where people look at it.'),
      'service-provider': shown.maybeText('The kind of provider.'),
      'tags-regex': shown.maybeText('Git tags that start runs.'),
      'webhook-url': shown.maybeText('What the provider calls; null for those who cannot change the workspace.'),
    }),
    Type.Null(),
  ],
  { description: 'The repository it follows, or null.' },
)

/** A workspace as answers show it. */
const workspaceSchema = resourceSchema('workspaces', {
  attributes: {
    name: shown.text('Name, unique in the organization.'),
    description: shown.maybeText('What it is for.'),
    environment: shown.text('Always `default`.'),
    'execution-mode': shown.text('`remote`, `local` or `agent`; its own, or what project and organization say.'),
    operations: shown.flag('Deprecated: false if execution-mode is local.'),
    'allow-destroy-plan': shown.flag('Whether destroy plans can be made.'),
    'assessments-enabled': shown.flag('Whether health is assessed; hosted edition only.'),
    'last-assessment-result-at': shown.maybeTime('When health was last assessed.'),
    'auto-apply': shown.flag('Apply without asking when a run is started by people or pushes.'),
    'auto-apply-run-trigger': shown.flag('Apply without asking when a run trigger started the run.'),
    'auto-destroy-at': shown.maybeTime('When everything is destroyed next.'),
    'auto-destroy-status': shown.maybeText(
      'null, `scheduled`, `queued`, `destroying`, `destroyed`, `errored` or `skipped`.',
    ),
    'auto-destroy-activity-duration': shown.maybeText('Destroy after so long without activity: `14d`, `36h`.'),
    'inherits-project-auto-destroy': Type.Union([Type.Boolean(), Type.Null()], {
      description: 'Whether the project decides about that; null when nobody does.',
    }),
    'file-triggers-enabled': shown.flag('Whether prefixes and patterns select which pushes start runs.'),
    'trigger-prefixes': shown.texts('Paths watched beside the working directory.'),
    'trigger-patterns': shown.texts('Glob patterns of watched files.'),
    'global-remote-state': shown.flag('Whether every workspace of the organization may read the state.'),
    'project-remote-state': shown.flag('Whether every workspace of the project may read the state.'),
    'queue-all-runs': shown.flag('Whether runs start before the first one was made by hand.'),
    'speculative-enabled': shown.flag('Whether pull requests are planned.'),
    'structured-run-output-enabled': shown.flag('Whether runs report in a structured form.'),
    'tool-version': shown.text('Version or constraint, as it was written.'),
    [toolVersionAlias]: shown.text('The same, by the name that clients of this family know.'),
    'tool-name': shown.text('The tool that runs configurations.'),
    'resolved-tool-version': shown.maybeText('The release that a constraint stands for at the moment.'),
    'working-directory': shown.maybeText('Where the configuration lies in the repository.'),
    source: shown.text('Where the workspace came from.'),
    'source-name': shown.maybeText('Name of what created it.'),
    'source-url': shown.maybeText('Address of what created it.'),
    locked: shown.flag('Whether somebody holds it.'),
    'locked-reason': shown.maybeText('Why it is held.'),
    'locked-at': shown.maybeTime('Since when it is held.'),
    'lock-expires-at': shown.maybeTime('When the lock ends by itself, if it does.'),
    'created-at': shown.time('When it was made.'),
    'updated-at': shown.time('When its settings last changed.'),
    'latest-change-at': shown.time('When its state last changed.'),
    'oauth-client-name': shown.maybeText('Name of the connection to version control.'),
    'vcs-repo': vcsRepo,
    'vcs-repo-identifier': shown.maybeText('":org/:repo".'),
    'tag-names': shown.texts('Flat tags in order of attachment.'),
    'resource-count': shown.whole('Resources that its state manages.'),
    'apply-duration-average': shown.maybeWhole('Milliseconds, over past runs.'),
    'plan-duration-average': shown.maybeWhole('Milliseconds, over past runs.'),
    'policy-check-failures': shown.maybeWhole('Past runs that a policy stopped.'),
    'run-failures': shown.maybeWhole('Past runs that failed.'),
    'workspace-kpis-runs-count': shown.maybeWhole('Past runs that these figures cover.'),
    'workspace-kpis-run-count': shown.maybeWhole('The same by its other name.'),
    actions: shown.flags(['is-destroyable'], 'What can be done with it at all.'),
    'setting-overwrites': shown.flags(['execution-mode', 'agent-pool'], 'Which settings are its own.'),
    permissions: shown.flags(workspaceRights.names, 'What the caller may do with it.'),
  },
  relationships: {
    organization: 'The organization, by name.',
    project: 'The project it belongs to.',
    'agent-pool': 'The pool that carries out its runs in agent mode.',
    'current-configuration-version': 'The configuration in use.',
    'current-run': 'The run that holds it, or was the last to.',
    'latest-run': 'Deprecated: the same as current-run.',
    'current-state-version': 'Its state.',
    'current-assessment-result': 'The newest assessment of its health.',
    'data-retention-policy': 'The policy set on it, not the one it inherits.',
    readme: 'The README of its configuration.',
    'ssh-key': 'The key that fetches modules.',
    'locked-by': 'Who holds it: a user, a team or a run.',
    outputs: 'Root outputs of its state.',
    vars: 'Its variables.',
    'remote-state-consumers': 'Who may read its state.',
    'tag-bindings': 'Its own keys and values.',
    'effective-tag-bindings': 'Keys and values in force, those of the project included.',
  },
})

/** A document with one workspace. */
export const workspaceDocument = documentSchema(workspaceSchema)

/** A page of workspaces. */
export const workspacePage = pageSchema(workspaceSchema)
