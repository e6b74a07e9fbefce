import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import type { AddressGuard } from './address-guard.ts'
import { problem } from './problems.ts'

/** One address of a host. */
export type HostAddress = { address: string; family: number }

/** Turns a host name into addresses. */
export type Resolver = (host: string) => Promise<readonly HostAddress[]>

/** How host names are resolved, and which of their addresses may be called. */
export type GuardedResolver = { readonly resolver: Resolver; readonly guard: AddressGuard }

/** The resolver of the machine: hosts file, then DNS. */
export const systemResolver: Resolver = (host) => lookup(host, { all: true })

const bareHost = (host: string): string => host.replace(/^\[(.*)\]$/, '$1')

/** True for a host that is given by its address, as a URL writes it. */
export const isAddress = (host: string): boolean => isIP(bareHost(host)) !== 0

/** The addresses of a host that may be called. A host without any is refused. */
export async function resolveChecked(
  { resolver, guard }: GuardedResolver,
  host: string,
): Promise<readonly HostAddress[]> {
  const bare = bareHost(host)
  const family = isIP(bare)
  const addresses = family === 0 ? await resolver(bare) : [{ address: bare, family }]
  const judged = addresses.map((address) => ({ address, reason: guard(address.address) }))
  const open = judged.filter(({ reason }) => reason === undefined).map(({ address }) => address)
  if (open.length > 0) return open
  const [first] = judged
  if (!first) throw problem('unresolved', `The host ${host} has no address.`)
  const why = `${first.address.address} is ${first.reason}, which outbound.allow can permit`
  throw problem('denied-address', `The host ${host} is not called: ${why}.`)
}

/** Hands the checked addresses to a socket, so that no second look-up can give others. */
export function pinnedLookup(addresses: readonly HostAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses
    if (options.all) callback(null, [...addresses])
    else if (first) callback(null, first.address, first.family)
  }
}
