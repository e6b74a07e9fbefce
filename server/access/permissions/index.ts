/**
 * The one place that answers what a caller may do under `/api/v2`.
 *
 * `grantsOf` loads what a caller (user, team or organization) may do, united over teams and scopes, and keeps it until
 * something in the area `permissions` changes. Endpoints name their rule as `access`: `inOrganization(right)` for what
 * belongs to an organization named in the path, `onResource({ load, allows })` for anything else. The pure questions
 * (`canOnWorkspace`, `rightsOnWorkspace`, `visibleWorkspaces`, …) take the grants of one organization, so a whole page
 * of workspaces needs no further query. `workspaceRights.flags(…)` is the `permissions` object of a document.
 */
export {
  canDelegate,
  canDelegateOnProject,
  canInOrganization,
  canOnProject,
  canOnWorkspace,
  canSeeWorkspace,
  type OrganizationGrants,
  rightsOnProject,
  rightsOnWorkspace,
  type VisibleWorkspaces,
  visibleProjects,
  visibleWorkspaces,
} from './grants.ts'
export { presentOrganizations, readAccess } from './grants-store.ts'
export { grantsOf, readGrants } from './load-grants.ts'
export { type OrganizationAccess, organizationAccessNames, organizationRights } from './organization-rights.ts'
export { type ProjectRight, projectRights } from './project-rights.ts'
export {
  actorOf,
  anyActor,
  anyPerson,
  grantsInNamedOrganization,
  grantsInOrganization,
  hidden,
  inOrganization,
  onResource,
  organizationInPath,
  type PermittedResource,
  siteAdministrator,
} from './rules.ts'
export { type WorkspaceRight, type WorkspaceRightSet, workspaceRights } from './workspace-rights.ts'
