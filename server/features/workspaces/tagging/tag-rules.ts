/** Longest name of a flat tag. */
export const longestTagName = 255

/** Flat tags are compared without case; what is stored is lower case. */
export const foldTagName = (name: string): string => name.toLowerCase()

/** What is wrong with the name of a flat tag. */
export const tagNameProblem = (name: string): string | undefined => {
  if (name === '') return "can't be blank"
  return /^[a-z0-9](?:[a-z0-9:_-]*[a-z0-9])?$/.test(foldTagName(name))
    ? undefined
    : 'may contain only letters, numbers, ":", "-" and "_", and begins and ends with a letter or number'
}
