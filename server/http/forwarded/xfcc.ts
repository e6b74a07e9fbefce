import { chainHeader, xfccKeys } from '../../compat/forwarded-names.ts'
import type { ClientCertificate } from '../../kit/request.ts'
import type { CertificateForm } from './certificate-form.ts'
import { certificatesIn } from './certificate-texts.ts'

/**
 * A header with an element for each proxy on the way, each of which tells of the client of that proxy. Only the last is
 * read: it is from the proxy that talks to this server. What stands before it, anybody may have sent.
 */
export const xfccForm: CertificateForm = {
  isPresent: ({ headers }) => headers[chainHeader] !== undefined,
  read: ({ headersDistinct }) => {
    const [text, second] = headersDistinct[chainHeader] ?? []
    const pairs = text === undefined || second !== undefined ? undefined : lastElement(text)
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
  if (!leaf || another || !chain) return undefined
  const [first, ...rest] = chain
  return { leaf, intermediates: first?.equals(leaf) ? rest : chain }
}

type Pair = { readonly key: string; readonly value: string }

const valuesOf = (pairs: readonly Pair[], wanted: string): string[] =>
  pairs.filter(({ key }) => key.toLowerCase() === wanted).map(({ value }) => value)

/** The pairs of the last element; undefined if quotation marks are not closed, or something is not a pair. */
function lastElement(text: string): Pair[] | undefined {
  const parts = partsOf(text)
  if (!parts) return undefined
  const pairs = (parts.at(-1) ?? []).map(toPair)
  const read = pairs.filter((pair) => pair !== undefined)
  return read.length === pairs.length ? read : undefined
}

/** The elements, between commas, and their pairs, between semicolons; neither counts between quotation marks. */
function partsOf(text: string): string[][] | undefined {
  const elements: string[][] = [[]]
  let begin = 0
  let isQuoted = false
  const endPair = (at: number) => void elements.at(-1)?.push(text.slice(begin, at))
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (isQuoted && character === '\\') at += 1
    else if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && (character === ',' || character === ';')) {
      endPair(at)
      begin = at + 1
      if (character === ',') elements.push([])
    }
  }
  endPair(text.length)
  return isQuoted ? undefined : elements
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
