import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { headerNames, jsonApiType } from '../../server/compat/vendor-names.ts'
import { systemClock } from '../../server/kernel/clock.ts'
import { CliFailure } from '../io.ts'
import { TransientFailure, toCliFailure } from './connection-errors.ts'
import type { Connection } from './server-connection.ts'

export { TransientFailure } from './connection-errors.ts'

// An import reads everything that the module exports, and so loads the client behind `fetch`, too: 45 ms a command.
const { request: httpRequest, STATUS_CODES } = process.getBuiltinModule('node:http')

/** One call. A stream and bytes are sent as they are, anything else as JSON. */
export type Call = {
  method: string
  /** Below the server's address: `/v1/sys/health`. */
  path: string
  body?: Readable | Uint8Array | object
  headers?: Record<string, string>
}

/** An answer whose body was read to its end. */
export type Answer = { status: number; headers: IncomingMessage['headers']; body: unknown }

/** A server's HTTP API, for one caller. */
export type Client = {
  readonly connection: Connection
  /** Sends a call; refuses answers of 400 and above with what the server said. */
  call(call: Call): Promise<Answer>
  /** Sends a call and returns the answer whatever its status. */
  ask(call: Call): Promise<Answer>
  /** Refuses an answer of 400 and above with what the server said. */
  requireSuccess(call: Call, answer: Answer): Answer
  /** Sends a call and returns the answer's body as a stream. */
  open(call: Call): Promise<IncomingMessage>
}

/** Creates a client. Nothing is sent yet. */
export function createClient(connection: Connection): Client {
  const ask = async (call: Call): Promise<Answer> => readAnswer(await send(connection, call))
  const accept = (call: Call, answer: Answer): Answer => requireSuccess(connection, call, answer)
  return {
    connection,
    ask,
    requireSuccess: accept,
    call: async (call) => accept(call, await ask(call)),
    open: async (call) => {
      const incoming = await send(connection, call)
      if ((incoming.statusCode ?? 500) >= 400) accept(call, await readAnswer(incoming))
      return incoming
    },
  }
}

/**
 * True for a path that does not exist and for an empty list: both are answered with 404 and an empty list of errors.
 */
export const isEmptyAnswer = ({ status, body }: Answer): boolean => {
  const errors = (body as { errors?: unknown } | null)?.errors
  return status === 404 && Array.isArray(errors) && errors.length === 0
}

/** The failure for an address where something answers that is not our server. */
export const foreignServer = ({ address, otherServer }: Connection): CliFailure =>
  new CliFailure(
    `${address.origin} answers, but is not ${otherServer ? 'a server of this API' : 'a Holdfast server'}. ${addressQuestion}`,
    2,
  )

const addressQuestion = 'Is it the right address?'

/** A redirect from a proxy, or a sign-in page, must not be taken for the success of a call. */
function requireHoldfastAnswer(connection: Connection, { method, path }: Call, { status, headers }: Answer): void {
  if (status >= 300 && headers.location !== undefined) {
    const name = connection.otherServer?.name ?? 'The server'
    const text = `${name} answers ${method} ${path} with ${status}, a redirect to ${headers.location}. ${addressQuestion}`
    throw new CliFailure(text, 2)
  }
  if (/^text\/html\b/.test(headers['content-type'] ?? '')) throw foreignServer(connection)
}

function requireSuccess(connection: Connection, call: Call, answer: Answer): Answer {
  const { method, path } = call
  const { status, body } = answer
  if (status < 400) {
    requireHoldfastAnswer(connection, call, answer)
    return answer
  }
  if (isEmptyAnswer(answer)) throw new CliFailure(`There is nothing at ${path}.`, 2)
  const said = reasonsOf(body)
  const reasons = said.length > 0 ? said : silentReasons(answer)
  const lines = [
    `${connection.otherServer?.name ?? 'The server'} refused ${method} ${path} with ${status}.`,
    ...reasons.map((reason) => `  * ${reason}`),
  ]
  const text = [...lines, ...hintsFor(connection, path, status, reasons)].join('\n')
  if (status >= 502 && status <= 504) throw new TransientFailure(text, { isUndone: false, exitCode: 2 })
  throw new CliFailure(text, 2)
}

/** How refusals of a text end where another type of JSON is wanted. */
const typeFault = /must be (?:true or false|a (?:whole )?number|a list|an object)/

/** What to do about a refusal, if that is known. */
function hintsFor(connection: Connection, path: string, status: number, reasons: readonly string[]): string[] {
  const [, mount] = /^\/v1\/(auth\/.+)\/login$/.exec(path) ?? []
  if (reasons.some((reason) => / is (?:sealed|not initialised)/.test(reason)))
    return ["  'holdfast status' shows what it needs."]
  // Callers without a token are not told what is mounted and what is not.
  if (mount !== undefined && (status === 404 || status === 403))
    return [`  Is a method mounted at ${mount}? 'holdfast read sys/auth' lists all of them for an administrator.`]
  if (status === 422 && reasons.some((reason) => /Data (?:is missing|must be a list)$/.test(reason)))
    return path.includes('/relationships/')
      ? ['  Relationships take a list: data:=\'[{"type": "…", "id": "…"}]\', or @file.json.']
      : ['  Paths below api/ take a document: data:=\'{"type": "…", "attributes": {…}}\', or @file.json.']
  if (status === 422 && path.startsWith('/api/') && reasons.some((reason) => typeFault.test(reason)))
    return ["  What follows '=' is a text. Write ':=' before JSON: auto-apply:=true, tags:='[\"core\"]'."]
  return status === 401 || status === 403 ? tokenHints(connection, path) : []
}

