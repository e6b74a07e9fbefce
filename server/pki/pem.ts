/** One block of a PEM text, and where it is there. */
export type PemBlock = { readonly label: string; readonly der: Buffer; readonly start: number; readonly end: number }

const begin = '-----BEGIN '
const dashes = '-----'

/**
 * Finds the blocks of a PEM text (RFC 7468). Text around them is ignored; blocks with headers or bad base64 have empty
 * DER.
 */
export function* pemBlocks(text: string): Generator<PemBlock> {
  let at = text.indexOf(begin)
  while (at >= 0) {
    const labelEnd = text.indexOf(dashes, at + begin.length)
    if (labelEnd < 0) return
    const label = text.slice(at + begin.length, labelEnd)
    const bodyStart = labelEnd + dashes.length
    // The next dashes must be the end of this block: looking further would take quadratic time on hostile text.
    const bodyEnd = text.indexOf(dashes, bodyStart)
    if (bodyEnd < 0) return
    const ending = `-----END ${label}-----`
    if (text.startsWith(ending, bodyEnd))
      yield { label, der: decodeBody(text.slice(bodyStart, bodyEnd)), start: at, end: bodyEnd + ending.length }
    at = text.indexOf(begin, bodyEnd)
  }
}

/** Base64 with white space anywhere and padding at the end. Three plain searches: linear over many megabytes. */
function decodeBody(text: string): Buffer {
  const padding = text.indexOf('=')
  const isBase64 = !/[^A-Za-z0-9+/=\s]/.test(text) && (padding < 0 || !/[^=\s]/.test(text.slice(padding)))
  return isBase64 ? Buffer.from(text, 'base64') : Buffer.alloc(0)
}

/**
 * A PEM text without private keys, which people send along with certificates by mistake. Keys whose end line was lost
 * in copying, or belongs to another block, are removed as well.
 */
export function withoutPrivateKeys(text: string): string {
  const [before = '', ...parts] = text.split(begin)
  return before + parts.map((part) => (keyLabel.test(part) ? part.replace(keyBlock, '') : begin + part)).join('')
}

/** Matched after `-----BEGIN `: whether a private key begins there, and all text that belongs to it. */
const keyLabel = /^[^-\n]*PRIVATE KEY-----/
const keyBlock = /^.*?(?:-----END [^-\n]*-----\n?|$)/s

/** Writes one PEM block. */
export function writePem(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `${begin}${label}${dashes}\n${lines.join('\n')}\n-----END ${label}${dashes}\n`
}
