import { join } from 'node:path'
import type { Secret } from '../kernel/secret.ts'
import type { Address, StorageTarget } from './network-kinds.ts'
import type { Mode, ValuesOf } from './setting.ts'
import type { listenerSettings, settings } from './settings.ts'

/** The files of the server certificate. */
export type TlsFiles = { readonly certFile: string; readonly keyFile: string }

/** Where the auto seal takes its root key from. */
export type RootKeySetting =
  | { readonly from: 'file'; readonly file: string }
  | { readonly from: 'command'; readonly command: string }
  | { readonly from: 'environment'; readonly key: Secret<string> }

/** One listener, complete. */
export type ListenerConfig = Readonly<
  Omit<ValuesOf<typeof listenerSettings>, 'address' | 'tls'> & {
    /** `https`, `http`, or `listeners[0]` and so on. */
    name: string
    address: Address
    /** Undefined for plain HTTP. */
    tls: TlsFiles | undefined
  }
>

/** The values as they were set, before derived settings are filled in. */
export type SettingValues = ValuesOf<typeof settings>

/** All settings of the server, checked and frozen. Durations are milliseconds, lease times seconds. */
export type Config = Readonly<
  Omit<SettingValues, 'storage' | 'compatVersion' | 'seal' | 'limits'> & {
    mode: Mode
    configFile: string | undefined
    storage: StorageTarget
    compatVersion: string
    limits: SettingValues['limits'] & { readonly bufferedBytes: number }
    seal: {
      readonly type: 'auto' | 'shamir'
      readonly rootKey: RootKeySetting
      readonly openRootGeneration: boolean
    }
    /** Every listener: HTTPS first, then plain HTTP, then the further ones. */
    listeners: readonly ListenerConfig[]
  }
>

/** One entry of `listeners` with its key. */
export type FurtherListener = { key: string; values: ValuesOf<typeof listenerSettings> }

/** What was set, from all sources together. */
export type GivenSettings = {
  mode: Mode
  configFile: string | undefined
  values: SettingValues
  further: readonly FurtherListener[]
  /** Bytes of memory that the server may use. */
  memory: number
}

/** Fills in what follows from other settings, and freezes the result. */
export function deriveConfig(given: GivenSettings): Config {
  const { mode, configFile, values, memory } = given
  const { dataDir, limits, seal } = values
  return deepFreeze({
    ...values,
    mode,
    configFile,
    tls: { ...values.tls, ...tlsFiles(given) },
    storage: values.storage ?? { engine: 'sqlite', file: join(dataDir, 'holdfast.db') },
    compatVersion: values.compatVersion ?? (values.license === 'enterprise' ? '1.21.0+ent' : '1.21.0'),
    limits: { ...limits, bufferedBytes: limits.bufferedBytes ?? defaultBufferedBytes(memory) },
    seal: { type: seal.type, rootKey: rootKeySetting(values), openRootGeneration: seal.openRootGeneration },
    listeners: deriveListeners(given),
  })
}

function rootKeySetting({ seal, dataDir }: SettingValues): RootKeySetting {
  if (seal.key) return { from: 'environment', key: seal.key }
  if (seal.keyCommand) return { from: 'command', command: seal.keyCommand }
  return { from: 'file', file: seal.keyFile ?? join(dataDir, 'seal.key') }
}

/** Dev mode keeps a certificate of its own in the data directory. */
function tlsFiles({ mode, values: { tls, dataDir } }: GivenSettings): TlsFiles | undefined {
  if (tls.certFile && tls.keyFile) return { certFile: tls.certFile, keyFile: tls.keyFile }
  if (mode === 'server') return undefined
  return { certFile: join(dataDir, 'tls', 'server.pem'), keyFile: join(dataDir, 'tls', 'server-key.pem') }
}

/** Every listener in the order in which it is opened. */
export function deriveListeners(given: GivenSettings): readonly ListenerConfig[] {
  const { values, further } = given
  const tls = tlsFiles(given)
  const { clientCertificate, trustedProxies, requireRequestHeader } = values
  const { forwardedClientCertificate, forwardedClientCertificateHeader } = values
  const forwarding = { trustedProxies, forwardedClientCertificate, forwardedClientCertificateHeader }
  const common = { clientCertificate, requireRequestHeader, ...forwarding }
  return [
    ...(values.listen === 'off' ? [] : [{ name: 'https', address: values.listen, tls, ...common }]),
    ...(values.httpListen === 'off' ? [] : [{ name: 'http', address: values.httpListen, tls: undefined, ...common }]),
    ...further.flatMap(({ key, values: { address, ...own } }) =>
      address ? [{ ...own, name: key, address, tls: own.tls ? tls : undefined }] : [],
    ),
  ]
}

/** Freezes plain data recursively; secrets need no freezing, because their value is private. */
function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) deepFreeze(inner)
  }
  return value
}

const MiB = 1024 ** 2

/** The memory that a process may use at most: all of the machine, unless a container or service has a limit. */
export const usableMemory = ({ constrained, total }: { constrained: number; total: number }): number =>
  constrained > 0 ? Math.min(constrained, total) : total

/**
 * How many bytes of large request bodies a process takes at a time if nobody says otherwise. A body needs up to four
 * times its size while it is read, decoded and stored, so this leaves half of the memory for everything else.
 */
export const defaultBufferedBytes = (memory: number): number =>
  Math.min(512, Math.max(32, Math.floor(memory / 8 / MiB))) * MiB
