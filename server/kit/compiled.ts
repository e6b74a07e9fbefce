import { asIs } from './codecs.ts'

/** A member of an object that is made of another: of the member with the name `from`, or of all of it. */
export type MadeMember = {
  readonly key: string
  readonly from?: string
  readonly convert: (value: never) => unknown
}

/**
 * The function that makes objects with these members out of others. It is compiled from one object literal, so that V8
 * knows the layout of what it makes (docs/decisions/0018); the names are those of our own fields.
 */
export function compile<From, To>(members: readonly MadeMember[]): (source: From) => To {
  const entries = members.map(({ key, from, convert }, index) => {
    const value = from === undefined ? 'source' : `source[${JSON.stringify(from)}]`
    return `${JSON.stringify(key)}: ${convert === asIs ? value : `convert${index}(${value})`}`
  })
  const names = members.map((_, index) => `convert${index}`)
  const make = new Function(...names, `return (source) => ({ ${entries.join(', ')} })`)
  return make(...members.map(({ convert }) => convert))
}
