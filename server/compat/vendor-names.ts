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

/** What scripts look for when they initialise a store a second time; finding it, they go on. */
export const initialisedText = 'Vault is already initialized'

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
