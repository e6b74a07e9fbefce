import { toolNames } from '../../../compat/vendor-names.ts'
import { attribute } from '../../../kit/jsonapi/attribute-kinds.ts'
import { fieldSet } from '../../../kit/jsonapi/document-field-set.ts'
import { emailProblem } from '../users/user.ts'
import { executionModes } from './execution-modes.ts'

/** Names of our own pages below `/app`. */
const reserved = new Set([
  'settings',
  'sign-in',
  'sign-out',
  'invitations',
  'resets',
  'account',
  'session',
  'assets',
  'new',
  'server',
])

/** Names are plain ASCII, so that no two organizations look alike. */
export function organizationNameProblem(name: string): string | undefined {
  if (name === '') return "can't be blank"
  if (name.length > 64) return 'is too long, the maximum is 64 characters'
  if (!/^[A-Za-z0-9_-]+$/.test(name)) return 'may contain only letters, numbers, "-" and "_"'
  return reserved.has(name.toLowerCase()) ? 'is reserved' : undefined
}

const unused = 'Stored for clients that set it; has no effect.'
const minutes = {
  nullable: true,
  minimum: 1,
  maximum: 525_600,
  shown: 'Minutes; stored for clients, has no effect.',
} as const

/** What an organization decides for everything in it. */
export const settings = fieldSet({
  name: attribute.text('Name; part of URLs.', {
    required: true,
    check: organizationNameProblem,
    example: 'acme',
    shown: 'Name; also the id of the document.',
  }),
  email: attribute.text('Contact e-mail address of the owners.', {
    required: true,
    check: emailProblem,
    example: 'ops@example.com',
  }),
  collaboratorAuthPolicy: attribute.choice(
    'How users sign in; two-factor authentication is not available yet.',
    ['password'],
    { shown: 'How users sign in.' },
  ),
  defaultExecutionMode: attribute.choice('Where runs are executed unless a workspace overrides it.', executionModes, {
    shown: '`remote`, `local` or `agent`.',
  }),
  defaultAgentPoolId: attribute.text('Agent pool for agent mode.', { nullable: true, shown: false }),
  defaultTool: attribute.choice('The tool whose versions workspaces use.', toolNames),
  allowForceDeleteWorkspaces: attribute.flag('Whether workspace admins may delete workspaces without safe-delete.', {
    default: false,
  }),
  assessmentsEnforced: attribute.flag('Whether health is assessed for every eligible workspace.', { default: false }),
  defaultGlobalRemoteState: attribute.flag('Default of `global-remote-state` for workspaces that do not set it.', {
    default: false,
  }),
  workspacesInheritSettingsByDefault: attribute.flag('Whether new workspaces follow the defaults.', {
    default: false,
    column: 'inherit_settings_by_default',
  }),
  keepOutputsOfEncryptedState: attribute.flag(
    'Whether plaintext outputs and renderings sent with encrypted state are kept.',
    {
      default: true,
      column: 'keep_encrypted_outputs',
      shown: 'Whether plaintext data sent with encrypted state is kept.',
    },
  ),
  userTokensEnabled: attribute.flag('Whether user tokens are accepted in this organization; team tokens always are.', {
    default: true,
    shown: 'Whether user tokens are accepted in this organization.',
  }),
  remoteExecutionEnabled: attribute.flag(
    'Whether runs may be created, and runners execute them; command lines execute on their own machine without it.',
    { default: true, shown: 'Whether runs may be created, and runners execute them.' },
  ),
  runConcurrency: attribute.whole('How many runs are executed at once; 0 for any number.', {
    default: 10,
    minimum: 0,
    maximum: 10_000,
  }),
  costEstimationEnabled: attribute.flag(unused, { default: false }),
  speculativePlanManagementEnabled: attribute.flag(unused, { default: true }),
  aggregatedCommitStatusEnabled: attribute.flag(unused, { default: true }),
  sendPassingStatusesForUntriggeredSpeculativePlans: attribute.flag(unused, {
    default: false,
    column: 'send_passing_statuses',
  }),
  sessionTimeout: attribute.whole(
    'Minutes of inactivity after which sessions end; stored for clients, has no effect.',
    minutes,
  ),
  sessionRemember: attribute.whole('Minutes after which sessions end; stored for clients, has no effect.', minutes),
  ownersTeamSamlRoleId: attribute.text('The role of owners in single sign-on. Stored for clients; has no effect.', {
    nullable: true,
    emptyIsNull: true,
    maxLength: 255,
  }),
  maxTtlEnabled: attribute.flag('Whether new tokens last no longer than the limits of `token-ttl-policies`.', {
    default: false,
    shown: 'Whether new tokens are limited by `token-ttl-policies`.',
  }),
})

const limit = { minimum: 60_000, maximum: 100 * 365 * 86_400_000, default: 2 * 365 * 86_400_000 } as const

/** How long tokens of each kind may last, in milliseconds. */
export const tokenLimits = fieldSet({
  organizationTokenTtl: attribute.whole('Of the organization.', limit),
  teamTokenTtl: attribute.whole('Of its teams.', limit),
  userTokenTtl: attribute.whole('Of its members.', limit),
  auditTrailsTokenTtl: attribute.whole('For its audit trail.', limit),
})

/** What the server notes. */
export const facts = fieldSet({
  tier: attribute.text('The plan in the hosted edition.'),
  createdAt: attribute.time('When it was created.'),
  updatedAt: attribute.time('When it was last changed.', { shown: false }),
})
