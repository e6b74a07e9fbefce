import type { Instant } from '../../../kernel/clock.ts'
import type { Id } from '../../../kernel/ids.ts'
import { withoutEndSlashes } from '../../../kernel/slashes.ts'

/** A version control provider as an organization connects to it. */
export type OauthClient = {
  readonly id: Id<'oc'>
  readonly organizationId: string
  readonly name: string | null
  readonly serviceProvider: string
  readonly httpUrl: string
  readonly apiUrl: string
  readonly createdAt: Instant
}

/** A credential of a connection, without its text, which can be written, but never read. */
export type OauthToken = {
  readonly id: Id<'ot'>
  readonly organizationId: string
  readonly clientId: string
  readonly hasSshKey: boolean
  readonly createdAt: Instant
}

/** What is wrong with a private key. Only its form is checked: whether it opens anything shows when it is used. */
export const privateKeyProblem = (text: string): string | undefined =>
  /^\s*-----BEGIN ([A-Z]+ )*PRIVATE KEY-----\s.+-----END ([A-Z]+ )*PRIVATE KEY-----\s*$/s.test(text)
    ? undefined
    : 'is invalid: it must be a private key in PEM form'

/** What is wrong with the address of a provider. */
export function providerUrlProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') return 'must be an http or https URL'
  const extras = [url.username, url.password, url.search, url.hash]
  return extras.some((part) => part !== '')
    ? 'must not contain a user name, a password, a query or a fragment'
    : undefined
}

/** True if a token goes to the same provider by both. A slash at the end makes no difference. */
export const isSameProvider = (one: ProviderPlace, other: ProviderPlace): boolean => placeText(one) === placeText(other)

type ProviderPlace = Pick<OauthClient, 'httpUrl' | 'apiUrl'>

const placeText = ({ httpUrl, apiUrl }: ProviderPlace): string =>
  [httpUrl, apiUrl].map((url) => withoutEndSlashes(new URL(url).href)).join(' ')
