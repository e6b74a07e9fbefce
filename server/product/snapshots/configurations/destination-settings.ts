import { posix } from 'node:path'
import type { OptionalPackage } from '../../../kernel/optional-packages.ts'
import { withoutEndSlashes } from '../../../kernel/slashes.ts'
import type { Configuration } from './configuration.ts'
import { blobHostOf, spellField } from './configuration-fields.ts'

type Rule = (configuration: Configuration, spell: (name: string) => string) => string[]

const text = (configuration: Configuration, name: string): string => String(configuration.settings[name] ?? '')
const flag = (configuration: Configuration, name: string): boolean => configuration.settings[name] === true

const spellingFor =
  ({ dialect }: Configuration) =>
  (name: string): string =>
    spellField(name, dialect)

/** Why a configuration cannot be stored, by the rules of its destination. */
export const destinationProblems = (configuration: Configuration): string[] =>
  rules[configuration.type](configuration, spellingFor(configuration))

/** Warnings about a configuration that is stored all the same. */
export const destinationWarnings = (configuration: Configuration): string[] =>
  warnings[configuration.type](configuration, spellingFor(configuration))

/** Packages that reach a store and that npm does not install with Holdfast, since few have such a store. */
export const destinationPackages: Readonly<Record<Configuration['type'], readonly OptionalPackage[]>> = {
  local: [],
  'cloudA-store': [],
  'cloudB-store': [],
  'cloudC-store': ['@azure/identity', '@azure/storage-blob'],
}

const required = (configuration: Configuration, spell: (name: string) => string, names: readonly string[]): string[] =>
  names.filter((name) => text(configuration, name) === '').map((name) => `${spell(name)} is required`)

const control = /\p{Cc}/u

const local: Rule = ({ pathPrefix, settings }) => {
  const faults: string[] = []
  const space = settings.local_max_space
  if (space === undefined) faults.push('local_max_space is required')
  else if (typeof space !== 'number' || space < 1)
    faults.push('local_max_space must be a number of bytes greater than 0')
  if (control.test(pathPrefix)) faults.push('path_prefix must not contain NUL or other control characters')
  return [...faults, ...directoryFaults(pathPrefix)]
}

function directoryFaults(pathPrefix: string): string[] {
  if (!pathPrefix.startsWith('/')) return ['path_prefix must be an absolute path']
  if (pathPrefix.split('/').includes('..')) return ["path_prefix must not contain '..'"]
  const directory = posix.normalize(pathPrefix)
  if (directory === '/') return ['path_prefix must not be the root directory']
  return []
}

const cloudA: Rule = (configuration, spell) => {
  const faults = [...required(configuration, spell, ['cloudA_bucket', 'cloudA_region']), ...prefixFaults(configuration)]
  const key = text(configuration, 'cloudA_access_key_id') !== ''
  const secret = text(configuration, 'cloudA_secret_access_key') !== ''
  if (key !== secret) {
    faults.push(`${spell('cloudA_access_key_id')} and ${spell('cloudA_secret_access_key')} must be given together`)
  }
  if (text(configuration, 'cloudA_session_token') !== '' && !(key && secret)) {
    faults.push(
      `${spell('cloudA_session_token')} needs ${spell('cloudA_access_key_id')} and ${spell('cloudA_secret_access_key')}`,
    )
  }
  if (flag(configuration, 'cloudA_enable_kms') && flag(configuration, 'cloudA_server_side_encryption')) {
    faults.push(`${spell('cloudA_enable_kms')} and ${spell('cloudA_server_side_encryption')} cannot both be true`)
  }
  return [...faults, ...endpointFaults(configuration, spell, 'cloudA_endpoint', 'cloudA_disable_tls')]
}

const cloudB: Rule = (configuration, spell) => [
  ...required(configuration, spell, ['cloudB_bucket']),
  ...prefixFaults(configuration),
  ...slashFaults(configuration),
  ...serviceKeyFaults(configuration, spell),
  ...endpointFaults(configuration, spell, 'cloudB_endpoint', 'cloudB_disable_tls'),
]

