import { algorithms, type TokenHeader } from '../keys/key.ts'

/** The longest token that is read. */
const longestToken = 16 * 1024

/** A header, or why the token is refused. */
export type ReadHeader =
  | { readonly ok: true; readonly header: TokenHeader }
  | { readonly ok: false; readonly text: string }

const refuse = (text: string): ReadHeader => ({ ok: false, text })

/** Reads the header of a token in the compact form with one signature (RFC 7515 §7.1). */
export function readHeader(token: string, accepted: readonly string[]): ReadHeader {
  if (token.length > longestToken) return refuse(`it is longer than ${longestToken} bytes`)
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return refuse('it is no signed JWT: three parts with dots between')
  const header = parseObject(Buffer.from(token.slice(0, token.indexOf('.')), 'base64url'))
  if (!header) return refuse('its header cannot be read')
  // An extension that the sender calls critical has to be understood (RFC 7515 §4.1.11), and none is.
  if (Object.hasOwn(header, 'crit')) return refuse("its header has 'crit', which is not supported")
  const alg = algorithms.find((each) => each === header.alg)
  if (!alg || (accepted.length > 0 && !accepted.includes(alg))) return refuse('its algorithm is not accepted here')
  const { kid } = header
  if (kid !== undefined && typeof kid !== 'string') return refuse("its 'kid' is no text")
  return { ok: true, header: { alg, kid } }
}

/** What a part of a token says; undefined for what is no JSON object. */
export function parseObject(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'))
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
