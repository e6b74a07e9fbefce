import type { Instant } from '../../kernel/clock.ts'
import type { Id } from '../../kernel/ids.ts'
import type { ExecutionMode } from '../organizations/index.ts'

/** What can be changed about a project. */
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

/** A project with how much hangs on it. */
export type CountedProject = Project & { readonly workspaceCount: number; readonly teamCount: number }

/** The settings of a project of which nothing but its name was said. */
export const blankSettings = (name: string): ProjectSettings => ({
  name,
  description: '',
  autoDestroyActivityDuration: null,
  defaultExecutionMode: 'remote',
  defaultAgentPoolId: null,
  overwritesExecutionMode: false,
  overwritesAgentPool: false,
})

/** What is wrong with the name of a project. */
export function projectNameProblem(name: string): string | undefined {
  if (name.trim() === '') return "can't be blank"
  if (name !== name.trim()) return 'must not begin or end with a space'
  if (!/^[A-Za-z0-9 _-]+$/.test(name)) return 'may contain only letters, numbers, spaces, "-" and "_"'
  return name.length < 3 || name.length > 40 ? 'must have 3 to 40 characters' : undefined
}

/** What a document asks for; absent members keep what is there. */
export type AskedProject = Partial<Omit<ProjectSettings, 'overwritesExecutionMode' | 'overwritesAgentPool'>> & {
  readonly overwrites?: {
    readonly defaultExecutionMode?: boolean | undefined
    readonly defaultAgentPool?: boolean | undefined
  }
}

/** A default that is given overwrites that of the organization, unless the document says otherwise. */
export function mergeSettings(before: ProjectSettings, { overwrites, ...asked }: AskedProject): ProjectSettings {
  const given = { ...before, ...definedOf(asked) }
  return {
    ...given,
    overwritesExecutionMode:
      overwrites?.defaultExecutionMode ?? (asked.defaultExecutionMode !== undefined || before.overwritesExecutionMode),
    overwritesAgentPool:
      overwrites?.defaultAgentPool ?? (asked.defaultAgentPoolId !== undefined || before.overwritesAgentPool),
  }
}

const definedOf = <T extends object>(value: T): Partial<T> =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Partial<T>
