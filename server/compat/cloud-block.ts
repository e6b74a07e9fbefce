/** Where the state of a configuration is to be kept. */
type CloudTarget = { host: string; organization: string; workspace: string }

/** The block that points a configuration at this server. */
export const cloudBlock = ({ host, organization, workspace }: CloudTarget): string => `terraform {
  cloud {
    hostname     = "${host}"
    organization = "${organization}"
    workspaces { name = "${workspace}" }
  }
}`

/**
 * The variable the tools read a token from. If the host has a port, a shell cannot export the name; `env` can set it.
 */
export const tokenVariable = (host: string): string => `TF_TOKEN_${host.replaceAll('-', '__').replaceAll('.', '_')}`

/** The command that connects a configuration, run in its directory. */
export const connectCommand = 'tofu init'

/** The command that signs in through the browser and stores the token. */
export const loginCommand = 'tofu login'
