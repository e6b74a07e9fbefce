import { Type } from '../../kit/endpoint.ts'

/** The answer of a list, for the reference. */
export const KeysShape = Type.Object({
  keys: Type.Array(Type.String(), { description: 'What was found, in order; folders end in a slash.' }),
})

/** An answer that has nothing but warnings, for the reference. */
export const WarningsShape = Type.Object({
  warnings: Type.Array(Type.String(), { description: 'What the caller should know.' }),
})
