import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { headerNames } from '../compat/vendor-names.ts'
import { parseRange, showAddress as showNumbers } from '../kernel/address-range.ts'
import { shownAddress } from '../kernel/hidden-credentials.ts'
import { type Secret, secret } from '../kernel/secret.ts'
import { bad, good, type Kind, quote, scalarKind } from './kinds.ts'

/** Where a listener listens. Port 0 lets the system choose. */
export type Address = { host: string; port: number }

/** The store a server works on. */
export type StorageTarget = { engine: 'sqlite'; file: string } | { engine: 'postgres'; url: Secret<string> }

/** The address of a store as it is opened. */
export const storeUrl = (storage: StorageTarget): string =>
  storage.engine === 'sqlite' ? `sqlite:${storage.file}` : storage.url.reveal()

/** How an address is written: `127.0.0.1:8200`, `[::1]:8200`. */
export const showAddress = ({ host, port }: Address): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`

/** True if only this machine can reach the address. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost') return true
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback'
}

const addressFix = 'Write host:port, for example 127.0.0.1:8200, [::1]:8200 or 0.0.0.0:8200; port 0 takes a free one.'

/** A host and a port. */
export const address: Kind<Address> = scalarKind(
  'host:port',
  (value) => {
    const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(value) ?? []
    if (digits === undefined) return bad(`${quote(value)} is not host:port`, addressFix)
    const port = Number(digits)
    if (port > 65_535) return bad(`${quote(value)} has a port above 65535`, addressFix)
    const host = bracketed ?? (plain === '' ? '::' : (plain ?? ''))
    const known = bracketed === undefined ? plain === '' || isHost(host) : ipaddr.IPv6.isValid(host)
    return known ? good({ host, port }) : bad(`${quote(host)} is neither an address nor a host name`, addressFix)
  },
  showAddress,
)

/** A host and a port, or `off`. */
export const addressOrOff: Kind<Address | 'off'> = {
  name: 'host:port or off',
  read: (raw) => (raw === 'off' || raw === false ? good('off' as const) : address.read(raw)),
  show: (value) => (value === 'off' ? 'off' : showAddress(value)),
}

function isHost(host: string): boolean {
  if (/^[\d.]+$/.test(host)) return ipaddr.IPv4.isValidFourPartDecimal(host)
  return /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?$/.test(host)
}

/** Headers that mean something else already. */
const takenHeaders = new Set([
  'authorization',
  'cookie',
  'host',
  'x-forwarded-for',
  ...Object.values(headerNames).flat(),
])

/** The name of a request header of one's own. */
export const headerName: Kind<string> = scalarKind('header name', (value) => {
  if (!/^[A-Za-z][A-Za-z0-9-]{0,99}$/.test(value))
    return bad(`${quote(value)} is no name of a header`, 'Write letters, digits and dashes: X-SSL-Client-Cert.')
  return takenHeaders.has(value.toLowerCase())
    ? bad(`the header ${value} has another meaning`, 'Choose a header that nothing else uses.')
    : good(value)
})

/** A range of addresses: `10.0.0.0/8`; a single address stands for itself. */
export const addressRange: Kind<string> = scalarKind('address range', (value) => {
  const range = parseRange(value)
  return range
    ? good(`${showNumbers(range.address)}/${range.bits}`)
    : bad(`${quote(value)} is not an address range`, 'Write an address or a range such as 10.0.0.0/8 or fd00::/8.')
})

/** The address people and clients reach the server under. */
export const webAddress: Kind<string> = scalarKind('URL', (value) => {
  const fix = 'Write scheme, host and port only, for example https://holdfast.example.com.'
  if (!URL.canParse(value)) return bad(`${quote(value)} is not a URL`, fix)
  const url = new URL(value)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return bad(`${quote(value)} is not an http URL`, fix)
  const bare = url.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
  return bare ? good(url.origin) : bad(`${quote(shownAddress(value))} holds more than scheme, host and port`, fix)
})

const storageFix =
  'Write sqlite:/path/to/file.db or postgres://user:password@host:5432/database, ' +
  'with signs such as @ : / in the password as %40 %3A %2F.'

/** SQLite file or PostgreSQL URL. A URL may name several hosts, which `new URL` cannot read. */
export const storageTarget: Kind<StorageTarget> = scalarKind<StorageTarget>(
  'storage URL',
  (value) => {
    if (isPostgresUrl(value)) return good({ engine: 'postgres', url: secret(value) })
    const file = /^sqlite:(?:\/\/(?=\/))?([^:].*)$/.exec(value)?.[1] ?? (/^[./]/.test(value) ? value : undefined)
    return file === undefined
      ? bad(`${quote(shownAddress(value))} is not a storage URL`, storageFix)
      : good({ engine: 'sqlite', file: resolve(file) })
  },
  (value) => (value.engine === 'sqlite' ? `sqlite:${value.file}` : shownAddress(value.url.reveal())),
)

/** True for user and password, one or several hosts with their ports, and whatever the driver reads after that. */
function isPostgresUrl(value: string): boolean {
  const [, authority = '', path = ''] = /^postgres(?:ql)?:\/\/([^/?#]+)([^?#]*)/.exec(value) ?? []
  const [hosts = '', ...login] = authority.split('@').toReversed()
  // A second @ belongs to a password that is not percent-encoded: the URL was then split at the wrong place.
  if (login.length > 1 || path.includes('@')) return false
  return hosts.split(',').every((host) => /^(?:\[[\dA-Fa-f:.]+\]|[^:[\]]+)(?::\d{1,5})?$/.test(host))
}
