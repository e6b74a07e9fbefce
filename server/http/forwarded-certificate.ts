import type { IncomingMessage } from 'node:http'
import type { ClientCertificate, RequestFacts } from '../kit/endpoint.ts'

/** What became of a client certificate that a proxy handed on; unreadable is only what a trusted one sent. */
export type ForwardedUse = RequestFacts['forwardedCertificate']

const leafHeader = 'client-cert'
const chainHeader = 'client-cert-chain'

/** True if the request carries a certificate in a header, whoever put it there. */
export const hasForwardedCertificate = ({ headers }: IncomingMessage): boolean =>
  headers[leafHeader] !== undefined || headers[chainHeader] !== undefined

const mostCertificates = 10
const mostBytes = 256 * 1024

/**
 * The certificate a trusted proxy took from its client's handshake (RFC 9440 §2). Undefined when the leaf is doubled
 * or anything is malformed: then somebody other than the proxy may have written it. The chain may have several lines.
 */
export function readForwardedCertificate({ headersDistinct }: IncomingMessage): ClientCertificate | undefined {
  const leaves = headersDistinct[leafHeader] ?? []
  if (leaves.length !== 1) return undefined
  const leaf = readByteSequence(leaves[0] ?? '')
  const chain = readByteSequences((headersDistinct[chainHeader] ?? []).join())
  return leaf && chain && { leaf, intermediates: chain }
}

/** An item of RFC 8941 §3.3.5: base64 between colons, without parameters. */
function readByteSequence(text: string): Buffer | undefined {
  const base64 = /^\s*:([A-Za-z0-9+/]+={0,2}):\s*$/.exec(text)?.[1]
  if (base64 === undefined || base64.length > mostBytes) return undefined
  const bytes = Buffer.from(base64, 'base64')
  return bytes.toString('base64').replace(/=+$/, '') === base64.replace(/=+$/, '') ? bytes : undefined
}

function readByteSequences(text: string): Buffer[] | undefined {
  const items = text.trim() === '' ? [] : text.split(',').map(readByteSequence)
  if (items.length > mostCertificates) return undefined
  const read = items.filter((item) => item !== undefined)
  return read.length === items.length ? read : undefined
}
