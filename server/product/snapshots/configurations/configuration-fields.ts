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

const fieldOf = (type: StorageType, kind: DestinationField['kind'], name: string, about: string): DestinationField => ({
  name,
  type,
  kind,
  secret: false,
  about,
})

const secretFieldOf = (type: StorageType, name: string, about: string): DestinationField => ({
  ...fieldOf(type, 'text', name, about),
  secret: true,
})

/** Every field of every destination. Validation, storing, reading and the reference are made from this list. */
export const destinationFields: readonly DestinationField[] = [
  fieldOf(
    'local',
    'whole',
    'local_max_space',
    'Bytes that all snapshots with this prefix may take; holds retain + 1 of them.',
  ),
  fieldOf('cloudA-store', 'text', 'cloudA_bucket', 'Bucket to write to.'),
  fieldOf('cloudA-store', 'text', 'cloudA_region', 'Region of the bucket.'),
  fieldOf(
    'cloudA-store',
    'text',
    'cloudA_access_key_id',
    'Access key; without it the usual sources of the provider are used.',
  ),
  secretFieldOf('cloudA-store', 'cloudA_secret_access_key', 'Secret of the access key.'),
  secretFieldOf('cloudA-store', 'cloudA_session_token', 'Session token of temporary credentials.'),
  fieldOf('cloudA-store', 'text', 'cloudA_endpoint', 'Host, host:port or URL of another implementation.'),
  fieldOf('cloudA-store', 'flag', 'cloudA_disable_tls', 'Plain HTTP to the endpoint; for tests.'),
  fieldOf('cloudA-store', 'flag', 'cloudA_force_path_style', 'endpoint/bucket in place of bucket.endpoint.'),
  fieldOf('cloudA-store', 'flag', 'cloudA_enable_kms', 'Encrypt with the key service.'),
  fieldOf('cloudA-store', 'flag', 'cloudA_server_side_encryption', 'Encrypt with AES256.'),
  fieldOf('cloudA-store', 'text', 'cloudA_kms_key', 'Key of the key service.'),
  fieldOf('cloudB-store', 'text', 'cloudB_bucket', 'Bucket to write to.'),
  secretFieldOf('cloudB-store', 'cloudB_service_account_key', 'Service account key as JSON text.'),
  fieldOf('cloudB-store', 'text', 'cloudB_endpoint', 'Host, host:port or URL of another implementation.'),
  fieldOf('cloudB-store', 'flag', 'cloudB_disable_tls', 'Plain HTTP to the endpoint; for tests.'),
  fieldOf('cloudC-store', 'text', 'cloudC_container_name', 'Container to write to.'),
  fieldOf('cloudC-store', 'text', 'cloudC_account_name', 'Storage account.'),
  secretFieldOf('cloudC-store', 'cloudC_account_key', 'Key of the account, for shared authentication.'),
  fieldOf('cloudC-store', 'text', 'cloudC_client_id', 'Identity, for managed authentication.'),
  fieldOf('cloudC-store', 'text', 'cloudC_auth_mode', '`shared`, `managed` or `environment`.'),
  fieldOf('cloudC-store', 'text', 'cloudC_blob_environment', 'Cloud the account lives in.'),
  fieldOf('cloudC-store', 'text', 'cloudC_endpoint', 'URL of another implementation.'),
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
