import { projectRights } from '../../../access/permissions/index.ts'
import {
  attribute,
  changing,
  listQuery,
  parameter,
  relation,
  resourceBody,
  resourceSchema,
  shown,
  showQuery,
  type Values,
} from '../../../kit/jsonapi/index.ts'
import { bindingAttributes } from '../../workspaces/workspaces/index.ts'
import {
  defaultPoolPointers,
  projectDefaults,
  projectFacts,
  projectSettings,
  sentDefaultPool,
} from '../organizations/index.ts'
import type { AskedProject } from './project-rules.ts'

const attributes = {
  ...projectSettings.fields,
  ...projectDefaults.fields,
  settingOverwrites: attribute.object('Which defaults are its own rather than those of the organization.', {
    defaultExecutionMode: attribute.flag('Whether it has its own execution mode.'),
    defaultAgentPool: attribute.flag('Whether it has its own agent pool.'),
  }),
} as const

const bindings = relation.items('tag-bindings', 'Tag bindings, which its workspaces inherit.', {
  attributes: bindingAttributes,
})
const pool = relation.one('agent-pools', 'Agent pool for agent mode.', { nullable: true })

const relationships = { tagBindings: bindings, defaultAgentPool: pool }

/** The body that makes a project. */
export const newProjectBody = resourceBody('projects', { attributes, relationships })

/** The body that changes a project. */
export const changedProjectBody = resourceBody('projects', { attributes: changing(attributes), relationships })

type Sent = Partial<Values<typeof attributes>>

/** A document in the form that actions take: the pool is sent as a relationship or as an attribute. */
export function toDraft(
  sent: Sent,
  related: string | null | undefined,
): { readonly asked: AskedProject; readonly poolPointer: string } {
  const { settingOverwrites: overwrites, defaultAgentPoolId } = sent
  const { pool, poolPointer = defaultPoolPointers.attribute } = sentDefaultPool(defaultAgentPoolId, related)
  const settings = { ...projectSettings.given(sent), ...projectDefaults.given(sent), ...pool }
  return { asked: { ...settings, ...(overwrites ? { overwrites } : {}) }, poolPointer }
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
    ...projectSettings.shown,
    ...projectDefaults.shown,
    ...projectFacts.shown,
    'workspace-count': shown.whole('Number of its workspaces.'),
    'team-count': shown.whole('Number of teams with access to it.'),
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
