import { defineRights, type RightSet } from './right-set.ts'

/** What can be allowed on a project; the names are those of `permissions` in its document. */
export const projectRights = defineRights([
  'can-read',
  'can-update',
  'can-destroy',
  'can-create-workspace',
  'can-move-workspace',
  'can-read-teams',
  'can-manage-teams',
  'can-manage-tags',
])

/** The name of a right on a project. */
export type ProjectRight = (typeof projectRights.names)[number]

/** Rights on a project. */
export type ProjectRightSet = RightSet<ProjectRight>

const { of, union, without } = projectRights

const read = of('can-read')

/** Workspaces are created by those who manage all of them, never by access to a project alone. */
const admin = without(projectRights.all, 'can-create-workspace')

/** What each level of access to a project allows on the project itself. */
export const projectLevelsOnProject = { read, write: read, maintain: read, admin } as const

const customSettings: Readonly<Record<string, ProjectRightSet>> = {
  update: of('can-update', 'can-manage-tags'),
  delete: of('can-update', 'can-manage-tags', 'can-destroy'),
}

const customTeams: Readonly<Record<string, ProjectRightSet>> = {
  read: of('can-read-teams'),
  manage: of('can-read-teams', 'can-manage-teams'),
}

/** What a custom access allows on the project itself. */
export const customProjectRights = (access: { readonly settings: string; readonly teams: string }): ProjectRightSet =>
  union(read, customSettings[access.settings] ?? projectRights.none, customTeams[access.teams] ?? projectRights.none)
