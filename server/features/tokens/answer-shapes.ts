import { Type } from '../../kit/endpoint.ts'

/** The answer of a list, for the reference. */
export const KeysShape = Type.Object({
  keys: Type.Array(Type.String(), { description: 'Keys in sorted order; folders end in a slash.' }),
})

/** An answer that has nothing but warnings, for the reference. */
export const WarningsShape = Type.Object({
  warnings: Type.Array(Type.String(), { description: 'Warnings for the caller.' }),
})
