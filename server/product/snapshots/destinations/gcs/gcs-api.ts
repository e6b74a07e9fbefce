import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AuthClient } from 'google-auth-library'
import { failure } from '../../../../kernel/failure.ts'
import type { GuardedAgents } from '../../../../outbound/agents.ts'
import { deniedAddress } from '../../../../outbound/problems.ts'

/** A bucket: where its API is, the client that authenticates requests, and the connections it is called by. */
export type GcsBucket = {
  readonly client: AuthClient
  readonly agents: GuardedAgents
  readonly api: string
  readonly bucket: string
}

/** An answer of any status; 0 for a connection that broke. */
export type GcsAnswer = { readonly status: number; readonly headers: Headers; readonly data: unknown }

/** A request in the form of the library that handles credentials. */
type GcsRequest = Parameters<AuthClient['request']>[0]

/** How often a request is retried, and how long to wait before the first retry; each further wait is twice as long. */
export const retries = 3
const firstPause = 500

/** The address of the objects of a bucket. */
export const objectsUrl = ({ api, bucket }: GcsBucket): string => `${api}/storage/v1/b/${encodeURIComponent(bucket)}/o`

/** True for a request that succeeded. */
export const isSuccess = ({ status }: GcsAnswer): boolean => status >= 200 && status < 300

/** True if the service may have done what was asked, or may do it at the next try. */
export const isRetryable = ({ status }: GcsAnswer): boolean =>
  status === 0 || status === 408 || status === 429 || status >= 500

/** The error for an answer that no store of this kind would give. */
export const notAStoreFailure = () =>
  failure('unavailable', 'snapshot.no-store', 'what answers is not a store of this kind')

/** Sends a request once. The library handles the credentials; the answer is handled here. */
export async function sendOnce({ client, agents }: GcsBucket, request: GcsRequest): Promise<GcsAnswer> {
  try {
    const options = { ...request, agent: agents.of, validateStatus: () => true, retry: false }
    const { status, headers, data } = await client.request(options)
    return { status, headers, data }
  } catch (thrown) {
    request.signal?.throwIfAborted()
    const { response, code, message } = thrown as { response?: unknown; code?: unknown; message: string }
    // An answer of the service that issues tokens is a refusal.
    if (response || typeof code !== 'string') throw thrown
    if (code === deniedAddress) throw failure('upstream', code, withoutAddress(message))
    return { status: 0, headers: new Headers(), data: Object.assign(new Error(withoutAddress(message)), { code }) }
  }
}

/** Everybody who knows the address of an upload can write to it, so it must not appear in error texts. */
const withoutAddress = (message: string): string => message.replace(/^request to \S+ failed, reason: /, '')

/** Sends a request until it succeeds; throws if it cannot. */
export async function sendUntilDone(
  bucket: GcsBucket,
  request: GcsRequest & { signal: AbortSignal },
): Promise<GcsAnswer> {
  for (let turn = 0; ; turn++) {
    const answer = await sendOnce(bucket, request)
    if (isSuccess(answer)) return answer
    await waitForRetry(answer, turn, request.signal)
  }
}

/** Waits before the next try, or throws if another try would not help. */
export async function waitForRetry(answer: GcsAnswer, turn: number, signal: AbortSignal): Promise<void> {
  if (!isRetryable(answer) || turn >= retries) throw await refusalOf(answer)
  await sleep(firstPause * 2 ** turn, undefined, { signal })
}

/** A refusal with the status and the text of the service. */
export async function refusalOf({ status, data }: GcsAnswer): Promise<Error> {
  if (data instanceof Error) return data
  const { error } = Object(isStream(data) ? await documentIn(data) : data) as { error?: unknown }
  const { message } = Object(error) as { message?: unknown }
  return Object.assign(new Error(typeof message === 'string' ? message : 'it tells no reason'), { code: status })
}

const isStream = (data: unknown): data is Readable => typeof (data as Readable | null)?.pipe === 'function'

const maxRefusalLength = 65_536

/** The document in the stream of a refusal. */
async function documentIn(stream: Readable): Promise<unknown> {
  try {
    let text = ''
    for await (const piece of stream as AsyncIterable<Buffer>) {
      text += piece.toString('utf8')
      if (text.length > maxRefusalLength) break
    }
    return JSON.parse(text)
  } catch {
    // A refusal whose text cannot be read.
    return undefined
  }
}
