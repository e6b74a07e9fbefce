import {
  attribute,
  changing,
  type Item,
  listQuery,
  parameter,
  relation,
  resourceBody,
  resourceSchema,
  shown,
} from '../../../kit/jsonapi/index.ts'
import { type PoolScopes, poolNameProblem, poolOrders, scopeNames } from './pool-rules.ts'

const name = attribute.text('Name of the pool.', {
  required: true,
  maxLength: 90,
  check: poolNameProblem,
  example: 'on-premises',
})
const organizationScoped = attribute.flag('Whether every workspace may use it.', { default: true })

const relationships = {
  allowedWorkspaces: relation.items('workspaces', 'Workspaces that may use it, if not all may.'),
  allowedProjects: relation.items('projects', 'Projects whose workspaces may use it, if not all may.'),
  excludedWorkspaces: relation.items('workspaces', 'Workspaces that may not use it, even if their project may.'),
} as const

/** The body that makes a pool. */
export const newPoolBody = resourceBody('agent-pools', { attributes: { name, organizationScoped }, relationships })

/** The body that changes a pool. */
export const changedPoolBody = resourceBody('agent-pools', {
  attributes: changing({ name, organizationScoped }),
  relationships,
})

/** The lists that were sent, as ids. */
export const toScopes = (sent: { readonly [K in keyof PoolScopes]?: readonly Item[] }): Partial<PoolScopes> =>
  Object.fromEntries(
    scopeNames.flatMap((each) => {
      const items = sent[each]
      return items === undefined ? [] : [[each, items.map(({ id }) => id ?? '')] as const]
    }),
  )

/** What a pool can be read with. */
export const poolIncludes = ['workspaces'] as const

/** The query of the list. */
export const poolsQuery = listQuery({
  include: poolIncludes,
  parameters: {
    text: parameter.text('q', 'Part of the name.'),
    workspaceName: parameter.text('filter[allowed-workspaces][name]', 'Only pools that the workspace may use.'),
    projectName: parameter.text('filter[allowed-projects][name]', 'Only pools that the project may use.'),
  },
  sort: poolOrders,
})

/** A pool as answers show it. */
export const poolSchema = resourceSchema('agent-pools', {
  attributes: {
    name: shown.text('Name.'),
    'created-at': shown.time('When it was created.'),
    'organization-scoped': shown.flag('Whether every workspace may use it.'),
    'agent-count': shown.whole('Number of connected executors.'),
  },
  relationships: {
    organization: 'Its organization.',
    workspaces: 'Workspaces that use it by their own setting.',
    'allowed-workspaces': 'Workspaces that may use it.',
    'allowed-projects': 'Projects whose workspaces may use it.',
    'excluded-workspaces': 'Workspaces that may not use it.',
  },
})