function serviceKeyFaults(configuration: Configuration, spell: (name: string) => string): string[] {
  const name = spell('cloudB_service_account_key')
  const key = readServiceKey(text(configuration, 'cloudB_service_account_key'))
  if (key === 'absent') return []
  if (key === 'malformed') return [`${name} must be a JSON object`]
  if (key.type !== undefined && key.type !== 'service_account') return [`${name} must be of type service_account`]
  if (!key.client_email || typeof key.client_email !== 'string' || typeof key.private_key !== 'string') {
    return [`${name} lacks client_email or private_key`]
  }
  return key.private_key.includes('-----BEGIN') ? [] : [`${name} has a private_key that is not PEM`]
}

/** A service account key as sent; `{}` means there is none. */
export function readServiceKey(json: string): Record<string, unknown> | 'absent' | 'malformed' {
  if (json.trim() === '') return 'absent'
  try {
    const key: unknown = JSON.parse(json)
    if (typeof key !== 'object' || key === null || Array.isArray(key)) return 'malformed'
    return Object.keys(key).length === 0 ? 'absent' : (key as Record<string, unknown>)
  } catch (error) {
    if (error instanceof SyntaxError) return 'malformed'
    throw error
  }
}

const authModes = ['shared', 'managed', 'environment']

const cloudC: Rule = (configuration, spell) => {
  const faults = [
    ...required(configuration, spell, ['cloudC_container_name']),
    ...prefixFaults(configuration),
    ...slashFaults(configuration),
  ]
  const mode = text(configuration, 'cloudC_auth_mode')
  if (mode !== '' && !authModes.includes(mode))
    faults.push(`${spell('cloudC_auth_mode')} must be one of: ${authModes.join(', ')}`)
  const key = text(configuration, 'cloudC_account_key')
  if (mode === 'shared' && key === '') faults.push(`${spell('cloudC_account_key')} is required`)
  if (mode === 'managed' && configuration.dialect === 'vendor' && text(configuration, 'cloudC_client_id') === '') {
    faults.push(`${spell('cloudC_client_id')} is required`)
  }
  if (key !== '' && configuration.dialect === 'own' && !/^[A-Za-z0-9+/]+={0,2}$/.test(key)) {
    faults.push(`${spell('cloudC_account_key')} must be base64`)
  }
  return [...faults, ...endpointFaults(configuration, spell, 'cloudC_endpoint', undefined)]
}

/** How requests are authenticated; if not set, it follows from the credentials that are given. */
export function authModeOf(configuration: Configuration): 'shared' | 'managed' | 'environment' | undefined {
  const mode = text(configuration, 'cloudC_auth_mode')
  if (mode === 'shared' || mode === 'managed' || mode === 'environment') return mode
  if (text(configuration, 'cloudC_account_key') !== '') return 'shared'
  return text(configuration, 'cloudC_client_id') === '' ? undefined : 'managed'
}

const prefixFaults = ({ pathPrefix }: Configuration): string[] => {
  if (control.test(pathPrefix)) return ['path_prefix must not contain control characters']
  return pathPrefix.split('/').includes('..') ? ["path_prefix must not contain '..'"] : []
}

/** Objects are named prefix + name, so the prefix must end with its own separator. */
const slashFaults = ({ pathPrefix, dialect }: Configuration): string[] =>
  dialect === 'own' && !pathPrefix.endsWith('/') ? ["path_prefix must end in '/'"] : []

const hostAndPort = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?\/?$/

