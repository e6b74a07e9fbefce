export { stateFileToolVersion as toolVersionMember } from '../../../compat/state-names.ts'
