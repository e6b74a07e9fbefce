import { hash } from 'node:crypto'
import { meansNoCertificate, xfccHeader, xfccKeys } from '../../compat/vendor-names.ts'
import type { ClientCertificate, ForwardedForm } from '../../kit/request.ts'
import { pemBlocks } from '../../pki/pem.ts'
import type { CertificateForm } from './certificate-form.ts'

/** A leaf, the intermediates of which may be as many as this. */
const mostIntermediates = 10
const mostCharacters = 256 * 1024

/** One certificate as base64; undefined if it is anything else. */
function certificateInBase64(text: string): Buffer | undefined {
  if (text.length > mostCharacters || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '') ? bytes : undefined
}

/**
 * Certificates as PEM, whose line breaks may have become blanks, or as base64 between commas. Both may be
 * percent-encoded. Undefined if it is anything else, or there are too many.
 */
function certificatesIn(text: string): Buffer[] | undefined {
  const decoded = percentDecoded(text)
  if (decoded === undefined) return undefined
  const found = decoded.includes('-----') ? pemCertificates(decoded) : decoded.split(',').map(trimmedBase64)
  const certificates = found.filter((each) => each !== undefined)
  const isWhole = certificates.length === found.length && found.length > 0 && found.length <= mostIntermediates + 1
  return isWhole ? certificates : undefined
}

const trimmedBase64 = (text: string): Buffer | undefined => certificateInBase64(text.trim())

const pemCertificates = (text: string): (Buffer | undefined)[] =>
  [...pemBlocks(text)].map(({ label, der }) => (label === 'CERTIFICATE' && der.length > 0 ? der : undefined))

/** A plus sign stands for itself: base64 has many of them. */
function percentDecoded(text: string): string | undefined {
  if (text.length > 3 * mostCharacters) return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/**
 * A header with an element for each proxy on the way, of which there may be only one. The proxies write names of the
 * certificate into it as they are: one with a comma would begin another element, in which the client says what it likes.
 */
const xfccForm: CertificateForm = {
  isPresent: ({ headers }) => headers[xfccHeader] !== undefined,
  read: ({ headersDistinct }) => {
    const [text, second] = headersDistinct[xfccHeader] ?? []
    const pairs = text === undefined || second !== undefined ? undefined : soleElement(text)
    return pairs && certificateOf(pairs)
  },
}

/** The leaf may be there alone, and again at the beginning of its chain. */
function certificateOf(pairs: readonly Pair[]): ClientCertificate | undefined {
  const [leaves, chains] = [valuesOf(pairs, xfccKeys.leaf), valuesOf(pairs, xfccKeys.chain)]
  if (leaves.length > 1 || chains.length > 1) return undefined
  const chain = chains[0] === undefined ? [] : certificatesIn(chains[0])
  const own = leaves[0] === undefined ? chain?.slice(0, 1) : certificatesIn(leaves[0])
  const [leaf, another] = own ?? []
  if (!leaf || another || !chain || !hasDigest(leaf, pairs)) return undefined
  const [first, ...rest] = chain
  return { leaf, intermediates: first?.equals(leaf) ? rest : chain }
}

/** Where the proxy says only the chain, a name with a semicolon could add a leaf. The digest is said before any name. */
const hasDigest = (leaf: Buffer, pairs: readonly Pair[]): boolean => {
  const [digest, another] = valuesOf(pairs, xfccKeys.digest)
  if (digest === undefined) return true
  return another === undefined && digest.toLowerCase() === hash('sha256', leaf, 'hex')
}

type Pair = { readonly key: string; readonly value: string }

const valuesOf = (pairs: readonly Pair[], wanted: string): string[] =>
  pairs.filter(({ key }) => key.toLowerCase() === wanted).map(({ value }) => value)

/** The pairs of the only element; undefined if there are several, or quotation marks are open, or something is no pair. */
function soleElement(text: string): Pair[] | undefined {
  const pairs = partsOf(text)?.map(toPair)
  const read = pairs?.filter((pair) => pair !== undefined)
  return read?.length === pairs?.length ? read : undefined
}

/** What stands between semicolons, which do not count between quotation marks; undefined at a comma outside of them. */
function partsOf(text: string): string[] | undefined {
  const parts: string[] = []
  let begin = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (isQuoted && character === '\\') at += 1
    else if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && character === ',') return undefined
    else if (!isQuoted && character === ';') {
      parts.push(text.slice(begin, at))
      begin = at + 1
    }
  }
  return isQuoted ? undefined : [...parts, text.slice(begin)]
}

/**
 * A key and its value. A quotation mark opens and closes the whole value, or nothing is believed: one that a client has
 * left open would else swallow the comma before the element of the proxy, and make one of the two.
 */
const pair = /^\s*([A-Za-z]+)=(?:"((?:[^"\\]|\\.)*)"\s*|([^"]*))$/s

function toPair(text: string): Pair | undefined {
  const [, key, quoted, plain] = pair.exec(text) ?? []
  if (key === undefined) return undefined
  return { key, value: quoted === undefined ? (plain ?? '').trim() : quoted.replaceAll(/\\(.)/gs, '$1') }
}

const leafHeader = 'client-cert'
const chainHeader = 'client-cert-chain'

/** Certificates as RFC 9440 §2 says. The chain may have several lines, the leaf only one. */
const rfc9440Form: CertificateForm = {
  isPresent: ({ headers }) => headers[leafHeader] !== undefined || headers[chainHeader] !== undefined,
  read: ({ headersDistinct }) => {
    const leaves = headersDistinct[leafHeader] ?? []
    if (leaves.length !== 1) return undefined
    const leaf = readByteSequence(leaves[0] ?? '')
    const intermediates = readByteSequences((headersDistinct[chainHeader] ?? []).join())
    return leaf && intermediates && { leaf, intermediates }
  },
}

/** An item of RFC 8941 §3.3.5: base64 between colons, without parameters. */
function readByteSequence(text: string): Buffer | undefined {
  const base64 = /^\s*:([^:]+):\s*$/.exec(text)?.[1]
  return base64 === undefined ? undefined : certificateInBase64(base64)
}

function readByteSequences(text: string): Buffer[] | undefined {
  const items = text.trim() === '' ? [] : text.split(',').map(readByteSequence)
  if (items.length > mostIntermediates) return undefined
  const read = items.filter((item) => item !== undefined)
  return read.length === items.length ? read : undefined
}

/** A single header with the certificate of the client first, and any intermediates after it. */
function pemForm(header: string): CertificateForm {
  const name = header.toLowerCase()
  return {
    // Some proxies send the header always, also for clients that have shown no certificate.
    isPresent: ({ headers }) => headers[name] !== undefined && !meansNoCertificate(String(headers[name])),
    read: ({ headersDistinct }) => {
      const [text, second] = headersDistinct[name] ?? []
      if (text === undefined || second !== undefined) return undefined
      const [leaf, ...intermediates] = certificatesIn(text) ?? []
      return leaf && { leaf, intermediates }
    },
  }
}

/** The form that a listener is configured for. Where forwarding is off, the standard one is noticed and ignored. */
export function certificateFormOf(form: ForwardedForm, header: string): CertificateForm {
  if (form === 'xfcc') return xfccForm
  return form === 'pem' ? pemForm(header) : rfc9440Form
}
