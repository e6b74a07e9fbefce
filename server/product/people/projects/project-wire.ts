import { projectRights } from '../../../access/permissions/index.ts'
import {
  attribute,
  listQuery,
  parameter,
  relation,
  resourceBody,
  resourceSchema,
  shown,
  showQuery,
  type Values,
} from '../../../kit/jsonapi/index.ts'
import { activityDurationProblem, bindingAttributes } from '../../workspaces/workspaces/index.ts'
import { defaultPoolPointers, executionModes, sentDefaultPool } from '../organizations/index.ts'
import { type AskedProject, projectNameProblem } from './project-rules.ts'

const name = attribute.text('Name of the project.', {
  required: true,
  maxLength: 40,
  check: projectNameProblem,
  example: 'Network',
})

const settings = {
  description: attribute.text('What the project is for.', { nullable: true, maxLength: 256 }),
  autoDestroyActivityDuration: attribute.text('Period of inactivity after which its workspaces are destroyed.', {
    nullable: true,
    check: (text) => (text === '' ? undefined : activityDurationProblem(text)),
    example: '14d',
  }),
  defaultExecutionMode: attribute.choice('Execution mode of its workspaces unless they set their own.', executionModes),
  defaultAgentPoolId: attribute.text('Agent pool for agent mode.', { nullable: true }),
  settingOverwrites: attribute.object('Which defaults are its own rather than those of the organization.', {
    defaultExecutionMode: attribute.flag('Whether it has its own execution mode.'),
    defaultAgentPool: attribute.flag('Whether it has its own agent pool.'),
  }),
} as const

const bindings = relation.items('tag-bindings', 'Tag bindings, which its workspaces inherit.', {
  attributes: bindingAttributes,
})
const pool = relation.one('agent-pools', 'Agent pool for agent mode.', { nullable: true })

/** The body that makes a project. */
export const newProjectBody = resourceBody('projects', {
  attributes: { name, ...settings },
  relationships: { tagBindings: bindings, defaultAgentPool: pool },
})

/** The body that changes a project. */
export const changedProjectBody = resourceBody('projects', {
  attributes: { name: { ...name, required: false as const }, ...settings },
  relationships: { tagBindings: bindings, defaultAgentPool: pool },
})

type Sent = Partial<Values<typeof settings>> & { readonly name?: string }

/** A document in the form that actions take: the pool is sent as a relationship or as an attribute. */
export function toDraft(
  sent: Sent,
  related: string | null | undefined,
): { readonly asked: AskedProject; readonly poolPointer: string } {
  const { pool, poolPointer = defaultPoolPointers.attribute } = sentDefaultPool(sent.defaultAgentPoolId, related)
  return { asked: { ...toAsked(sent), ...pool }, poolPointer }
}

/** An empty text clears what can be cleared. */
function toAsked(sent: Sent): AskedProject {
  const { settingOverwrites, defaultAgentPoolId: _, description, autoDestroyActivityDuration, ...rest } = sent
  return {
    ...rest,
    ...(description === undefined ? {} : { description: description ?? '' }),
    ...(autoDestroyActivityDuration === undefined
      ? {}
      : { autoDestroyActivityDuration: autoDestroyActivityDuration || null }),
    ...(settingOverwrites ? { overwrites: settingOverwrites } : {}),
  }
}

const include = ['effective_tag_bindings'] as const

/** The query of a read of one project. */
export const projectQuery = showQuery({ include })

/** The query of the list. */
export const projectsQuery = listQuery({
  include,
  parameters: {
    names: parameter.list('filter[names]', 'Only projects with one of these names.'),
    text: parameter.text('q', 'Part of the name.'),
    tagged: parameter.groups('filter[tagged]', ['key', 'value'], 'Tag bindings that a project must have.'),
  },
  sort: ['name'],
})

/** A project as answers show it. */
export const projectSchema = resourceSchema('projects', {
  attributes: {
    name: shown.text('Name.'),
    description: shown.text('What it is for.'),
    'created-at': shown.time('When it was created.'),
    'workspace-count': shown.whole('Number of its workspaces.'),
    'team-count': shown.whole('Number of teams with access to it.'),
    'auto-destroy-activity-duration': shown.maybeText('Period of inactivity after which its workspaces are destroyed.'),
    'default-execution-mode': shown.text('Execution mode of its workspaces unless they set their own.'),
    'is-unified': shown.flag('Always false.'),
    'setting-overwrites': shown.flags(
      ['default-execution-mode', 'default-agent-pool'],
      'Which defaults are its own rather than those of the organization.',
    ),
    permissions: shown.flags(projectRights.names, 'What the caller may do with it.'),
  },
  relationships: {
    organization: 'Its organization.',
    'default-agent-pool': 'Agent pool for agent mode.',
    'tag-bindings': 'Its tag bindings.',
    'effective-tag-bindings': 'Its effective tag bindings; the same as `tag-bindings`.',
  },
})
