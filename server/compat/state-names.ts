/** Where command lines look for what a host offers. */
export const discoveryPath = '/.well-known/terraform.json'

/** The services a host offers, by the names command lines look for, and where each is found. */
export const discoveredServices = (apiPath: string): Readonly<Record<string, string>> => ({
  'tfe.v2': apiPath,
  'tfe.v2.1': apiPath,
  'tfe.v2.2': apiPath,
  'state.v2': apiPath,
})

/** The service by which a command line gets a token through a browser. */
export const loginService = 'login.v1'

/** What the command line calls itself when it asks for a token. */
export const loginClient = 'terraform-cli'

/** Tells a command line after how many seconds of an apply it may send an intermediate state. */
export const snapshotIntervalHeader = 'x-terraform-snapshot-interval'

/** The name of the version of the tool that wrote a state, as clients of this family read it. */
export const stateToolVersion = 'terraform-version'

/** The member of a state file that names the version of the tool that wrote it. */
export const stateFileToolVersion = 'terraform_version'
