import { createHash, createHmac } from 'node:crypto'

/** A request as a signature sees it. */
type SignedRequest = {
  readonly method: string
  /** Path and query exactly as they were sent. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  /** Hex digest of the body, or the word used instead of it. */
  readonly payloadHash: string
}

/** What a signature was made with. */
type SignatureScope = {
  readonly secret: string
  readonly region: string
  readonly service: string
  /** `20130524T000000Z`. */
  readonly time: string
  readonly signedHeaders: readonly string[]
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** RFC 3986 encoding, which leaves fewer characters alone than `encodeURIComponent`. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

function canonicalQuery(query: string): string {
  const pairs = query.split('&').filter((pair) => pair !== '')
  const encoded = pairs.map((pair) => {
    const [name = '', value = ''] = pair.split('=', 2)
    return `${encode(decodeURIComponent(name))}=${encode(decodeURIComponent(value))}`
  })
  return encoded.sort().join('&')
}

/**
 * The signature of a request (AWS Signature Version 4), written from its specification and independent of any library,
 * so that tests can check what a library signed.
 */
export function signatureOf(request: SignedRequest, scope: SignatureScope): string {
  const [path = '/', query = ''] = request.target.split('?', 2)
  const names = [...scope.signedHeaders].sort()
  const lines = names.map((name) => `${name}:${(request.headers[name] ?? '').trim().replace(/ +/g, ' ')}\n`)
  const canonical = [
    request.method,
    path,
    canonicalQuery(query),
    lines.join(''),
    names.join(';'),
    request.payloadHash,
  ].join('\n')
  const day = scope.time.slice(0, 8)
  const reach = `${day}/${scope.region}/${scope.service}/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', scope.time, reach, sha256(canonical)].join('\n')
  const steps = [day, scope.region, scope.service, 'aws4_request']
  const key = steps.reduce<Buffer | string>((last, step) => hmac(last, step), `AWS4${scope.secret}`)
  return hmac(key, toSign).toString('hex')
}
