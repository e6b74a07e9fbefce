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
  importToken: ['HOLDFAST_IMPORT_TOKEN'],
} as const satisfies Record<string, readonly [string, ...string[]]>
