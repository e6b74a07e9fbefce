// Made from the descriptions of documents by `npm run gen`: the command line imports no features.

/** Settings of workspaces that are the same on every server. */
export const workspaceSettings = [
  'description',
  'contact',
  'allow-destroy-plan',
  'auto-apply',
  'auto-apply-run-trigger',
  'file-triggers-enabled',
  'trigger-prefixes',
  'trigger-patterns',
  'global-remote-state',
  'project-remote-state',
  'queue-all-runs',
  'speculative-enabled',
  'structured-run-output-enabled',
  'working-directory',
] as const

/** Settings of projects that are the same on every server. */
export const projectSettings = ['name', 'description', 'auto-destroy-activity-duration'] as const

/** What a variable has besides its key, category and value. */
export const variableSettings = ['hcl', 'sensitive', 'apply-only', 'description'] as const
