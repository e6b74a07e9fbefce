import {
  blobEnvironments,
  defaultBlobEnvironment,
  vendorSnapshotFields,
  vendorStorageTypes,
} from '../../../compat/snapshot-names.ts'
import type { Dialect, StorageType } from './configuration.ts'

/** A field that belongs to one destination type. */
export type DestinationField = {
  readonly name: string
  readonly type: StorageType
  readonly kind: 'text' | 'flag' | 'whole'
  readonly secret: boolean
  readonly about: string
}

const of = (type: StorageType, kind: DestinationField['kind'], name: string, about: string): DestinationField => ({
  name,
  type,
  kind,
  secret: false,
  about,
})

const secretOf = (type: StorageType, name: string, about: string): DestinationField => ({
  ...of(type, 'text', name, about),
  secret: true,
})

/** Every field of every destination. Validation, storing, reading and the reference are made from this list. */
export const destinationFields: readonly DestinationField[] = [
  of(
    'local',
    'whole',
    'local_max_space',
    'Bytes that all snapshots with this prefix may take; holds retain + 1 of them.',
  ),
  of('cloudA-store', 'text', 'cloudA_bucket', 'Bucket to write to.'),
  of('cloudA-store', 'text', 'cloudA_region', 'Region of the bucket.'),
  of(
    'cloudA-store',
    'text',
    'cloudA_access_key_id',
    'Access key; without it the usual sources of the provider are used.',
  ),
  secretOf('cloudA-store', 'cloudA_secret_access_key', 'Secret of the access key.'),
  secretOf('cloudA-store', 'cloudA_session_token', 'Session token of temporary credentials.'),
  of('cloudA-store', 'text', 'cloudA_endpoint', 'Host, host:port or URL of another implementation.'),
  of('cloudA-store', 'flag', 'cloudA_disable_tls', 'Plain HTTP to the endpoint; for tests.'),
  of('cloudA-store', 'flag', 'cloudA_force_path_style', 'endpoint/bucket in place of bucket.endpoint.'),
  of('cloudA-store', 'flag', 'cloudA_enable_kms', 'Encrypt with the key service.'),
  of('cloudA-store', 'flag', 'cloudA_server_side_encryption', 'Encrypt with AES256.'),
  of('cloudA-store', 'text', 'cloudA_kms_key', 'Key of the key service.'),
  of('cloudB-store', 'text', 'cloudB_bucket', 'Bucket to write to.'),
  secretOf('cloudB-store', 'cloudB_service_account_key', 'Service account key as JSON text.'),
  of('cloudB-store', 'text', 'cloudB_endpoint', 'Host, host:port or URL of another implementation.'),
  of('cloudB-store', 'flag', 'cloudB_disable_tls', 'Plain HTTP to the endpoint; for tests.'),
  of('cloudC-store', 'text', 'cloudC_container_name', 'Container to write to.'),
  of('cloudC-store', 'text', 'cloudC_account_name', 'Storage account.'),
  secretOf('cloudC-store', 'cloudC_account_key', 'Key of the account, for shared authentication.'),
  of('cloudC-store', 'text', 'cloudC_client_id', 'Identity, for managed authentication.'),
  of('cloudC-store', 'text', 'cloudC_auth_mode', '`shared`, `managed` or `environment`.'),
  of('cloudC-store', 'text', 'cloudC_blob_environment', 'Cloud the account lives in.'),
  of('cloudC-store', 'text', 'cloudC_endpoint', 'URL of another implementation.'),
]

/** The fields of one destination type. */
export const fieldsOf = (type: StorageType): readonly DestinationField[] =>
  destinationFields.filter((field) => field.type === type)

const types: readonly StorageType[] = ['local', 'cloudA-store', 'cloudB-store', 'cloudC-store']

/** All spellings of destination types, ours first. */
export const storageTypeSpellings: readonly string[] = [...new Set([...types, ...Object.values(vendorStorageTypes)])]

/** Reads a destination type in either spelling. */
export function readStorageType(text: string): { type: StorageType; dialect: Dialect } | undefined {
  const own = types.find((type) => type === text)
  if (own) return { type: own, dialect: 'own' }
  const type = types.find((each) => vendorStorageTypes[each] === text)
  return type && { type, dialect: 'vendor' }
}

/** A destination type in the spelling of a dialect. */
export const spellType = (type: StorageType, dialect: Dialect): string =>
  dialect === 'vendor' ? (vendorStorageTypes[type] ?? type) : type

/** A field in the spelling of a dialect. */
export const spellField = (name: string, dialect: Dialect): string =>
  dialect === 'vendor' ? (vendorSnapshotFields[name]?.[0] ?? name) : name

/** Every spelling under which a field may be sent. */
export const spellingsOf = (name: string): readonly string[] => [name, ...(vendorSnapshotFields[name] ?? [])]

/** The host suffix of a blob environment; undefined for an unknown one. */
export const blobHostOf = (environment: string): string | undefined =>
  blobEnvironments[(environment || defaultBlobEnvironment).toUpperCase()]
