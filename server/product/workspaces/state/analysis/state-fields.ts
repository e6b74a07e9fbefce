import { stateFileToolVersion } from '../../../../compat/state-names.ts'

/** The member that names the version of the tool that wrote the state. */
export const toolVersionMember = stateFileToolVersion

/** The short members of a state file that are read. */
export const plainMembers: readonly string[] = ['version', 'serial', 'lineage', toolVersionMember]

/** Its presence tells that the writer encrypted the state. */
export const encryptedMember = 'encrypted_data'

/** The members of a resource of format 4 that are read, besides its instances. */
export const resourceMembers: readonly string[] = ['mode', 'type', 'name', 'module', 'provider']
