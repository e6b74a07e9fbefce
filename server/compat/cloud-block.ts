/** Where the state of a configuration is to be kept. */
export type CloudTarget = { host: string; organization: string; workspace: string }

/** The block that points a configuration at this server. */
export const cloudBlock = ({ host, organization, workspace }: CloudTarget): string => `terraform {
  cloud {
    hostname     = "${host}"
    organization = "${organization}"
    workspaces { name = "${workspace}" }
  }
}`

/** The variable the tools read a token from. With a port in it a shell cannot export it; `env` can set it. */
export const tokenVariable = (host: string): string => `TF_TOKEN_${host.replaceAll('-', '__').replaceAll('.', '_')}`

/** What is typed in the directory of a configuration to connect it. */
export const connectCommand = 'tofu init'

/** What is typed to sign in in the browser and keep the token. */
export const loginCommand = 'tofu login'
