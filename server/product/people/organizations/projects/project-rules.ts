import type { Instant } from '../../../../kernel/clock.ts'
import type { Id } from '../../../../kernel/ids.ts'
import type { ExecutionMode } from '../organization-rules.ts'

/** The settings of a project. */
export type ProjectSettings = {
  readonly name: string
  readonly description: string
  readonly autoDestroyActivityDuration: string | null
  readonly defaultExecutionMode: ExecutionMode
  readonly defaultAgentPoolId: string | null
  readonly overwritesExecutionMode: boolean
  readonly overwritesAgentPool: boolean
}

/** A group of workspaces with settings of its own. */
export type Project = ProjectSettings & {
  readonly id: Id<'prj'>
  readonly organizationId: string
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** A project with the numbers of its workspaces and teams. */
export type CountedProject = Project & { readonly workspaceCount: number; readonly teamCount: number }

/** The settings of a project with nothing but a name. */
export const blankSettings = (name: string): ProjectSettings => ({
  name,
  description: '',
  autoDestroyActivityDuration: null,
  defaultExecutionMode: 'remote',
  defaultAgentPoolId: null,
  overwritesExecutionMode: false,
  overwritesAgentPool: false,
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
