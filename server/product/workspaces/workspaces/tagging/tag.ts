import type { Fault } from '../../../../kernel/failure.ts'

/** The longest name of a flat tag. */
export const longestTagName = 255

/** The most flat tags of one workspace: every answer with the workspace contains all of them. */
const maxTags = 1_000

/** The faults of a workspace that would have these flat tags. `pointer` is that of the list that was sent. */
export const tagListFaults = (names: readonly string[], pointer: string): Fault[] =>
  names.length > maxTags
    ? [{ detail: `Tags cannot exceed ${maxTags} per workspace`, pointer, code: 'tags.too-many' }]
    : []

/** Flat tags are compared without case; what is stored is lower case. */
export const foldTagName = (name: string): string => name.toLowerCase()

/** What is wrong with the name of a flat tag. */
export const tagNameProblem = (name: string): string | undefined => {
  if (name === '') return "can't be blank"
  return /^[a-z0-9](?:[a-z0-9:_-]*[a-z0-9])?$/.test(foldTagName(name))
    ? undefined
    : 'may contain only letters, numbers, ":", "-" and "_", and begins and ends with a letter or number'
}
