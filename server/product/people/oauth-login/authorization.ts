import { createHash } from 'node:crypto'
import { equalInConstantTime } from '../../../kernel/secret.ts'

/** What a command line asks for when it opens the browser. */
export type AuthorizationRequest = {
  readonly redirectUri: string
  /** Sent back unchanged, so that the command line recognises the answer to its own request. */
  readonly state: string
  readonly challenge: string
}

/** Which clients may ask, and on which ports they wait. */
type ClientTerms = { readonly client: string; readonly ports: readonly [number, number] }

/** Where the answer is to be sent. */
type ReplyTarget = Pick<AuthorizationRequest, 'redirectUri' | 'state'>

/** What is wrong with a request (RFC 6749 §4.1.2.1). */
type RequestFault = { readonly error: string; readonly error_description: string }

/**
 * A valid request; or a faulty one, with where to report the fault; or one of an unknown client, which is not answered
 * there.
 */
type ReadRequest =
  | { readonly kind: 'request'; readonly request: AuthorizationRequest }
  | { readonly kind: 'faulty'; readonly asker: ReplyTarget; readonly fault: RequestFault }
  | { readonly kind: 'stranger'; readonly why: string }

type ReadParameter = (name: string) => string

/**
 * Reads an authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3). The only clients run on the same machine as the
 * browser, so the code is sent to its loopback address (RFC 8252 §7.3); a request that names another one is never
 * redirected.
 */
export function readAuthorization(query: URLSearchParams, terms: ClientTerms): ReadRequest {
  const parameter: ReadParameter = (name) => query.get(name) ?? ''
  if (parameter('client_id') !== terms.client)
    return { kind: 'stranger', why: 'client_id does not name a known client.' }
  if (!isLoopback(parameter('redirect_uri'), terms.ports)) {
    const why = `redirect_uri must be on this machine, on a port from ${terms.ports[0]} to ${terms.ports[1]}.`
    return { kind: 'stranger', why }
  }
  const asker = { redirectUri: parameter('redirect_uri'), state: parameter('state').slice(0, 2048) }
  const fault = faultIn(parameter)
  if (fault) return { kind: 'faulty', asker, fault }
  return { kind: 'request', request: { ...asker, challenge: parameter('code_challenge') } }
}

/** The texts are sent in a URL and must not contain quotes. Scopes are ignored, as RFC 6749 §3.3 allows. */
function faultIn(parameter: ReadParameter): RequestFault | undefined {
  const type = parameter('response_type')
  if (type !== '' && type !== 'code') {
    return { error: 'unsupported_response_type', error_description: 'response_type must be code.' }
  }
  const invalid = (text: string): RequestFault => ({ error: 'invalid_request', error_description: text })
  if (type === '') return invalid('response_type is missing.')
  if (parameter('code_challenge_method') !== 'S256') return invalid('code_challenge_method must be S256.')
  if (!/^[\w-]{43}$/.test(parameter('code_challenge'))) return invalid('code_challenge must be a SHA-256 in base64url.')
  return undefined
}

function isLoopback(text: string, [first, last]: ClientTerms['ports']): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, port, username, password, hash } = new URL(text)
  const local = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
  const plain = protocol === 'http:' && username === '' && password === '' && hash === ''
  return plain && local && Number(port) >= first && Number(port) <= last
}

/** Where the browser goes with the answer. */
export function redirectTarget({ redirectUri, state }: ReplyTarget, answer: Readonly<Record<string, string>>): string {
  const target = new URL(redirectUri)
  for (const [name, value] of Object.entries({ ...answer, ...(state === '' ? {} : { state }) })) {
    target.searchParams.set(name, value)
  }
  return target.href
}

/** True if the challenge was made from this verifier (RFC 7636 §4.6). */
export const isVerifierOf = (verifier: string, challenge: string): boolean =>
  /^[\w.~-]{43,128}$/.test(verifier) &&
  equalInConstantTime(createHash('sha256').update(verifier).digest('base64url'), challenge)
