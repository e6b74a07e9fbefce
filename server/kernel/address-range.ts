import ipaddr from 'ipaddr.js'

/** An address, of either family. An IPv4-mapped IPv6 address counts as IPv4. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** All addresses that share their first `bits` bits with this one. */
export type AddressRange = { readonly address: Address; readonly bits: number }

/** How many bits an address of this family has. */
export const widthOf = (address: Address): 32 | 128 => (address.kind() === 'ipv4' ? 32 : 128)

/** Reads one address; undefined if the text is not an address. A zone (`fe80::1%eth0`) is dropped. */
export function parseAddress(text: string): Address | undefined {
  return text.includes('/') ? undefined : parseRange(text.replace(/(?<=:[^%]*)%[^%]+$/, ''))?.address
}

/** Reads an address or a block such as `10.0.0.0/8`; undefined if the text is neither. */
export function parseRange(text: string): AddressRange | undefined {
  const [host = '', mask, ...rest] = text.split('/')
  if (rest.length > 0 || (mask !== undefined && !/^(?:0|[1-9]\d{0,2})$/.test(mask))) return undefined
  const written = parseAsWritten(host)
  if (!written) return undefined
  const bits = mask === undefined ? widthOf(written) : Number(mask)
  if (bits > widthOf(written)) return undefined
  // ::ffff:10.0.0.0/104 is 10.0.0.0/8; a wider IPv6 block holds more than the IPv4 addresses, and stays IPv6.
  const mapped = written instanceof ipaddr.IPv6 && bits >= 96 && written.isIPv4MappedAddress()
  return mapped ? { address: written.toIPv4Address(), bits: bits - 96 } : { address: written, bits }
}

/** Reads several of them; texts that are neither are left out. */
export const parseRanges = (texts: readonly string[]): readonly AddressRange[] =>
  texts.flatMap((text) => parseRange(text) ?? [])

/** Only four decimal numbers make an IPv4 address here: `010.0.0.1` and `127.1` mean different things to different tools. */
function parseAsWritten(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  return !text.includes('%') && ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined
}

/** The one spelling of an address; of IPv6 that of RFC 5952. */
export const showAddress = (address: Address): string => address.toString()

/** True if the address lies in the range; the families never mix. */
export const isInRange = (address: Address, range: AddressRange): boolean =>
  address.kind() === range.address.kind() && address.match(range.address, range.bits)

/** True if the address lies in one of the ranges. */
export const isInRanges = (address: Address, ranges: readonly AddressRange[]): boolean =>
  ranges.some((range) => isInRange(address, range))
