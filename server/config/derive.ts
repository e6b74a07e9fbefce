import { join } from 'node:path'
import type { Config, ListenerConfig, RootKeySetting, SettingValues, TlsFiles } from './config.ts'
import { defaultBufferedBytes } from './memory-rules.ts'
import type { Mode, ValuesOf } from './setting.ts'
import type { listenerSettings } from './settings.ts'

/** One entry of `listeners` with its key. */
export type FurtherListener = { key: string; values: ValuesOf<typeof listenerSettings> }

/** What was set, from all sources together. */
export type GivenSettings = {
  mode: Mode
  configFile: string | undefined
  values: SettingValues
  further: readonly FurtherListener[]
  /** Bytes of memory that the processes of the server share. */
  memory: number
}

/** Fills in what follows from other settings, and freezes the result. */
export function deriveConfig(given: GivenSettings): Config {
  const { mode, configFile, values } = given
  const enterprise = values.license === 'enterprise'
  return deepFreeze({
    ...values,
    mode,
    configFile,
    tls: { ...values.tls, ...tlsFiles(given) },
    storage: values.storage ?? { engine: 'sqlite', file: join(values.dataDir, 'holdfast.db') },
    compatVersion: values.compatVersion ?? (enterprise ? '1.21.0+ent' : '1.21.0'),
    limits: { ...values.limits, bufferedBytes: bufferedBytes(given) },
    seal: { type: values.seal.type, rootKey: rootKeySetting(values) },
    listeners: deriveListeners(given),
  })
}

const bufferedBytes = ({ values, memory }: GivenSettings): number =>
  values.limits.bufferedBytes ?? defaultBufferedBytes(memory, values.workers)

function rootKeySetting({ seal, dataDir }: SettingValues): RootKeySetting {
  if (seal.key) return { from: 'environment', key: seal.key }
  if (seal.keyCommand) return { from: 'command', command: seal.keyCommand }
  return { from: 'file', file: seal.keyFile ?? join(dataDir, 'seal.key') }
}

/** Dev mode keeps a certificate of its own in the data directory. */
function tlsFiles({ mode, values }: GivenSettings): TlsFiles | undefined {
  const { certFile, keyFile } = values.tls
  if (certFile && keyFile) return { certFile, keyFile }
  if (mode === 'server') return undefined
  return { certFile: join(values.dataDir, 'tls', 'server.pem'), keyFile: join(values.dataDir, 'tls', 'server-key.pem') }
}

/** Every listener in the order in which it is opened. */
export function deriveListeners(given: GivenSettings): readonly ListenerConfig[] {
  const { values, further } = given
  const files = tlsFiles(given)
  const { clientCertificate, trustedProxies, requireRequestHeader } = values
  const { forwardedClientCertificate, forwardedClientCertificateHeader } = values
  const forwarding = { trustedProxies, forwardedClientCertificate, forwardedClientCertificateHeader }
  const common = { clientCertificate, requireRequestHeader, ...forwarding }
  const list: ListenerConfig[] = []
  if (values.listen !== 'off') list.push({ name: 'https', address: values.listen, tls: files, ...common })
  if (values.httpListen !== 'off') list.push({ name: 'http', address: values.httpListen, tls: undefined, ...common })
  for (const { key, values: own } of further) {
    if (own.address) list.push({ ...own, name: key, address: own.address, tls: own.tls ? files : undefined })
  }
  return list
}

/** Freezes plain data recursively; secrets need no freezing, because their value is private. */
function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) deepFreeze(inner)
  }
  return value
}
