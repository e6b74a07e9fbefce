import { type TObject, type TProperties, Type } from 'typebox'

/** An object of answers or bodies that has a name in the OpenAPI document; tools that generate clients make a type of it. */
export const model = <P extends TProperties>(title: string, members: P): TObject<P> => Type.Object(members, { title })
