import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { isInRange, isInRanges, parseAddress, parseRange, parseRanges } from '../kernel/address-range.ts'
import { problem } from './problems.ts'

/** The proxies of a machine, as its environment names them; empty for none. */
export type Proxies = {
  readonly http: string
  readonly https: string
  /** Hosts that are called directly: names, `.domain`, addresses, ranges, or `*`. */
  readonly exempt: readonly string[]
}

/** No proxies at all. */
export const noProxies: Proxies = { http: '', https: '', exempt: [] }

/** Reads `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, in lower case too. */
export function readProxies(environment: Readonly<Record<string, string | undefined>>): Proxies {
  const value = (name: string): string => environment[name] || environment[name.toLowerCase()] || ''
  const proxy = (name: string): string => withScheme(value(name).trim())
  const exempt = value('NO_PROXY')
    .toLowerCase()
    .split(/[\s,]+/)
  return { http: proxy('HTTP_PROXY'), https: proxy('HTTPS_PROXY'), exempt: exempt.filter((entry) => entry !== '') }
}

const withScheme = (proxy: string): string => (proxy === '' || proxy.includes('://') ? proxy : `http://${proxy}`)

/** The agent for the proxy of a request; undefined when it goes directly to its host. */
export function proxyAgent(proxies: Proxies, url: URL): HttpAgent | undefined {
  const isTls = url.protocol === 'https:'
  const proxy = isTls ? proxies.https : proxies.http
  if (proxy === '' || isExempt(proxies, url)) return undefined
  if (!/^https?:\/\/[^/]/i.test(proxy) || !URL.canParse(proxy))
    throw problem('bad-url', 'HTTP_PROXY and HTTPS_PROXY must be addresses such as http://proxy.example.com:3128.')
  return isTls
    ? new HttpsAgent({ proxyEnv: { HTTPS_PROXY: proxy } })
    : new HttpAgent({ proxyEnv: { HTTP_PROXY: proxy } })
}

/** This machine itself is never called through a proxy. */
const loopbackRanges = parseRanges(['127.0.0.0/8', '::1'])

function isExempt({ exempt }: Proxies, { hostname, port, protocol }: URL): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  const address = parseAddress(host)
  if (host === 'localhost' || (address && isInRanges(address, loopbackRanges))) return true
  const ownPort = port || (protocol === 'https:' ? '443' : '80')
  return exempt.some((entry) => {
    const range = parseRange(entry)
    if (range) return address !== undefined && isInRange(address, range)
    const [, name = entry, onlyPort] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? []
    return (onlyPort === undefined || onlyPort === ownPort) && matchesEntry(host, name)
  })
}

/** `example.com` covers itself and everything below it, `.example.com` and `*.example.com` only what is below. */
function matchesEntry(host: string, entry: string): boolean {
  if (entry === '*' || host === entry) return true
  const domain = entry.replace(/^\*/, '')
  return host.endsWith(domain.startsWith('.') ? domain : `.${domain}`)
}
