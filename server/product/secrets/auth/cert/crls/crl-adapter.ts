import { LRUCache } from 'lru-cache'
import { type Deps, perApp } from '../../../../../kit/deps.ts'
import { type Crl, crlBytes } from '../../../../../pki/index.ts'
import type { ArrivedCrl, NewCrl } from './crl.ts'

type FetchDeps = Pick<Deps, 'outbound' | 'settings' | 'store'>

/** How long a download may take: with a caller waiting for it, and in the background. */
const deadlines = { write: '10s', refresh: '60s' } as const

/** What somebody fetches for, until when, and the list that need not be sent again. */
export type FetchTerms = {
  readonly purpose: keyof typeof deadlines
  readonly signal: AbortSignal
  readonly known?: Crl | undefined
}

/** By URL, in the memory of this process: after a restart each list is sent once more. */
const lastFetched = perApp(
  () => new LRUCache<string, { fingerprint: string; ifChanged: ArrivedCrl['ifChanged'] }>({ max: 1_000 }),
)

/** Notes how to recognize a list that was fetched from a URL. */
export function rememberFetched(deps: FetchDeps, { url, crl: { fingerprint }, ifChanged }: NewCrl): void {
  if (url !== '') lastFetched(deps).set(url, { fingerprint, ifChanged })
}

/** Fetches the list of a URL; undefined if its server says that the known one is still the latest. */
export async function fetchCrl(deps: FetchDeps, url: string, terms: FetchTerms): Promise<ArrivedCrl | undefined> {
  const last = lastFetched(deps).get(url)
  const ifChanged = last !== undefined && last.fingerprint === terms.known?.fingerprint ? last.ifChanged : {}
  const mayBeKnown = Object.keys(ifChanged).length > 0
  const { status, body, headers } = await deps.outbound.get(url, {
    deadline: deadlines[terms.purpose],
    maxBytes: deps.settings.crlBytes,
    signal: terms.signal,
    headers: ifChanged,
    anyStatus: mayBeKnown,
  })
  if (status === 304 && mayBeKnown) return undefined
  if (status !== 200) throw new Error(`The server answered with status ${status}.`)
  const der = await crlBytes(body)
  if (der === undefined) throw new Error('The answer is not a revocation list.')
  const { etag, 'last-modified': lastModified } = headers
  return {
    der,
    url,
    ifChanged: {
      ...(etag === undefined ? {} : { 'If-None-Match': etag }),
      ...(lastModified === undefined ? {} : { 'If-Modified-Since': lastModified }),
    },
  }
}
