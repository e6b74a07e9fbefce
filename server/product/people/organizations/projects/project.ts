import type { Id } from '../../../../kernel/ids.ts'
import type { Stored } from '../../../../kit/field-set.ts'
import { projectDefaults, type projectFacts, projectOverwrites, projectSettings } from './project-fields.ts'

/** The settings of a project. */
export type ProjectSettings = Stored<typeof projectSettings.fields> &
  Stored<typeof projectDefaults.fields> &
  Stored<typeof projectOverwrites.fields>

/** A group of workspaces with settings of its own. */
export type Project = ProjectSettings &
  Stored<typeof projectFacts.fields> & {
    readonly id: Id<'prj'>
    readonly organizationId: string
  }

/** A project with the numbers of its workspaces and teams. */
export type CountedProject = Project & { readonly workspaceCount: number; readonly teamCount: number }

/** The settings of a project with nothing but a name. */
export const blankSettings = (name: string): ProjectSettings => ({
  ...projectSettings.initial,
  ...projectDefaults.initial,
  ...projectOverwrites.initial,
  name,
  defaultExecutionMode: 'remote',
})

/** What the organization decides for projects that do not decide it themselves. */
export type InheritedDefaults = Pick<ProjectSettings, 'defaultExecutionMode' | 'defaultAgentPoolId'>

/** What a project passes on: its own mode and pool where it overwrites them, else those of the organization. */
export const passedDefaults = (
  project: InheritedDefaults & Pick<ProjectSettings, 'overwritesExecutionMode' | 'overwritesAgentPool'>,
  inherited: InheritedDefaults,
): InheritedDefaults => ({
  defaultExecutionMode: (project.overwritesExecutionMode ? project : inherited).defaultExecutionMode,
  defaultAgentPoolId: (project.overwritesAgentPool ? project : inherited).defaultAgentPoolId,
})

/** Mode and pool in force on a project; a pool is for agent mode only. */
export function defaultsInForce(project: ProjectSettings, inherited: InheritedDefaults): InheritedDefaults {
  const { defaultExecutionMode, defaultAgentPoolId } = passedDefaults(project, inherited)
  return { defaultExecutionMode, defaultAgentPoolId: defaultExecutionMode === 'agent' ? defaultAgentPoolId : null }
}
