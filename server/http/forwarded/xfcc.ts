import { hash } from 'node:crypto'
import { xfccHeader, xfccKeys } from '../../compat/forwarded-names.ts'
import type { ClientCertificate } from '../../kit/request.ts'
import type { CertificateForm } from './certificate-form.ts'
import { certificatesIn } from './certificate-texts.ts'

/**
 * A header with an element for each proxy on the way, of which there may be only one. The proxies write names of the
 * certificate into it as they are: one with a comma would begin another element, in which the client says what it likes.
 */
export const xfccForm: CertificateForm = {
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
