/** Every word that other products chose and that clients of their APIs expect. Nothing else in the server spells them. */

/** Request headers: ours first, then the spelling existing clients send. */
export const headerNames = {
  token: ['x-service-token', 'x-vault-token'],
  namespace: ['x-service-namespace', 'x-vault-namespace'],
  wrapTtl: ['x-service-wrap-ttl', 'x-vault-wrap-ttl'],
  request: ['x-service-request', 'x-vault-request'],
} as const

/** Headers that clients send and that mean nothing here. */
const ignoredHeaders = [
  'wrap-format',
  'mfa',
  'policy-override',
  'no-request-forwarding',
  'forward',
  'index',
  'inconsistent',
]

/** Headers that pages of other origins may send where such pages may call at all; a browser refuses to send others. */
export const crossOriginHeaders: readonly string[] = [
  'Authorization',
  'Content-Type',
  'X-Requested-With',
  ...[
    ...Object.values(headerNames).flat(),
    ...ignoredHeaders.flatMap((name) => [`x-service-${name}`, `x-vault-${name}`]),
  ]
    .map((name) => name.replace(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase()))
    .map((name) => name.replace(/(?<=-)(?:Ttl|Mfa)$/, (word) => word.toUpperCase())),
]

/**
 * What command lines look for when they ask a sealed server who leads; without it they report an error instead of the
 * seal.
 */
export const sealedText = 'Vault is sealed'

/** The text by which a provider recognises that a header is not recorded; it takes any other text for an error. */
export const headerUnknownText = 'Could not find header in config'

/** Headers on every answer of `/api/v2`; command lines refuse a server without the first. */
export const apiHeaders: Readonly<Record<string, string>> = {
  'TFP-API-Version': '2.6',
  'TFP-AppName': 'Holdfast',
}

/** The media type of `/api/v2`. */
export const jsonApiType = 'application/vnd.api+json'

/** The tools whose versions workspaces name; the first is used where an organization does not choose. */
export const toolNames = ['opentofu', 'terraform'] as const

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

/** The category of variables that are inputs of a configuration, as clients of this family spell it. */
export const inputCategory = 'terraform'

/** The name of `tool-version` that clients of this family send and read. */
export const toolVersionAlias = 'terraform-version'

/** The name of `vcs-app-installation-id` that clients of this family send. */
export const appInstallationAlias = 'github-app-installation-id'

/** The types that documents about the access of a team to a project give themselves; pytfe sends the second. */
export const projectAccessTypes = ['team-projects', 'team-project-access'] as const

/** The header with which command lines say what they are used for. */
export const integrationHeader = 'x-terraform-integration'

/** How the programs begin to say what they are that people type commands into. */
export const commandLineAgents = ['OpenTofu/', 'Terraform/'] as const

/** How a run was created, in the words clients compare with. */
export const runSources = { api: 'tfe-api', browser: 'tfe-ui', configuration: 'tfe-configuration-version' } as const

/** Where a workspace came from, in the words clients compare with; the same of a configuration. */
export const workspaceSources = {
  api: 'tfe-api',
  browser: 'tfe-ui',
  commandLine: 'terraform',
  module: 'tfe-module',
} as const

/** Prefixes of tag keys that are reserved for vendors; the last is ours. */
export const reservedTagPrefixes = ['hc:', 'hcp:', 'holdfast:'] as const

/** Where clients of this family look for the catalogue of one tool, below `/admin`; also what they call its entries. */
export const toolVersionsAlias = { name: 'terraform-versions', tool: 'terraform' } as const

/** Version control providers: the names clients of this family send, and what each is called. */
export const vcsProviders = {
  github: 'GitHub',
  github_enterprise: 'GitHub Enterprise',
  gitlab_hosted: 'GitLab.com',
  gitlab_community_edition: 'GitLab Community Edition',
  gitlab_enterprise_edition: 'GitLab Enterprise Edition',
  bitbucket_hosted: 'Bitbucket Cloud',
  bitbucket_server: 'Bitbucket Server',
  bitbucket_data_center: 'Bitbucket Data Center',
  ado_server: 'Azure DevOps Server',
  ado_services: 'Azure DevOps Services',
} as const

/** Those that take signed requests, so that a key pair can stand in for a token. */
export const signedProviders: readonly string[] = ['bitbucket_server', 'bitbucket_data_center']

/** Releases by tool that the catalogue starts with; administrators add what comes later and take away what is too old. */
export const shippedReleases: Readonly<Record<string, readonly string[]>> = {
  opentofu: [
    ...['1.6.0', '1.6.1', '1.6.2', '1.6.3'],
    ...['1.7.0', '1.7.1', '1.7.2', '1.7.3'],
    ...['1.8.0', '1.8.1', '1.8.2', '1.8.3', '1.8.4', '1.8.5', '1.8.6', '1.8.7', '1.8.8', '1.8.11'],
    ...['1.9.0', '1.9.1', '1.9.4'],
    ...['1.10.0', '1.10.1', '1.10.2', '1.10.3', '1.10.4', '1.10.5', '1.10.6', '1.10.10'],
    ...['1.12.6'],
  ],
  terraform: [
    ...['0.11.14', '0.12.29', '0.12.31', '0.13.7', '0.14.11', '0.15.4', '0.15.5'],
    ...['1.0.0', '1.0.4', '1.0.11', '1.1.0', '1.1.9', '1.2.0', '1.2.9', '1.3.0', '1.3.10', '1.4.0', '1.4.7'],
    ...['1.5.0', '1.5.7', '1.6.0', '1.6.6', '1.7.0', '1.7.5', '1.8.0', '1.8.5', '1.9.0', '1.9.5', '1.9.8'],
    ...['1.10.0', '1.10.5', '1.11.0', '1.11.4', '1.12.0', '1.12.2', '1.13.0', '1.13.3'],
  ],
}

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

