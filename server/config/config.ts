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
    seal: { readonly type: 'auto' | 'shamir'; readonly rootKey: RootKeySetting }
    /** Every listener: HTTPS first, then plain HTTP, then the further ones. */
    listeners: readonly ListenerConfig[]
  }
>
