import { stateFileToolVersion } from '../../../../compat/vendor-names.ts'

/** The member that names the version of the tool that wrote the state. */
export const toolVersionMember = stateFileToolVersion

/** The short members of a state file that are read. */
export const plainMembers: readonly string[] = ['version', 'serial', 'lineage', toolVersionMember]

/** Its presence tells that the writer encrypted the state. */
export const encryptedMember = 'encrypted_data'

/** The members of a resource that are read, besides its instances. */
export const resourceMembers: readonly string[] = ['mode', 'type', 'name', 'module', 'provider']

/** Longer than any name of a tool, module, resource or output that people type. */
export const longestName = 1_024

/** An object in a file. */
export type Members = Readonly<Record<string, unknown>>

/** The value if it is an object. */
export const membersOf = (value: unknown): Members | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined

/** Not every database can store a NUL, and no tool writes one. */
export const hasNoNul = (text: string): boolean => !text.includes('\u0000')

/** The value if it is a text that can be stored. */
export const textOf = (value: unknown): string | null => (typeof value === 'string' && hasNoNul(value) ? value : null)