/** Where the token came from if the user did not give one, why it cannot work here, or how to give one. */
function tokenHints({ token, tokenFile, tokenVariable }: Connection, path: string): string[] {
  if (path.startsWith('/v1/') && /^hf[uto]\./.test(token ?? ''))
    return ['  A user, team or organization token works only below api/; other paths need a token from a login.']
  if (tokenFile !== undefined) return [`  The token is the one in ${tokenFile}, from the last login.`]
  if (tokenVariable !== undefined) return [`  The token is the one in ${tokenVariable}.`]
  return token === undefined ? ["  No token was sent: log in with 'holdfast login', or set HOLDFAST_TOKEN."] : []
}

/**
 * What the server said: strings under `/v1`, objects with title and detail under `/api/v2`. Proxies and some other
 * servers say it in plain text.
 */
function reasonsOf(body: unknown): string[] {
  if (typeof body === 'string') return plainReasons(body)
  const errors = (body as { errors?: unknown } | null)?.errors
  if (!Array.isArray(errors)) return []
  return errors.map((error: unknown) => {
    const { title, detail } = Object(error) as { title?: string; detail?: string }
    return typeof error === 'string' ? error : [title, detail].filter(Boolean).join(': ')
  })
}

/** What a refusal without words means: `sys/health` tells the state of the server by its status. */
function silentReasons({ status, body }: Answer): string[] {
  const { initialized, sealed } = Object(body) as { initialized?: unknown; sealed?: unknown }
  if (initialized === false) return ['The server is not initialised.']
  if (sealed === true) return ['The server is sealed.']
  return [STATUS_CODES[status] ?? []].flat()
}

const longestPlainReason = 200

/** A refusal in plain text on one line; nothing for a web page. */
function plainReasons(text: string): string[] {
  const line = text.replace(/[\p{C}\s]+/gu, ' ').trim()
  if (line === '' || line.startsWith('<')) return []
  return [line.length > longestPlainReason ? `${line.slice(0, longestPlainReason)}…` : line]
}

async function send(connection: Connection, call: Call): Promise<IncomingMessage> {
  const outgoing = startRequest(connection, call)
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const { origin } = connection.address
  outgoing.on('response', resolve)
  outgoing.on('timeout', () => outgoing.destroy(new CliFailure(`${origin} did not answer in time.`)))
  const sentAt = systemClock.monotonic()
  outgoing.on('error', (error) => reject(toCliFailure(error, connection, systemClock.monotonic() - sentAt)))
  // An answer that arrives while the body is still being sent is valid; whether the rest was sent does not matter.
  void sendBody(outgoing, call.body).catch((error: Error) => outgoing.destroy(error))
  return promise
}

function startRequest(connection: Connection, call: Call): ClientRequest {
  const { address, ca, cert, key, skipVerify, timeoutMs } = connection
  const { method } = call
  const options: RequestOptions = {
    method,
    path: targetOf(call.path),
    headers: headersOf(connection, call),
    timeout: timeoutMs,
  }
  const tls = { ca, cert, key, rejectUnauthorized: !skipVerify }
  try {
    return address.protocol === 'https:' ? httpsRequest(address, { ...options, ...tls }) : httpRequest(address, options)
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException
    if (code === 'ERR_INVALID_CHAR')
      throw new CliFailure('The token or a key contains a line break, or is not plain text.')
    throw new CliFailure(`The client certificate or its key cannot be used: ${message}`)
  }
}

/**
 * A path as it is sent in a request. `new URL` would cut it at a `#`, resolve `..` and treat a backslash as a slash, so
 * that a call could delete something other than what was named.
 */
const targetOf = (path: string): string =>
  path.toWellFormed().replace(/[^\x21-\x7e]|["#<>\\^`{|}]/gu, encodeURIComponent)

async function sendBody(outgoing: ClientRequest, body: Call['body']): Promise<void> {
  if (body instanceof Readable) return await pipeline(body, outgoing)
  if (body === undefined) return void outgoing.end()
  const bytes = body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body))
  // Without it the server could not tell where the body of a DELETE ends.
  outgoing.setHeader('content-length', bytes.length)
  outgoing.end(bytes)
}

function headersOf({ token }: Connection, { path, body, headers }: Call): Record<string, string> {
  const isPlatform = path.startsWith('/api/')
  const type = isPlatform ? jsonApiType : 'application/json'
  return {
    accept: type,
    [headerNames.request[0]]: 'true',
    ...(body !== undefined && !(body instanceof Readable) && { 'content-type': type }),
    ...(token !== undefined && (isPlatform ? { authorization: `Bearer ${token}` } : { [headerNames.token[0]]: token })),
    ...headers,
  }
}

async function readAnswer(incoming: IncomingMessage): Promise<Answer> {
  const text = (await readWhole(incoming)).toString('utf8')
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: decode(incoming, text) }
}

/** The whole body of an answer. */
export async function readWhole(incoming: IncomingMessage): Promise<Buffer> {
  try {
    return await buffer(incoming)
  } catch (thrown) {
    const text = `The connection ended before the whole answer had arrived (${(thrown as Error).message}).`
    throw new TransientFailure(text, { isUndone: false })
  }
}

function decode(incoming: IncomingMessage, text: string): unknown {
  if (text === '') return null
  if (!/[/+]json\b/.test(incoming.headers['content-type'] ?? '')) return text
  try {
    return JSON.parse(text)
  } catch (thrown) {
    throw new CliFailure(`The server's answer is not JSON (${(thrown as Error).message}). Is it the right address?`, 2)
  }
}
