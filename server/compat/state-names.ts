/** Where command lines look for the services of a host. */
export const discoveryPath = '/.well-known/terraform.json'

/** The services a host offers, by the names command lines look for, and where each is found. */
export const discoveredServices = (apiPath: string): Readonly<Record<string, unknown>> => ({
  'tfe.v2': apiPath,
  'tfe.v2.1': apiPath,
  'tfe.v2.2': apiPath,
  'state.v2': apiPath,
  [loginService.name]: {
    client: loginService.client,
    grant_types: ['authz_code'],
    authz: loginService.authorizationPath,
    token: loginService.tokenPath,
    ports: loginService.ports,
  },
})

/** How a command line gets a token through a browser: where, as which client, and on which ports it waits. */
export const loginService = {
  name: 'login.v1',
  client: 'terraform-cli',
  ports: [10000, 10010],
  authorizationPath: '/oauth/authorization',
  tokenPath: '/oauth/token',
} as const

/** Tells a command line after how many seconds of an apply it may send an intermediate state. */
export const snapshotIntervalHeader = 'x-terraform-snapshot-interval'

/** The name of the version of the tool that wrote a state, as clients of this family read it. */
export const stateToolVersion = 'terraform-version'

/** The member of a state file that names the version of the tool that wrote it. */
export const stateFileToolVersion = 'terraform_version'
