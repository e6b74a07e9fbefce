import ipaddr from 'ipaddr.js'
import { type Address, isInRanges, parseAddress, parseRange, parseRanges } from '../kernel/address-range.ts'
import { failure } from '../kernel/failure.ts'

/**
 * Addresses that an operator blocks, and exceptions that allow them again, as single addresses or CIDR ranges.
 * `denyLoopback` blocks this machine too.
 */
export type GuardLists = { allow?: readonly string[]; deny?: readonly string[]; denyLoopback?: boolean }

/** Why an address may not be called; undefined when it may. */
export type AddressGuard = (address: string) => string | undefined

/**
 * Blocked unless an operator allows them: addresses that a server should never call, and where clouds hand out
 * credentials.
 */
const deniedByDefault: Readonly<Record<string, readonly string[]>> = {
  'a cloud metadata address': [
    '169.254.169.254/32',
    '169.254.170.0/24',
    '100.100.100.200/32',
    '192.0.0.192/32',
    '168.63.129.16/32',
    'fd00:ec2::/32',
    'fd20:ce::254/128',
    'fd00:c1::a9fe:a9fe/128',
  ],
  'a link-local address': ['169.254.0.0/16', 'fe80::/10'],
  'an unspecified address': ['0.0.0.0/8', '::/128'],
  'a multicast or broadcast address': ['224.0.0.0/4', '255.255.255.255/32', 'ff00::/8'],
}

/** What listens there often trusts its callers. */
const loopback: typeof deniedByDefault = { 'a loopback address': ['127.0.0.0/8', '::1/128'] }

/** Builds the check for every address, made just before connecting to it. */
export function createAddressGuard({ allow = [], deny = [], denyLoopback = false }: GuardLists = {}): AddressGuard {
  const wrong = [...allow, ...deny].filter((text) => parseRange(text) === undefined)
  if (wrong.length > 0) {
    const text = `Neither addresses nor ranges such as 10.0.0.0/8: ${wrong.join(', ')}.`
    throw failure('invalid', 'outbound.bad-list', text)
  }
  const denied = parseRanges(deny)
  const allowed = parseRanges(allow)
  const kinds = { ...deniedByDefault, ...(denyLoopback ? loopback : {}) }
  const defaults = Object.entries(kinds).map(([name, texts]) => ({ name, ranges: parseRanges(texts) }))
  const judge = (address: Address): string | undefined => {
    if (isInRanges(address, allowed)) return undefined
    if (isInRanges(address, denied)) return 'an address the configuration denies'
    return defaults.find(({ ranges }) => isInRanges(address, ranges))?.name
  }
  return (text) => {
    const address = parseAddress(text)
    if (!address) return 'not a valid address'
    return formsOf(address)
      .map(judge)
      .find((reason) => reason !== undefined)
  }
}

/**
 * The address and every IPv4 address that a router might extract from it: tunnelling forms must pass in both readings.
 */
function formsOf(address: Address): Address[] {
  if (address.kind() === 'ipv4') return [address]
  return [address, ...embeddedIpv4(address.toByteArray()).map((bytes) => new ipaddr.IPv4([...bytes]))]
}

function embeddedIpv4(bytes: readonly number[]): (readonly number[])[] {
  const startsWith = (...prefix: number[]) => prefix.every((byte, at) => bytes[at] === byte)
  const tail = bytes.slice(12)
  // IPv4-compatible (RFC 4291 §2.5.5.1), but not :: and ::1
  if (bytes.slice(0, 12).every((byte) => byte === 0)) return tail[0] === 0 && tail[1] === 0 ? [] : [tail]
  // 6to4 (RFC 3056 §2)
  if (startsWith(0x20, 0x02)) return [bytes.slice(2, 6)]
  // NAT64: well-known prefix (RFC 6052 §2.1) and the local-use one (RFC 8215), taken as /96
  if (startsWith(0x00, 0x64, 0xff, 0x9b)) return [tail]
  // Teredo (RFC 4380 §4): the server, and the client with its bits inverted
  if (startsWith(0x20, 0x01, 0x00, 0x00)) return [bytes.slice(4, 8), tail.map((byte) => byte ^ 0xff)]
  // ISATAP (RFC 5214 §6.1): interface identifier 0000:5efe or 0200:5efe
  const isatap = (bytes[8] === 0 || bytes[8] === 2) && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe
  return isatap ? [tail] : []
}
