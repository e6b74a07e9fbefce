import { canInOrganization, canOnProject, type OrganizationGrants } from '../../../access/permissions/grants.ts'
import { workspaceRights } from '../../../access/permissions/workspace-rights.ts'
import type { Fault } from '../../../kernel/failure.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Stored } from '../../../kit/field-set.ts'
import type { facts, settings } from './variable-set-fields.ts'

/** What somebody decides about a variable set. */
export type VariableSetSettings = Stored<typeof settings.fields>

/** A variable set. The organization owns it, or one of its projects. */
export type VariableSet = VariableSetSettings &
  Stored<typeof facts.fields> & {
    readonly id: Id<'varset'>
    readonly organizationId: string
    /** The project that owns it. */
    readonly projectId: string | null
  }

/** The kinds of things that have variable sets. */
export type TargetKind = 'workspaces' | 'projects'

/** Which workspaces and projects have a set, and its variables, by id. */
export type SetContents = Readonly<Record<TargetKind | 'variables', readonly string[]>>

/** What is wrong with a set. */
export const setFaults = ({ global, projectId }: Pick<VariableSet, 'global' | 'projectId'>): Fault[] =>
  global && projectId !== null
    ? [{ detail: 'Global cannot be true: a project owns the set', pointer: '/data/attributes/global' }]
    : []

/** What is wrong with giving workspaces or projects a set that all have. */
export const targetFaults = ({ global }: Pick<VariableSet, 'global'>, pointer: string): Fault[] =>
  global ? [{ detail: 'The set is global, so every workspace has it; set global to false first', pointer }] : []

/** Whether somebody manages sets of an organization, or of a project. */
export const mayManageSets = (grants: OrganizationGrants, projectId: string | null): boolean =>
  projectId === null
    ? canInOrganization(grants, 'can-manage-all-workspaces')
    : // Only administrators of a project have this right on it.
      canOnProject(grants, 'can-move-workspace', projectId)

/** Where somebody may read variables, in a form that queries can use. */
export type VariableReaders =
  | { readonly kind: 'all' }
  | {
      readonly kind: 'some'
      readonly projectIds: readonly string[]
      readonly workspaceIds: readonly string[]
      /** Projects whose own sets they manage. */
      readonly managed: readonly string[]
    }

/** Where somebody may read variables: a set is read by those who may read them in a workspace that has it. */
export function variableReaders(grants: OrganizationGrants): VariableReaders {
  const reads = (rights: typeof workspaceRights.none) =>
    workspaceRights.has(rights, 'can-read-run') && workspaceRights.has(rights, 'can-read-variable')
  if (reads(grants.organizationWide.workspaces)) return { kind: 'all' }
  return {
    kind: 'some',
    projectIds: [...grants.projects].flatMap(([id, on]) => (reads(on.workspaces) ? id : [])),
    workspaceIds: [...grants.workspaces].flatMap(([id, rights]) => (reads(rights) ? id : [])),
    managed: [...grants.projects.keys()].filter((id) => mayManageSets(grants, id)),
  }
}
