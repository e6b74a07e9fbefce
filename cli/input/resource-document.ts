type Fields = Readonly<Record<string, unknown>>

/** A document of `/api` with these attributes. A document that is complete already, since it has data, stays as it is. */
export const documentOf = (type: string | undefined, fields: Fields): object =>
  Object.hasOwn(fields, 'data') ? fields : { data: { type, attributes: fields } }

const wordsOf = (path: string): string[] => path.replace(/\?.*/, '').split('/')

/** The type of what is at a path, as in `workspaces/ws-…`. */
export const changedType = (path: string): string | undefined => wordsOf(path).at(-2)

/**
 * The type of what a POST to a path creates, as in `organizations/acme/workspaces`. Undefined for actions, which take
 * plain fields, and for relationships, which take a list.
 */
export function createdType(path: string): string | undefined {
  const words = wordsOf(path)
  if (words.includes('actions') || words.includes('relationships')) return undefined
  const last = words.at(-1)
  return last === 'authentication-token' ? 'authentication-tokens' : last
}

/** A resource of `/api` with its attributes beside its other parts; anything else as it is. */
export function withAttributes(data: Fields): Fields {
  const { attributes, ...parts } = data
  const isResource = typeof parts.id === 'string' && typeof parts.type === 'string' && attributes instanceof Object
  return isResource ? { ...attributes, ...parts } : data
}
