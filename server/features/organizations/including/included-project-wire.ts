import { type OrganizationGrants, projectRights, rightsOnProject } from '../../../access/permissions/index.ts'
import { type Instant, toIso } from '../../../kernel/clock.ts'
import { type Resource, toOne } from '../../../kit/jsonapi/index.ts'
import type { ProjectRow } from '../../../storage/tables/organizations.ts'
import type { Organization } from '../organization-rules.ts'

/** A project as it is included with its organization or its workspaces; mode and pool are those in force. */
export function toIncludedProject(
  project: ProjectRow & { readonly workspaces: number },
  grants: OrganizationGrants,
  organization: Organization,
): Resource {
  const [ownMode, ownPool] = [project.overwrites_execution_mode === 1, project.overwrites_agent_pool === 1]
  const mode = ownMode ? project.default_execution_mode : organization.defaultExecutionMode
  const pool = ownPool ? project.default_agent_pool_id : organization.defaultAgentPoolId
  return {
    type: 'projects',
    id: project.id,
    attributes: {
      name: project.name,
      description: project.description,
      'created-at': toIso(project.created_at as Instant),
      'workspace-count': project.workspaces,
      'auto-destroy-activity-duration': project.auto_destroy_activity_duration,
      'default-execution-mode': mode,
      'setting-overwrites': { 'default-execution-mode': ownMode, 'default-agent-pool': ownPool },
      permissions: projectRights.flags(rightsOnProject(grants, project.id)),
    },
    relationships: {
      organization: toOne('organizations', grants.organizationName, `/api/v2/organizations/${grants.organizationName}`),
      'default-agent-pool': toOne('agent-pools', mode === 'agent' ? pool : null),
    },
    links: { self: `/api/v2/projects/${project.id}` },
  }
}
