/** An object in a file. */
export type Members = Readonly<Record<string, unknown>>

/** The value if it is an object. */
export const membersOf = (value: unknown): Members | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined

/** Not every database can store a NUL, and no tool writes one. */
export const hasNoNul = (text: string): boolean => !text.includes('\u0000')

/** The value if it is a text that can be stored. */
export const textOf = (value: unknown): string | null => (typeof value === 'string' && hasNoNul(value) ? value : null)
