import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { refusalBody } from './client-errors.ts'
import type { ListenerLimits } from './limits.ts'
import { inTurn, type RequestHandler } from './pipelined-requests.ts'
import { isProbe, type Reserve } from './reserve.ts'

/** What decides about requests; `refused` is told of those whose connection is one too many. */
export type AdmissionParts = {
  readonly limits: Pick<ListenerLimits, 'maxHeaders'>
  readonly reserve: Reserve
  readonly refused: () => void
}

/** Refuses requests that are valid HTTP to the parser but not to us, and hands on the others. */
export function admitRequests({ limits, reserve, refused }: AdmissionParts, handle: RequestHandler): RequestListener {
  const isHost = memoizeLast(namesHost)
  return (request, response) => {
    if (reserve.holds(request)) {
      response.setHeader('Connection', 'close')
      if (!isProbe(request)) {
        refused()
        response.setHeader('Retry-After', '1')
        return refuse(response, 503, 'The server has too many connections; try again.')
      }
    }
    if (request.rawHeaders.length > 2 * limits.maxHeaders) {
      return refuse(response, 431, `The request has more than ${limits.maxHeaders} headers.`)
    }
    if (!hasOneHost(request)) return refuse(response, 400, 'A request needs exactly one Host header.')
    if (!isHost(request.headers.host)) return refuse(response, 400, 'The Host header names no host.')
    if (!isReadableCoding(request.headers['transfer-encoding'])) {
      return refuse(response, 501, 'A body must be sent whole or in chunks; no other transfer coding is supported.')
    }
    // No other protocol is supported, and after an Upgrade the parser reports no errors: a LIST would wait for ever.
    if (request.headers.upgrade !== undefined) response.setHeader('Connection', 'close')
    inTurn(request, response, handle)
  }
}

/** RFC 9112 §3.2: none is an error since HTTP/1.1, more than one is an error always. */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0')
}

/** RFC 9112 §3.2: so is a value that names no host. Links are made of it. An empty one says that there is no name. */
const namesHost = (host: string): boolean =>
  host === '' || (/^[\w.:[\]-]+$/.test(host) && URL.canParse(`http://${host}`))

/** RFC 9112 §6.1: under any further coding, such as gzip, the coded bytes would be taken for the body. */
const isReadableCoding = (coding = 'chunked'): boolean => coding.toLowerCase() === 'chunked'

/** Clients send the same one again and again. */
function memoizeLast(isGood: (text: string) => boolean): (text: string | undefined) => boolean {
  let known = ''
  return (text = '') => {
    if (text === known) return true
    if (!isGood(text)) return false
    known = text
    return true
  }
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close' })
  response.end(refusalBody(text))
}
