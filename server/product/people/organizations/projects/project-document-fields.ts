import { type OrganizationGrants, rightsOnProject } from '../../../../access/permissions/grants.ts'
import { projectRights } from '../../../../access/permissions/project-rights.ts'
import { toLink, toOne } from '../../../../kit/jsonapi/resource-documents.ts'
import type { Resource } from '../../../../kit/jsonapi/schemas.ts'
import { type CountedProject, defaultsInForce, type InheritedDefaults } from './project.ts'
import { projectFacts, projectSettings } from './project-fields.ts'

/** A project as a resource, with mode and pool in force. */
export const toProjectResource = (
  project: CountedProject,
  grants: OrganizationGrants,
  organization: InheritedDefaults,
): Resource => {
  const inForce = defaultsInForce(project, organization)
  return {
    type: 'projects',
    id: project.id,
    attributes: {
      ...projectSettings.toDocument(project),
      ...projectFacts.toDocument(project),
      'workspace-count': project.workspaceCount,
      'team-count': project.teamCount,
      'default-execution-mode': inForce.defaultExecutionMode,
      'is-unified': false,
      'setting-overwrites': {
        'default-execution-mode': project.overwritesExecutionMode,
        'default-agent-pool': project.overwritesAgentPool,
      },
      permissions: projectRights.flags(rightsOnProject(grants, project.id)),
    },
    relationships: {
      organization: toOne('organizations', grants.organizationName, `/api/v2/organizations/${grants.organizationName}`),
      'default-agent-pool': toOne('agent-pools', inForce.defaultAgentPoolId),
      'tag-bindings': toLink(`/api/v2/projects/${project.id}/tag-bindings`),
      'effective-tag-bindings': toLink(`/api/v2/projects/${project.id}/effective-tag-bindings`),
    },
    links: { self: `/api/v2/projects/${project.id}` },
  }
}
