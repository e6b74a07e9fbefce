import {
  type AnswerOf,
  type ApiClient,
  ApiFailure,
  createApiClient,
  type InputOf,
  type OperationName,
} from '../../../api-client/client.ts'
import { noteAnswer, noteFailure } from './connection.ts'

export {
  type AnswerOf,
  ApiFailure,
  type InputOf,
  type OperationName,
  type Schemas,
} from '../../../api-client/client.ts'

/** What the server says of a session: who is signed in, and what proves that a write comes from these pages. */
export type Session = {
  readonly user_id: string
  readonly username: string
  readonly site_admin: boolean
  readonly csrf_token: string
  /** True if the person signed in with a token of `/v1`, so that its pages can be used. */
  readonly service_token: boolean
  readonly version: string
}

/** The prefix that people typed: both serve the same pages. */
export const base: '/app' | '/ui' = location.pathname.startsWith('/ui') ? '/ui' : '/app'

const writes = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

let proof = ''
let whenSignedOut: () => void = () => undefined

/** Calls this when the server does not know the session any more. */
export function onSignedOut(tell: () => void): void {
  whenSignedOut = tell
}

/** The session of this browser; undefined if nobody is signed in. */
export async function readSession(): Promise<Session | undefined> {
  const response = await fetch(`${base}/session`)
  if (response.status === 401) return undefined
  if (!response.ok) throw new ApiFailure(response, await response.json().catch(() => undefined))
  const session = (await response.json()) as Session
  proof = session.csrf_token
  return session
}

/** Ends the session, and leads to the sign-in page; afterwards back to `next`, if that is given. */
export async function signOut(next?: string): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-csrf-token': proof }
  await fetch(`${base}/sign-out`, { method: 'POST', headers, body: '{}' })
  location.assign(`${base}/sign-in${next === undefined ? '' : `?next=${encodeURIComponent(next)}`}`)
}

/** The proof that a form of the server comes from these pages. */
export const csrfToken = (): string => proof

async function send(request: Request): Promise<Response> {
  if (writes.has(request.method)) request.headers.set('x-csrf-token', proof)
  const response = await fetch(request).catch((error: unknown) => {
    if (!request.signal.aborted) noteFailure()
    throw error
  })
  noteAnswer(response)
  if (response.status === 401) whenSignedOut()
  return response
}

const client: ApiClient = createApiClient({ fetch: send })

/** Calls an operation of the API by its name; a refusal is thrown as `ApiFailure`. */
export const call = client.call

/** Where operations of methods and engines are in the API reference. */
const usualPlace = /^\/v1\/(?:auth\/(?:approle|cert|jwt)|kv-[12])(?=\/|$)/

/** Calls an operation of a method, by its path below `auth/`, or of an engine at the place where it is mounted. */
export function callAt<Name extends OperationName>(
  mount: string,
  name: Name,
  input: InputOf<Name>,
): Promise<AnswerOf<Name>> {
  const moved = createApiClient({
    fetch: async (request) => {
      const url = new URL(request.url)
      const group = url.pathname.startsWith('/v1/auth/') ? 'auth/' : ''
      const place = `/v1/${group}${mount.replace(/\/$/, '')}`
      // As a function, since names may have dollar signs.
      url.pathname = url.pathname.replace(usualPlace, () => place)
      if (url.href === request.url) return await send(request)
      // Not as a stream, which a browser sends over HTTP/2 only.
      const body = writes.has(request.method) ? await request.text() : null
      const { method, headers, signal } = request
      return await send(new Request(url, { method, headers, signal, body }))
    },
  })
  // Whether an operation takes no input at all is not known here.
  return (moved.call as (name: Name, input: InputOf<Name>) => Promise<AnswerOf<Name>>)(name, input)
}

/** What a failure says to a person. */
export const sentenceOf = (error: unknown): string =>
  error instanceof ApiFailure ? error.message : 'The server could not be reached.'

/** True if the server says that there is no such thing, or that the caller may not know. */
export const isMissing = (error: unknown): boolean => error instanceof ApiFailure && error.status === 404

/** True if the caller may not do this. */
export const isForbidden = (error: unknown): boolean => error instanceof ApiFailure && error.status === 403