function endpointFaults(
  configuration: Configuration,
  spell: (name: string) => string,
  name: string,
  tlsFlag: string | undefined,
): string[] {
  const endpoint = text(configuration, name)
  if (endpoint === '') return []
  const url = /^https?:\/\//i.test(endpoint)
  const readable = url ? URL.canParse(endpoint) : hostAndPort.test(endpoint) && URL.canParse(`https://${endpoint}`)
  if (!readable) return [`${spell(name)} must be a host, host:port or http(s) URL`]
  if (url && hasExtras(new URL(endpoint)))
    return [`${spell(name)} must not hold a user, a password, a query or a fragment`]
  if (!url || tlsFlag === undefined) return []
  const plain = /^http:/i.test(endpoint)
  if (plain && !flag(configuration, tlsFlag)) return [`${spell(name)} is plain http, which needs ${spell(tlsFlag)}`]
  if (!plain && flag(configuration, tlsFlag)) return [`${spell(name)} is https, which contradicts ${spell(tlsFlag)}`]
  return []
}

/** Everybody who reads the configuration or its status sees the endpoint, so it must not contain secrets. */
const hasExtras = ({ username, password, search, hash }: URL): boolean =>
  [username, password, search, hash].some((part) => part !== '')

const rules: Readonly<Record<Configuration['type'], Rule>> = {
  local,
  'cloudA-store': cloudA,
  'cloudB-store': cloudB,
  'cloudC-store': cloudC,
}

const prefixWarning = ({ pathPrefix, dialect }: Configuration): string[] =>
  dialect === 'vendor' && !pathPrefix.endsWith('/')
    ? ["path_prefix does not end in '/'; names are joined to it with one"]
    : []

const tlsWarning = (configuration: Configuration, spell: (name: string) => string, name: string): string[] =>
  flag(configuration, name) ? [`${spell(name)} sends snapshots over plain HTTP; use it for tests only`] : []

function cloudCWarnings(configuration: Configuration, spell: (name: string) => string): string[] {
  const found = prefixWarning(configuration)
  const environment = text(configuration, 'cloudC_blob_environment')
  if (!blobHostOf(environment))
    found.push(
      `${spell('cloudC_blob_environment')} '${environment}' is not known; attempts fail unless an endpoint is set`,
    )
  if (authModeOf(configuration) === undefined)
    found.push(
      `no credential is given: set ${spell('cloudC_account_key')} or ${spell('cloudC_auth_mode')}, or attempts fail`,
    )
  if (text(configuration, 'cloudC_account_name') === '' && text(configuration, 'cloudC_endpoint') === '') {
    found.push(`neither ${spell('cloudC_account_name')} nor ${spell('cloudC_endpoint')} is given; attempts fail`)
  }
  if (/^http:/i.test(text(configuration, 'cloudC_endpoint')))
    found.push(`${spell('cloudC_endpoint')} is plain HTTP; use it for tests only`)
  return found
}

const warnings: Readonly<Record<Configuration['type'], Rule>> = {
  local: () => [],
  'cloudA-store': (configuration, spell) => [
    ...tlsWarning(configuration, spell, 'cloudA_disable_tls'),
    ...(text(configuration, 'cloudA_kms_key') !== '' && !flag(configuration, 'cloudA_enable_kms')
      ? [`${spell('cloudA_kms_key')} has no effect without ${spell('cloudA_enable_kms')}`]
      : []),
  ],
  'cloudB-store': (configuration, spell) => [
    ...prefixWarning(configuration),
    ...tlsWarning(configuration, spell, 'cloudB_disable_tls'),
    ...(configuration.settings.cloudB_service_account_key !== undefined &&
    readServiceKey(text(configuration, 'cloudB_service_account_key')) === 'absent'
      ? [`${spell('cloudB_service_account_key')} is empty; the usual sources of the provider are used`]
      : []),
  ],
  'cloudC-store': cloudCWarnings,
}

/** An endpoint as a URL without a slash at its end; one that was given as a host gets the scheme. */
export function endpointUrl(endpoint: string, plain: boolean): string {
  const url = /^https?:\/\//i.test(endpoint) ? endpoint : `${plain ? 'http' : 'https'}://${endpoint}`
  return withoutEndSlashes(url)
}
