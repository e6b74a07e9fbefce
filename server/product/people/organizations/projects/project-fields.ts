import { attribute } from '../../../../kit/jsonapi/attribute-kinds.ts'
import { fieldSet } from '../../../../kit/jsonapi/document-field-set.ts'
import { executionModes } from '../execution-modes.ts'

/** What is wrong with the name of a project. */
function projectNameProblem(name: string): string | undefined {
  if (name.trim() === '') return "can't be blank"
  if (name !== name.trim()) return 'must not begin or end with a space'
  if (!/^[A-Za-z0-9 _-]+$/.test(name)) return 'may only contain letters, numbers, spaces, "-" and "_"'
  return name.length < 3 || name.length > 40 ? 'must have 3 to 40 characters' : undefined
}

/** What is wrong with a duration such as `14d` or `36h`. */
export const activityDurationProblem = (text: string): string | undefined =>
  /^[0-9]{1,4}[dh]$/.test(text) && Number(text.slice(0, -1)) > 0
    ? undefined
    : "has an incorrect format, we expect up to 4 numeric digits and 1 unit ('d' or 'h'), and more than 0"

/** Settings that documents show as they are stored. */
export const projectSettings = fieldSet({
  name: attribute.text('Name of the project.', {
    required: true,
    maxLength: 40,
    check: projectNameProblem,
    example: 'Network',
    shown: 'Name.',
  }),
  description: attribute.text('What the project is for.', {
    nullable: true,
    maxLength: 256,
    default: '',
    shown: 'What it is for.',
  }),
  autoDestroyActivityDuration: attribute.text('Period of inactivity after which its workspaces are destroyed.', {
    nullable: true,
    emptyIsNull: true,
    check: activityDurationProblem,
    example: '14d',
  }),
})

/** Settings that can be inherited: documents show what is in force, the change log what the project stores. */
export const projectDefaults = fieldSet({
  defaultExecutionMode: attribute.choice('Execution mode of its workspaces unless they set their own.', executionModes),
  defaultAgentPoolId: attribute.text('Agent pool for agent mode.', { nullable: true, shown: false }),
})

/** Which of those are its own. */
export const projectOverwrites = fieldSet({
  overwritesExecutionMode: attribute.flag('Whether it has its own execution mode.', { default: false }),
  overwritesAgentPool: attribute.flag('Whether it has its own agent pool.', { default: false }),
})

/** What the server notes. */
export const projectFacts = fieldSet({
  createdAt: attribute.time('When it was created.'),
  updatedAt: attribute.time('When it was last changed.', { shown: false }),
})
