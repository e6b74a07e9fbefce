import { type Config, isLoopback } from '../config/index.ts'
import type { Log } from '../kernel/log.ts'
import { encryptionOf } from '../storage/postgres/encryption.ts'

/** A configuration that works, but perhaps not as its author thinks: what is the matter, and what to do. */
export type ConfigWarning = { readonly text: string; readonly fix: string }

type WarnedConfig = Pick<Config, 'storage' | 'listeners' | 'workers'>

/** Everything in a valid configuration that its author may not have meant. */
export const configWarnings = (config: WarnedConfig): ConfigWarning[] => [
  ...storageWarnings(config),
  ...forwardingWarnings(config),
  ...workerWarnings(config),
]

/** Logs them at the start. */
export function warnOfConfig(config: WarnedConfig, log: Log): void {
  for (const { text, fix } of configWarnings(config)) log.warn({ fix }, text)
}

/** States, tokens and the password of the database go over that connection. */
function storageWarnings({ storage }: Pick<Config, 'storage'>): ConfigWarning[] {
  if (storage.engine !== 'postgres') return []
  const remote = encryptionOf(storage.url.reveal()).filter(({ host }) => host !== '' && !isLoopback(host))
  const hostsWith = (tls: string): string =>
    remote
      .filter((each) => each.tls === tls)
      .map(({ host }) => host)
      .join(', ')
  const fix = 'Add sslmode=verify-full to storage, and sslrootcert=FILE for a CA of your own.'
  const [plain, unverified] = [hostsWith('none'), hostsWith('unverified')]
  return [
    ...(plain ? [{ text: `the connection to PostgreSQL on ${plain} is not encrypted`, fix }] : []),
    ...(unverified ? [{ text: `the certificate of PostgreSQL on ${unverified} is not checked`, fix }] : []),
  ]
}

/** Only trusted proxies may forward a certificate, so without any of them it is never taken. */
function forwardingWarnings({ listeners }: Pick<Config, 'listeners'>): ConfigWarning[] {
  const useless = listeners.filter(
    ({ forwardedClientCertificate, trustedProxies }) =>
      forwardedClientCertificate !== 'off' && trustedProxies.length === 0,
  )
  const prefixes = useless.map(({ name }) => (name === 'https' || name === 'http' ? '' : `${name}.`))
  return [...new Set(prefixes)].map((prefix) => ({
    text: `${prefix}forwarded_client_certificate has no effect without ${prefix}trusted_proxies`,
    fix: 'Name the proxy that ends TLS in trusted_proxies.',
  }))
}

/** A node was once able to be several processes. Configurations that ask for it still start. */
function workerWarnings({ workers }: Pick<Config, 'workers'>): ConfigWarning[] {
  if (workers === 1) return []
  const fix = 'Remove the setting. If one process is not enough, run more nodes on one PostgreSQL database.'
  return [{ text: 'workers has no effect any more: one process serves', fix }]
}
