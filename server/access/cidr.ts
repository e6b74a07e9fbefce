import { isInRange, parseAddress, parseRange, showAddress, widthOf } from '../kernel/address-range.ts'

/**
 * The one spelling of an address or block; undefined if it is neither. A block of one address is written without its
 * mask, an IPv4 block that was written as IPv6 (`::ffff:10.0.0.0/104`) as IPv4.
 */
export function normalizeCidr(text: string): string | undefined {
  const range = parseRange(text.trim())
  if (!range) return undefined
  const written = showAddress(range.address)
  return range.bits === widthOf(range.address) ? written : `${written}/${range.bits}`
}

/** A list of bounds, each in its one spelling and where it was given, or the entry that is not an address. */
export function normalizeCidrs(
  entries: readonly string[],
): { readonly ok: true; readonly cidrs: string[] } | { readonly ok: false; readonly entry: string } {
  const cidrs: string[] = []
  for (const entry of entries) {
    const cidr = normalizeCidr(entry)
    if (cidr === undefined) return { ok: false, entry }
    cidrs.push(cidr)
  }
  return { ok: true, cidrs }
}

/** True if every address of a block lies in one of the bounds. */
export function isWithin(block: string, bounds: readonly string[]): boolean {
  const inner = parseRange(block)
  return bounds.some((bound) => {
    const outer = parseRange(bound)
    return inner !== undefined && outer !== undefined && inner.bits >= outer.bits && isInRange(inner.address, outer)
  })
}

/** The bound that only a client at this address meets; nobody meets that of an address that cannot be read. */
export function boundOf(clientAddress: string): string {
  const address = parseAddress(clientAddress)
  return address ? showAddress(address) : clientAddress
}

/**
 * True if a client at this address may use what is bound to the list. No bounds: anybody. With bounds, a client whose
 * address is unknown is refused, and a bound that cannot be read matches nobody.
 */
export function matchesCidrs(bounds: readonly string[], clientAddress: string | undefined): boolean {
  if (bounds.length === 0) return true
  const client = clientAddress === undefined ? undefined : parseAddress(clientAddress)
  if (!client) return false
  return bounds.some((bound) => {
    const range = parseRange(bound)
    return range !== undefined && isInRange(client, range)
  })
}
