import { failure } from '../kernel/failure.ts'
import type { Operation } from '../kit/access.ts'
import type { Api } from '../kit/endpoint.ts'

/** The parts of a request's address. */
export type Address = {
  readonly api: Api
  /** Decoded segments below the API's prefix. */
  readonly segments: readonly string[]
  /** The decoded segments joined again: what policies and logs see. */
  readonly path: string
  readonly trailingSlash: boolean
  readonly query: URLSearchParams
  /** Why the address cannot be used as it is; reported in the API's own shape. */
  readonly fault: AddressFault | undefined
}

type AddressFault = {
  readonly code: 'path.unclean' | 'query.undecodable' | 'route.missing'
  readonly detail: string
  /** The parameter at fault, as it was sent. */
  readonly parameter?: string
}

const prefixes: readonly (readonly [string, Api])[] = [
  ['/v1', 'v1'],
  ['/api/v2', 'api/v2'],
  ['/api/runner/v1', 'api/runner/v1'],
]

const noQuery = new URLSearchParams()

const unclean: AddressFault = {
  code: 'path.unclean',
  detail: 'The address has an empty, dotted or badly encoded part. Write each segment plainly, without "." or "..".',
}
const holdsToken: AddressFault = {
  code: 'path.unclean',
  detail: 'The address contains a token. Send it in a header or in the body: addresses are logged.',
}

/** What has no place at all: to whoever asks, it is like any other thing that does not exist. */
export const nowhere: AddressFault = { code: 'route.missing', detail: 'There is nothing at this address.' }

const undecodableText =
  'The query is badly encoded: "%" has to be followed by two hexadecimal digits, and all must be UTF-8 text without NUL.'

/** What is shown in place of a token wherever the path is shown. */
const hiddenToken = '(token)'

const mostKept = 1_000
const longestKept = 200
const knownAddresses = new Map<string, Address>()

/**
 * Splits and decodes the address of a request. Segments `.` and `..` and empty ones are faults. So are encoded slashes
 * and control characters where policies judge paths: they and the handler must be given the same text. Under `/api/v2`
 * a segment with a slash is a name like any other, and control characters are in the id of nothing. Clients ask for the
 * same few again and again, so short ones are read once.
 */
export function readAddress(target: string): Address {
  const known = knownAddresses.get(target)
  if (known) return known
  const address = parseTarget(target)
  if (target.length <= longestKept && address.query === noQuery && address.fault === undefined)
    rememberAddress(target, address)
  return address
}

function rememberAddress(target: string, address: Address): void {
  if (knownAddresses.size >= mostKept) knownAddresses.clear()
  knownAddresses.set(target, address)
}

function parseTarget(target: string): Address {
  const url = target.startsWith('/') ? target : withoutOrigin(target)
  const mark = url.indexOf('?')
  const raw = mark < 0 ? url : url.slice(0, mark)
  const query = mark < 0 ? noQuery : new URLSearchParams(url.slice(mark + 1))
  const { api, rest } = splitPrefix(raw)
  const trailingSlash = rest.length > 1 && rest.endsWith('/')
  const inner = trailingSlash ? rest.slice(1, -1) : rest.slice(1)
  const segments: string[] = []
  let fault = url.startsWith('/') ? undefined : unclean
  for (const part of inner === '' ? [] : inner.split('/')) {
    const segment = decodeSegment(part)
    if (segment === undefined) fault ??= unclean
    else if (hasControl(segment)) fault ??= api === 'api/v2' ? nowhere : unclean
    else if (segment.includes('/') && api !== 'api/v2') fault ??= unclean
    else if (isToken(segment)) {
      fault ??= holdsToken
      segments.push(hiddenToken)
    } else segments.push(segment)
  }
  if (mark >= 0 && url.includes('%', mark)) fault ??= faultOfQuery(url.slice(mark + 1))
  return { api, segments, path: segments.map(plain).join('/'), trailingSlash, query, fault }
}

/** Parameters have to decode to text. Not every database can store a NUL, and no parameter needs one. */
function faultOfQuery(query: string): AddressFault | undefined {
  if (isReadable(query)) return undefined
  const [parameter = ''] =
    query
      .split('&')
      .find((part) => !isReadable(part))
      ?.split('=') ?? []
  return { code: 'query.undecodable', detail: undecodableText, parameter }
}

const isReadable = (text: string): boolean => decode(text)?.includes('\u0000') === false

/** Some clients send whole URLs, as they do to proxies; servers have to take them (RFC 9112, section 3.2.2). */
function withoutOrigin(target: string): string {
  const [, path] = /^https?:\/\/[^/?]+(.*)$/is.exec(target) ?? []
  return path === undefined ? target : path.startsWith('/') ? path : `/${path}`
}

function splitPrefix(raw: string): { api: Api; rest: string } {
  for (const [prefix, api] of prefixes) {
    if (raw === prefix || raw.startsWith(`${prefix}/`)) return { api, rest: raw.slice(prefix.length) }
  }
  return { api: 'site', rest: raw }
}

function decodeSegment(part: string): string | undefined {
  const segment = part.includes('%') ? decode(part) : part
  return segment === '' || segment === '.' || segment === '..' ? undefined : segment
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const hasControl = (segment: string): boolean => /[\u0000-\u001f\u007f]/.test(segment)

/** A segment as paths show it: one slash is not taken for another. */
const plain = (segment: string): string => segment.replaceAll('/', '%2F')

/** True for what looks like a token of ours, even a shorter one of dev mode: old clients put them into addresses. */
const isToken = (segment: string): boolean =>
  segment.startsWith('hf') && /^hf(?:[a-z]\.(?:[0-9A-Za-z]{8})?[0-9A-Za-z]{24}|b\.[\w-]{64,})$/.test(segment)

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

/** Refuses an address with a fault, and a write to what looks like a folder. */
export function requireCleanAddress(address: Address, operation: Operation): void {
  if (address.fault === undefined) {
    if (!address.trailingSlash || (operation !== 'update' && operation !== 'patch')) return
    throw failure('malformed', 'path.trailing-slash', 'A write needs a path without a trailing slash.')
  }
  const { code, detail, parameter } = address.fault
  if (code === nowhere.code) throw failure('missing', code, detail)
  throw failure('malformed', code, detail, parameter === undefined ? {} : { faults: [{ detail, parameter }] })
}
