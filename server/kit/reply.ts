import { Readable } from 'node:stream'
import type { Instant } from '../kernel/clock.ts'
import type { Failure } from '../kernel/failure.ts'

type Headers = Readonly<Record<string, string>>

/** The `auth` part of a `/v1` answer: what a login or a token call hands out. */
export type AuthAnswer = Record<string, unknown> & { client_token: string }

/** Facts about `auth` that are in the audit record but not in the answer. */
export type RecordedAuth = Readonly<Record<string, unknown>> & { readonly issuedAt?: Instant }

/** A token that an answer hands out, and what only the audit record says of it. */
export type IssuedAuth = { readonly auth?: AuthAnswer; readonly recordedAuth?: RecordedAuth }

/** A list of many names, written already. */
export type LongList = {
  readonly count: number
  /** SHA-256 of all names in hex, each followed by a line feed. */
  readonly digest: string
  /** Whether there are facts about the entries. */
  readonly hasInfo: boolean
  /** The `data` of the envelope as JSON. What does not read it to its end destroys it. */
  readonly data: Readable
}

/** What a handler answers. Each API renders it in its own shape; a handler never writes to the socket. */
export type Reply =
  /** Nothing to say: 204, or 404 when a `/v1` read or list found nothing. */
  | { readonly kind: 'nothing'; readonly status?: number; readonly headers?: Headers }
  /** The `/v1` envelope around `data`, `auth` or a lease. */
  | {
      readonly kind: 'data'
      readonly status?: number
      readonly headers?: Headers
      readonly data?: Record<string, unknown>
      readonly auth?: AuthAnswer
      readonly recordedAuth?: RecordedAuth
      readonly lease?: { readonly id: string; readonly seconds: number; readonly renewable: boolean }
      readonly wrapInfo?: Record<string, unknown>
      /** What a wrapped answer hands out, for the audit record alone. */
      readonly wrapped?: IssuedAuth
    }
  /** The `/v1` envelope around a list that is too long to be written, or recorded, in one go. */
  | { readonly kind: 'list'; readonly status?: number; readonly headers?: Headers; readonly list: LongList }
  /** A JSON:API document; `text` is the same written out, where somebody has it already. */
  | {
      readonly kind: 'document'
      readonly status?: number
      readonly headers?: Headers
      readonly document: object
      readonly text?: string
    }
  /** A JSON object as it is, without envelope; where it is a refusal in a shape of its own, the log is told why. */
  | {
      readonly kind: 'bare'
      readonly status?: number
      readonly headers?: Headers
      readonly body: object
      readonly refusal?: Failure
    }
  /** Bytes, whole or streamed. */
  | {
      readonly kind: 'bytes'
      readonly status?: number
      readonly headers?: Headers
      readonly contentType: string
      readonly body: Buffer | string | Readable
      /** True for a text that is a `/v1` envelope already; the audit record shows what it contains. */
      readonly isEnvelope?: boolean
    }

/** No content. Reads and lists of `/v1` turn it into 404. */
export const nothing = (status?: number, headers?: Headers): Reply => ({ kind: 'nothing', status, headers })

/** The `/v1` envelope with this `data`. */
export const data = (value: Record<string, unknown>, status?: number): Reply => ({ kind: 'data', data: value, status })

/** The `/v1` envelope of a list: `keys`, and facts about each where the endpoint has them. An empty list is 404. */
export const keys = (names: readonly string[], keyInfo?: Record<string, unknown>): Reply => ({
  kind: 'data',
  data: keyInfo ? { keys: names, key_info: keyInfo } : { keys: names },
})

/** The `/v1` envelope with this `auth`; what is only recorded, the audit devices learn. */
export const auth = (answer: AuthAnswer, recorded?: RecordedAuth): Reply => ({
  kind: 'data',
  auth: answer,
  recordedAuth: recorded,
})

/** A JSON:API document. */
export const document = (value: object, status = 200, headers?: Headers): Reply => ({
  kind: 'document',
  document: value,
  status,
  headers,
})

/** A bare JSON object. */
export const bare = (body: object, status = 200, headers?: Headers): Reply => ({ kind: 'bare', body, status, headers })

/** Bytes of any type. */
export const bytes = (
  contentType: string,
  body: Buffer | string | Readable,
  extras: { status?: number; headers?: Headers; isEnvelope?: boolean } = {},
): Reply => ({ kind: 'bytes', contentType, body, ...extras })

/** What an answer is sent from piece by piece, if it is. Whoever does not send it destroys it: it may hold a file open. */
export function streamOf(reply: Reply | undefined): Readable | undefined {
  if (reply?.kind === 'list') return reply.list.data
  return reply?.kind === 'bytes' && reply.body instanceof Readable ? reply.body : undefined
}