/** The header in which a well-known family of proxies tells what it knows of its client's certificate; in lower case. */
export const xfccHeader = 'x-forwarded-client-cert'

/** Its keys for the certificate of the client, for that with its intermediates, and for its SHA-256; in lower case. */
export const xfccKeys = { leaf: 'cert', chain: 'chain', digest: 'hash' } as const

/** What proxies send in a header of their own if the client has shown no certificate: some, the name of a variable. */
export const meansNoCertificate = (text: string): boolean => /^(?:\(null\)|\{[\w.]+\})?$/.test(text.trim())

/**
 * Variables that command lines read: ours first, then the spelling that users of this family of tools have in their
 * profiles.
 */
export const clientVariables = {
  address: ['HOLDFAST_ADDR', 'VAULT_ADDR'],
  token: ['HOLDFAST_TOKEN', 'VAULT_TOKEN'],
  tokenFile: ['HOLDFAST_TOKEN_FILE'],
  caCert: ['HOLDFAST_CACERT', 'VAULT_CACERT'],
  clientCert: ['HOLDFAST_CLIENT_CERT', 'VAULT_CLIENT_CERT'],
  clientKey: ['HOLDFAST_CLIENT_KEY', 'VAULT_CLIENT_KEY'],
  skipVerify: ['HOLDFAST_SKIP_VERIFY', 'VAULT_SKIP_VERIFY'],
  timeout: ['HOLDFAST_CLIENT_TIMEOUT', 'VAULT_CLIENT_TIMEOUT'],
  format: ['HOLDFAST_FORMAT', 'VAULT_FORMAT'],
  organization: ['HOLDFAST_ORGANIZATION', 'TF_CLOUD_ORGANIZATION'],
  importToken: ['HOLDFAST_IMPORT_TOKEN'],
} as const satisfies Record<string, readonly [string, ...string[]]>

/** Names of snapshot destinations and their fields as existing clients spell them, by our own spelling. */

/** Destination types. */
export const vendorStorageTypes: Readonly<Record<string, string>> = {
  local: 'local',
  'cloudA-store': 'aws-s3',
  'cloudB-store': 'google-gcs',
  'cloudC-store': 'azure-blob',
}

/** Fields; the first alias is the one that is written, the others are only read. */
export const vendorSnapshotFields: Readonly<Record<string, readonly [string, ...string[]]>> = {
  cloudA_bucket: ['aws_s3_bucket'],
  cloudA_region: ['aws_s3_region'],
  cloudA_access_key_id: ['aws_access_key_id'],
  cloudA_secret_access_key: ['aws_secret_access_key'],
  cloudA_session_token: ['aws_session_token'],
  cloudA_endpoint: ['aws_s3_endpoint'],
  cloudA_disable_tls: ['aws_s3_disable_tls'],
  cloudA_force_path_style: ['aws_s3_force_path_style'],
  cloudA_enable_kms: ['aws_s3_enable_kms'],
  cloudA_server_side_encryption: ['aws_s3_server_side_encryption'],
  cloudA_kms_key: ['aws_s3_kms_key', 'aws_s3_server_kms_key'],
  cloudB_bucket: ['google_gcs_bucket'],
  cloudB_service_account_key: ['google_service_account_key'],
  cloudB_endpoint: ['google_endpoint'],
  cloudB_disable_tls: ['google_disable_tls'],
  cloudC_container_name: ['azure_container_name'],
  cloudC_account_name: ['azure_account_name'],
  cloudC_account_key: ['azure_account_key'],
  cloudC_client_id: ['azure_client_id'],
  cloudC_auth_mode: ['azure_auth_mode'],
  cloudC_blob_environment: ['azure_blob_environment'],
  cloudC_endpoint: ['azure_endpoint'],
}

/** Host suffix of each blob environment. */
export const blobEnvironments: Readonly<Record<string, string>> = {
  AZUREPUBLICCLOUD: 'blob.core.windows.net',
  AZUREUSGOVERNMENTCLOUD: 'blob.core.usgovcloudapi.net',
  AZURECHINACLOUD: 'blob.core.chinacloudapi.cn',
  AZUREGERMANCLOUD: 'blob.core.cloudapi.de',
}

/** The blob environment of a configuration that names none. */
export const defaultBlobEnvironment = 'AZUREPUBLICCLOUD'

/** A switch of newer clients that has no meaning here; only `false` is accepted. */
export const autoloadField = 'autoload_enabled'
