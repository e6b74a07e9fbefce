import { isIPv4 } from 'node:net'
import { deriveListeners, type GivenSettings, type ListenerConfig } from './config.ts'
import { type Address, isLoopback, showAddress } from './network-kinds.ts'
import type { Problem } from './sources.ts'

/** Tells where the value of a key came from. */
export type WhereOf = (key: string) => string

/** Every fault that shows only when settings are compared with each other. */
export const findContradictions = (given: GivenSettings, whereOf: WhereOf): Problem[] =>
  [...tlsFaults(given), ...listenerFaults(given), ...sealFaults(given), ...leaseFaults(given)].map(
    ({ key, text, fix }) => ({ where: whereOf(key), text, fix }),
  )

/** A fault, and the key of the setting that is to be changed. */
type Fault = { readonly key: string; readonly text: string; readonly fix: string }

function tlsFaults({ mode, values, further }: GivenSettings): Fault[] {
  const { certFile, keyFile } = values.tls
  if ((certFile === undefined) !== (keyFile === undefined)) {
    const [key, absent] = certFile ? ['tls.cert_file', 'tls.key_file'] : ['tls.key_file', 'tls.cert_file']
    return [{ key, text: `${key} is set but ${absent} is not`, fix: `Set ${absent} as well.` }]
  }
  if (mode === 'dev' || certFile !== undefined) return []
  const wanted = further.filter((listener) => listener.values.tls).map(({ key }) => `${key}.address`)
  if (values.listen !== 'off') wanted.unshift('listen')
  const fix =
    'Set tls.cert_file and tls.key_file, or "listen: off" with http_listen on loopback behind a proxy that ends TLS.'
  return wanted.map((key) => ({ key, text: 'an HTTPS listener needs a certificate in server mode', fix }))
}

function listenerFaults(given: GivenSettings): Fault[] {
  const listeners = deriveListeners(given)
  if (listeners.length === 0 && given.further.length === 0) {
    const text = 'every listener is off, so nobody could reach the server'
    return [{ key: 'listen', text, fix: 'Set listen or http_listen to host:port.' }]
  }
  return listeners.flatMap((listener, index) => [
    ...overlapFaults(listener, listeners.slice(0, index)),
    ...plainHttpFaults(listener, given),
  ])
}

function overlapFaults({ name, address }: ListenerConfig, earlier: readonly ListenerConfig[]): Fault[] {
  const other = earlier.find((listener) => overlap(listener.address, address))
  if (!other) return []
  const text = `${showAddress(address)} is used by ${keyOf(other.name)} already`
  return [{ key: keyOf(name), text, fix: 'Choose another port.' }]
}

/** True if both cannot listen on the same port; an address for all interfaces overlaps with that of each. */
function overlap(one: Address, other: Address): boolean {
  if (one.port !== other.port || one.port === 0) return false
  const covers = (wide: string, narrow: string): boolean =>
    wide === narrow || wide === '::' || (wide === '0.0.0.0' && isIPv4(narrow))
  return covers(one.host, other.host) || covers(other.host, one.host)
}

const keyOf = (name: string): string =>
  name === 'https' ? 'listen' : name === 'http' ? 'http_listen' : `${name}.address`

/** How people choose the address of a listener, in words. */
export const addressSettingOf = (name: string): string =>
  name === 'https' || name === 'http'
    ? `--${keyOf(name).replace('_', '-')}`
    : `${keyOf(name)} in the configuration file`

function plainHttpFaults({ name, address, trustedProxies }: ListenerConfig, given: GivenSettings): Fault[] {
  // What was asked for decides: an HTTPS listener whose certificate is missing is another fault.
  const isPlain = name === 'http' || given.further.some(({ key, values }) => key === name && !values.tls)
  const isBehindProxy = given.mode === 'server' && trustedProxies.length > 0
  if (!isPlain || isLoopback(address.host) || isBehindProxy) return []
  const text = `plain HTTP on ${showAddress(address)} would send tokens in clear over the network`
  const instead = given.mode === 'dev' ? '; the HTTPS listener may be reached from outside' : ''
  const proxy = given.mode === 'server' ? ', or name the proxy that ends TLS in trusted_proxies' : ''
  return [{ key: keyOf(name), text, fix: `Use 127.0.0.1 or [::1]${instead}${proxy}.` }]
}

function sealFaults({ mode, values }: GivenSettings): Fault[] {
  const { type, keyFile, keyCommand, key } = values.seal
  if (mode === 'dev' && type === 'shamir') {
    const text = 'dev mode unseals its store by itself, which is not possible with key shares'
    return [{ key: 'seal.type', text, fix: 'Leave it out, or start in server mode.' }]
  }
  const places = { 'seal.key_file': keyFile, 'seal.key_command': keyCommand, 'seal.key': key }
  const set = Object.entries(places).flatMap(([place, value]) => (value ? [place] : []))
  if (set[1]) {
    const text = `the root key comes from several places: ${set.join(', ')}`
    return [{ key: set[1], text, fix: 'Keep one of them.' }]
  }
  if (!key || /^(?:[0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)$/.test(key.reveal())) return []
  const text = 'the root key is not 32 bytes in base64 or hex'
  return [{ key: 'seal.key', text, fix: 'Make one with: openssl rand -base64 32' }]
}

function leaseFaults({ values }: GivenSettings): Fault[] {
  if (values.defaultLeaseTtl <= values.maxLeaseTtl) return []
  const text = 'default_lease_ttl is longer than max_lease_ttl'
  return [{ key: 'default_lease_ttl', text, fix: 'Lower the default or raise the maximum.' }]
}
