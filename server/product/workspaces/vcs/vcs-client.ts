import type { Id } from '../../../kernel/ids.ts'
import { withoutEndSlashes } from '../../../kernel/slashes.ts'
import type { Stored } from '../../../kit/field-set.ts'
import type { facts, origin, settings, tokenFacts } from './vcs-client-fields.ts'

/** A version control provider as an organization connects to it. */
export type OauthClient = Stored<typeof settings.fields> &
  Stored<typeof origin.fields> &
  Stored<typeof facts.fields> & {
    readonly id: Id<'oc'>
    readonly organizationId: string
    /** Whether it has a secret that signs requests, which can be written, but never read. */
    readonly hasSecret: boolean
  }

/** A credential of a connection, without its text, which can be written, but never read. */
export type OauthToken = Stored<typeof tokenFacts.fields> & {
  readonly id: Id<'ot'>
  readonly organizationId: string
  readonly clientId: string
}

/** What is wrong with a private key. Only its form is checked: whether it opens anything shows when it is used. */
export const privateKeyProblem = (text: string): string | undefined =>
  /^\s*-----BEGIN ([A-Z]+ )*PRIVATE KEY-----\s.+-----END ([A-Z]+ )*PRIVATE KEY-----\s*$/s.test(text)
    ? undefined
    : 'is invalid: it must be a private key in PEM form'

/** True if a token goes to the same provider by both. A slash at the end makes no difference. */
export const isSameProvider = (one: ProviderPlace, other: ProviderPlace): boolean => placeText(one) === placeText(other)

type ProviderPlace = Pick<OauthClient, 'httpUrl' | 'apiUrl'>

const placeText = ({ httpUrl, apiUrl }: ProviderPlace): string =>
  [httpUrl, apiUrl].map((url) => withoutEndSlashes(new URL(url).href)).join(' ')
