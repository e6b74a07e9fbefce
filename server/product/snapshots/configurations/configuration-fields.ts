import {
  blobEnvironments,
  defaultBlobEnvironment,
  vendorSnapshotFields,
  vendorStorageTypes,
} from '../../../compat/vendor-names.ts'
import type { Dialect, StorageType } from './configuration.ts'

/** A field that belongs to one destination type. */
export type DestinationField = {
  readonly name: string
  readonly type: StorageType
  readonly kind: 'text' | 'flag' | 'whole'
  readonly secret: boolean
  /** Whether it decides where secrets go, and how two values are compared: a stored secret is for one place only. */
  readonly place: false | 'exact' | 'endpoint' | 'environment'
  /** Whether it is one half of a key pair, public or secret, or both in one. */
  readonly keyHalf: boolean
  readonly about: string
}

type Traits = Partial<Pick<DestinationField, 'place' | 'keyHalf'>>

const fieldOf = (
  type: StorageType,
  kind: DestinationField['kind'],
  name: string,
  about: string,
  { place = false, keyHalf = false }: Traits = {},
): DestinationField => ({ name, type, kind, secret: false, place, keyHalf, about })

const secretFieldOf = (type: StorageType, name: string, about: string, traits?: Traits): DestinationField => ({
  ...fieldOf(type, 'text', name, about, traits),
  secret: true,
})

const exact = { place: 'exact' } as const
const endpoint = { place: 'endpoint' } as const
const environment = { place: 'environment' } as const
const publicHalf = { place: 'exact', keyHalf: true } as const
const keyHalf = { keyHalf: true } as const

/** Every field of every destination. Validation, storing, reading and the reference are made from this list. */
export const destinationFields: readonly DestinationField[] = [
  fieldOf(
    'local',
    'whole',
    'local_max_space',
    'Bytes that all snapshots with this prefix may take; holds retain + 1 of them.',
  ),
  fieldOf('cloudA-store', 'text', 'cloudA_bucket', 'Bucket to write to.', exact),
  fieldOf('cloudA-store', 'text', 'cloudA_region', 'Region of the bucket.', exact),
  fieldOf(
    'cloudA-store',
    'text',
    'cloudA_access_key_id',
    'Access key; without it the usual sources of the provider are used.',
    publicHalf,
  ),
  secretFieldOf('cloudA-store', 'cloudA_secret_access_key', 'Secret of the access key.', keyHalf),
  secretFieldOf('cloudA-store', 'cloudA_session_token', 'Session token of temporary credentials.'),
  fieldOf('cloudA-store', 'text', 'cloudA_endpoint', 'Host, host:port or URL of another implementation.', endpoint),
  fieldOf('cloudA-store', 'flag', 'cloudA_disable_tls', 'Plain HTTP to the endpoint; for tests.', exact),
  fieldOf('cloudA-store', 'flag', 'cloudA_force_path_style', 'endpoint/bucket in place of bucket.endpoint.', exact),
  fieldOf('cloudA-store', 'flag', 'cloudA_enable_kms', 'Encrypt with the key service.'),
  fieldOf('cloudA-store', 'flag', 'cloudA_server_side_encryption', 'Encrypt with AES256.'),
  fieldOf('cloudA-store', 'text', 'cloudA_kms_key', 'Key of the key service.'),
  fieldOf('cloudB-store', 'text', 'cloudB_bucket', 'Bucket to write to.', exact),
  secretFieldOf('cloudB-store', 'cloudB_service_account_key', 'Service account key as JSON text.', keyHalf),
  fieldOf('cloudB-store', 'text', 'cloudB_endpoint', 'Host, host:port or URL of another implementation.', endpoint),
  fieldOf('cloudB-store', 'flag', 'cloudB_disable_tls', 'Plain HTTP to the endpoint; for tests.', exact),
  fieldOf('cloudC-store', 'text', 'cloudC_container_name', 'Container to write to.', exact),
  fieldOf('cloudC-store', 'text', 'cloudC_account_name', 'Storage account.', publicHalf),
  secretFieldOf('cloudC-store', 'cloudC_account_key', 'Key of the account, for shared authentication.', keyHalf),
  fieldOf('cloudC-store', 'text', 'cloudC_client_id', 'Identity, for managed authentication.'),
  fieldOf('cloudC-store', 'text', 'cloudC_auth_mode', '`shared`, `managed` or `environment`.'),
  fieldOf('cloudC-store', 'text', 'cloudC_blob_environment', 'Cloud the account lives in.', environment),
  fieldOf('cloudC-store', 'text', 'cloudC_endpoint', 'URL of another implementation.', endpoint),
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

/** A blob environment as it is compared: without case, and the default one in place of none. */
export const environmentKey = (name: string): string => (name || defaultBlobEnvironment).toUpperCase()

/** The host suffix of a blob environment; undefined for an unknown one. */
export const blobHostOf = (environment: string): string | undefined => blobEnvironments[environmentKey(environment)]
