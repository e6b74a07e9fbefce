import { vcsProviders } from '../../../compat/vendor-names.ts'
import { attribute } from '../../../kit/jsonapi/attribute-kinds.ts'
import { fieldSet } from '../../../kit/jsonapi/document-field-set.ts'

/** What is wrong with the address of a provider. */
function providerUrlProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') return 'must be an http or https URL'
  const extras = [url.username, url.password, url.search, url.hash]
  return extras.some((part) => part !== '')
    ? 'must not contain a user name, a password, a query or a fragment'
    : undefined
}

/** What is wrong with a public key. Only its form is checked, as with private ones. */
const publicKeyProblem = (text: string): string | undefined =>
  /^\s*-----BEGIN ([A-Z]+ )*PUBLIC KEY-----\s.+-----END ([A-Z]+ )*PUBLIC KEY-----\s*$/s.test(text)
    ? undefined
    : 'is invalid: it must be a public key in PEM form'

const url = { required: true, maxLength: 2048, check: providerUrlProblem } as const
const providers = Object.keys(vcsProviders) as (keyof typeof vcsProviders)[]

/** The settings of a connection that can be changed. */
export const settings = fieldSet({
  name: attribute.text('Name of the connection.', {
    nullable: true,
    emptyIsNull: true,
    maxLength: 255,
    example: 'our forge',
    shown: 'Name.',
  }),
  httpUrl: attribute.text("URL of the provider's web site.", { ...url, example: 'https://git.example.com' }),
  apiUrl: attribute.text("URL of the provider's API.", { ...url, example: 'https://git.example.com/api/v4' }),
  key: attribute.text('Key by which the provider knows this server.', {
    nullable: true,
    emptyIsNull: true,
    maxLength: 1_024,
    column: 'consumer_key',
  }),
  rsaPublicKey: attribute.text('Public key by which the provider checks signed requests.', {
    nullable: true,
    emptyIsNull: true,
    maxLength: 16 * 1_024,
    check: publicKeyProblem,
  }),
})

/** What a connection is made with, and keeps. */
export const origin = fieldSet({
  serviceProvider: attribute.choice('Kind of the provider.', providers, { required: true }),
})

/** What the server notes of connections. */
export const facts = fieldSet({ createdAt: attribute.time('When it was created.') })

/** What the server notes of tokens. */
export const tokenFacts = fieldSet({
  createdAt: attribute.time('When it was created.'),
  hasSshKey: attribute.flag('Whether it has an SSH key.', { default: false }),
})
