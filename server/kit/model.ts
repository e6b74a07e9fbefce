import { type TObject, type TProperties, Type } from 'typebox'

/** An object of answers or bodies that has a name in the OpenAPI document; tools that generate clients make a type of it. */
export const model = <P extends TProperties>(title: string, members: P): TObject<P> => Type.Object(members, { title })

/** One of them: `policies` is `policy`, `keys` is `key`; `status` stays. */
export const toSingular = (word: string): string =>
  word.endsWith('ies') ? `${word.slice(0, -3)}y` : /[^su]s$/.test(word) ? word.slice(0, -1) : word

/** `state-versions.show` is `StateVersionsShow`. */
export const toPascal = (text: string): string =>
  text
    .split(/[^a-zA-Z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** What one resource of a type is called: `state-versions` is `StateVersion`. */
export const toModelName = (type: string): string => toPascal(toSingular(type))
