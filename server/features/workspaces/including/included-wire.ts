import { type OrganizationGrants, projectRights, rightsOnProject } from '../../../access/permissions/index.ts'
import { type Instant, toIso } from '../../../kernel/clock.ts'
import { type Resource, toOne } from '../../../kit/jsonapi/index.ts'
import type { AgentPoolRow, ProjectRow } from '../../../storage/tables/organizations.ts'

/** A project as it is included with its workspaces. */
export const toIncludedProject = (
  project: ProjectRow & { readonly workspaces: number },
  grants: OrganizationGrants,
): Resource => ({
  type: 'projects',
  id: project.id,
  attributes: {
    name: project.name,
    description: project.description,
    'created-at': toIso(project.created_at as Instant),
    'workspace-count': project.workspaces,
    'auto-destroy-activity-duration': project.auto_destroy_activity_duration,
    'default-execution-mode': project.default_execution_mode,
    'setting-overwrites': {
      'default-execution-mode': project.overwrites_execution_mode === 1,
      'default-agent-pool': project.overwrites_agent_pool === 1,
    },
    permissions: projectRights.flags(rightsOnProject(grants, project.id)),
  },
  relationships: {
    organization: toOne('organizations', grants.organizationName, `/api/v2/organizations/${grants.organizationName}`),
    'default-agent-pool': toOne('agent-pools', project.default_agent_pool_id),
  },
  links: { self: `/api/v2/projects/${project.id}` },
})

/** A pool as it is included with the workspaces that use it. */
export const toIncludedPool = (pool: AgentPoolRow, organizationName: string): Resource => ({
  type: 'agent-pools',
  id: pool.id,
  attributes: {
    name: pool.name,
    'organization-scoped': pool.organization_scoped === 1,
    'created-at': toIso(pool.created_at as Instant),
  },
  relationships: { organization: toOne('organizations', organizationName) },
  links: { self: `/api/v2/agent-pools/${pool.id}` },
})
