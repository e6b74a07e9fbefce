import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Block = { readonly address: Address; readonly bits: number }

/**
 * The one spelling of an address or block; undefined if it is neither. A block of one address is written without its mask,
 * an IPv4 block in IPv6 clothes as IPv4.
 */
export function normalizeCidr(text: string): string | undefined {
  const block = parseBlock(text.trim())
  if (!block) return undefined
  const { address, bits } = block
  const written = address instanceof ipaddr.IPv6 ? address.toRFC5952String() : address.toString()
  return bits === widthOf(address) ? written : `${written}/${bits}`
}

/** A list of bounds in its one spelling, in the order given, or the entry that is no address. */
export function normalizeCidrs(
  entries: readonly string[],
): { readonly ok: true; readonly cidrs: string[] } | { readonly ok: false; readonly entry: string } {
  const cidrs = new Set<string>()
  for (const entry of entries) {
    const cidr = normalizeCidr(entry)
    if (cidr === undefined) return { ok: false, entry }
    cidrs.add(cidr)
  }
  return { ok: true, cidrs: [...cidrs] }
}

/**
 * True if a client at this address may use what is bound to the list. No bounds: anybody. With bounds, a client whose
 * address is unknown is refused, and a bound that cannot be read matches nobody.
 */
export function matchesCidrs(bounds: readonly string[], clientAddress: string | undefined): boolean {
  if (bounds.length === 0) return true
  const client = clientAddress === undefined ? undefined : parseAddress(clientAddress.replace(/%.*$/, ''))
  if (!client) return false
  return bounds.some((bound) => {
    const block = parseBlock(bound)
    return block?.address.kind() === client.kind() && client.match(block.address, block.bits)
  })
}

const widthOf = (address: Address): number => (address.kind() === 'ipv4' ? 32 : 128)

function parseBlock(text: string): Block | undefined {
  const [host = '', mask, ...rest] = text.split('/')
  if (rest.length > 0 || (mask !== undefined && !/^(?:0|[1-9]\d{0,2})$/.test(mask))) return undefined
  const written = parseAsWritten(host)
  if (!written) return undefined
  const bits = mask === undefined ? widthOf(written) : Number(mask)
  if (bits > widthOf(written)) return undefined
  // ::ffff:10.0.0.0/104 is 10.0.0.0/8; a wider block of IPv6 holds more than IPv4 and stays what it is.
  const mapped = written instanceof ipaddr.IPv6 && bits >= 96 && written.isIPv4MappedAddress()
  return mapped ? { address: written.toIPv4Address(), bits: bits - 96 } : { address: written, bits }
}

const parseAddress = (text: string): Address | undefined => parseBlock(text.includes('/') ? '' : text)?.address

/** Only four decimal numbers make an IPv4 address here: `010.0.0.1` and `127.1` mean different things to different tools. */
function parseAsWritten(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  return !text.includes('%') && ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined
}
