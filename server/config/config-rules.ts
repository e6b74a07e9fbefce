import { isIPv4 } from 'node:net'
import type { ListenerConfig } from './config.ts'
import { deriveListeners, type GivenSettings } from './derive.ts'
import { type Address, isLoopback, showAddress } from './network-kinds.ts'
import type { Problem } from './problem.ts'

/** Tells where the value of a key came from. */
export type WhereOf = (key: string) => string

/** Every fault that shows only when settings are compared with each other. */
export function findContradictions(given: GivenSettings, whereOf: WhereOf): Problem[] {
  return [
    ...tlsFaults(given, whereOf),
    ...listenerFaults(given, whereOf),
    ...sealFaults(given, whereOf),
    ...leaseFaults(given, whereOf),
  ]
}

function tlsFaults({ mode, values, further }: GivenSettings, whereOf: WhereOf): Problem[] {
  const { certFile, keyFile } = values.tls
  if ((certFile === undefined) !== (keyFile === undefined)) {
    const [present, absent] = certFile ? ['tls.cert_file', 'tls.key_file'] : ['tls.key_file', 'tls.cert_file']
    return [{ where: whereOf(present), text: `${present} is set but ${absent} is not`, fix: `Set ${absent} as well.` }]
  }
  const wanted = [
    ...(values.listen === 'off' ? [] : ['listen']),
    ...further.filter((listener) => listener.values.tls).map(({ key }) => `${key}.address`),
  ]
  if (mode === 'dev' || certFile !== undefined || wanted.length === 0) return []
  return wanted.map((key) => ({
    where: whereOf(key),
    text: 'an HTTPS listener needs a certificate in server mode',
    fix: 'Set tls.cert_file and tls.key_file, or "listen: off" with http_listen on loopback behind a proxy that ends TLS.',
  }))
}

function listenerFaults(given: GivenSettings, whereOf: WhereOf): Problem[] {
  const listeners = deriveListeners(given)
  if (listeners.length === 0 && given.further.length === 0) {
    const text = 'every listener is off, nobody could reach the server'
    return [{ where: whereOf('listen'), text, fix: 'Set listen or http_listen to host:port.' }]
  }
  return listeners.flatMap((listener, index) => {
    const faults = [...overlapFaults(listener, listeners.slice(0, index)), ...plainHttpFaults(listener, given)]
    return faults.map((fault) => ({ where: whereOf(keyOf(listener.name)), ...fault }))
  })
}

type Fault = Pick<Problem, 'text' | 'fix'>

function overlapFaults({ address }: ListenerConfig, earlier: readonly ListenerConfig[]): Fault[] {
  const other = earlier.find((listener) => overlap(listener.address, address))
  if (!other) return []
  return [{ text: `${showAddress(address)} is used by ${keyOf(other.name)} already`, fix: 'Choose another port.' }]
}

/** True if both cannot listen on the same port; an address for all interfaces overlaps with that of each. */
function overlap(one: Address, other: Address): boolean {
  if (one.port !== other.port || one.port === 0) return false
  const covers = (wide: string, narrow: string): boolean =>
    wide === narrow || wide === '::' || (wide === '0.0.0.0' && isIPv4(narrow))
  return covers(one.host, other.host) || covers(other.host, one.host)
}

/** How people choose the address of a listener, in words. */
export const addressSettingOf = (name: string): string =>
  name === 'https' ? '--listen' : name === 'http' ? '--http-listen' : `${keyOf(name)} in the configuration file`

const keyOf = (name: string): string =>
  name === 'https' ? 'listen' : name === 'http' ? 'http_listen' : `${name}.address`

function plainHttpFaults({ name, address, trustedProxies }: ListenerConfig, given: GivenSettings): Fault[] {
  if (!isMeantPlain(name, given) || isLoopback(address.host)) return []
  const text = `plain HTTP on ${showAddress(address)} would send tokens in clear over the network`
  if (given.mode === 'dev')
    return [{ text, fix: 'Use 127.0.0.1 or [::1]; the HTTPS listener may be reached from outside.' }]
  if (trustedProxies.length > 0) return []
  return [{ text, fix: 'Use 127.0.0.1 or [::1], or name the proxy that ends TLS in trusted_proxies.' }]
}

/** What was asked for decides: an HTTPS listener whose certificate is missing is another fault. */
const isMeantPlain = (name: string, { further }: GivenSettings): boolean =>
  name === 'http' || further.some(({ key, values }) => key === name && !values.tls)

function sealFaults({ mode, values }: GivenSettings, whereOf: WhereOf): Problem[] {
  const { type, keyFile, keyCommand, key } = values.seal
  if (mode === 'dev' && type === 'shamir') {
    const text = 'dev mode unseals its store by itself, which is not possible with key shares'
    return [{ where: whereOf('seal.type'), text, fix: 'Leave it out, or start in server mode.' }]
  }
  const set = [
    ...(keyFile ? ['seal.key_file'] : []),
    ...(keyCommand ? ['seal.key_command'] : []),
    ...(key ? ['seal.key'] : []),
  ]
  if (set.length > 1) {
    const text = `the root key comes from several places: ${set.join(', ')}`
    return [{ where: whereOf(set[1] ?? ''), text, fix: 'Keep one of them.' }]
  }
  if (key && !/^(?:[0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)$/.test(key.reveal())) {
    const text = 'the root key is not 32 bytes in base64 or hex'
    return [{ where: whereOf('seal.key'), text, fix: 'Make one with: openssl rand -base64 32' }]
  }
  return []
}

function leaseFaults({ values }: GivenSettings, whereOf: WhereOf): Problem[] {
  if (values.defaultLeaseTtl <= values.maxLeaseTtl) return []
  const text = 'default_lease_ttl is longer than max_lease_ttl'
  return [{ where: whereOf('default_lease_ttl'), text, fix: 'Lower the default or raise the maximum.' }]
}
