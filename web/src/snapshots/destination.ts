import { type Service, serviceOf, settingOf } from './schedule.ts'

/** A field that belongs to one service. */
export type DestinationField = {
  readonly name: string
  /** How configurations in the other spelling call it. */
  readonly also?: string
  readonly label: string
  readonly hint?: string
  readonly kind: 'text' | 'secret' | 'secret-lines' | 'flag' | 'choice'
  readonly choices?: readonly (readonly [value: string, label: string])[]
}

const endpoint = 'Host, host:port or URL, for a service that is compatible.'

/** The fields of each service. Where a directory or a prefix belongs is said by the path, which all have. */
export const destinationFields: Readonly<Record<Service, readonly DestinationField[]>> = {
  local: [
    {
      name: 'local_max_space',
      label: 'Room for all of them, in bytes',
      hint: 'For example 10737418240 for 10 GiB. It must hold one snapshot more than are kept.',
      kind: 'text',
    },
  ],
  s3: [
    { name: 'cloudA_bucket', also: 'aws_s3_bucket', label: 'Bucket', kind: 'text' },
    { name: 'cloudA_region', also: 'aws_s3_region', label: 'Region', kind: 'text' },
    {
      name: 'cloudA_access_key_id',
      also: 'aws_access_key_id',
      label: 'Access key',
      hint: 'Without it the usual sources are used: environment, role of the machine.',
      kind: 'text',
    },
    {
      name: 'cloudA_secret_access_key',
      also: 'aws_secret_access_key',
      label: 'Secret of the access key',
      kind: 'secret',
    },
    {
      name: 'cloudA_session_token',
      also: 'aws_session_token',
      label: 'Session token',
      hint: 'Only for temporary credentials.',
      kind: 'secret',
    },
    { name: 'cloudA_endpoint', also: 'aws_s3_endpoint', label: 'Endpoint', hint: endpoint, kind: 'text' },
    {
      name: 'cloudA_force_path_style',
      also: 'aws_s3_force_path_style',
      label: 'Bucket in the path',
      hint: 'endpoint/bucket in place of bucket.endpoint.',
      kind: 'flag',
    },
    {
      name: 'cloudA_disable_tls',
      also: 'aws_s3_disable_tls',
      label: 'Without TLS',
      hint: 'Plain HTTP to the endpoint, for tests only.',
      kind: 'flag',
    },
    {
      name: 'cloudA_server_side_encryption',
      also: 'aws_s3_server_side_encryption',
      label: 'Encrypt with AES256',
      kind: 'flag',
    },
    { name: 'cloudA_enable_kms', also: 'aws_s3_enable_kms', label: 'Encrypt with the key service', kind: 'flag' },
    { name: 'cloudA_kms_key', also: 'aws_s3_kms_key', label: 'Key of the key service', kind: 'text' },
  ],
  gcs: [
    { name: 'cloudB_bucket', also: 'google_gcs_bucket', label: 'Bucket', kind: 'text' },
    {
      name: 'cloudB_service_account_key',
      also: 'google_service_account_key',
      label: 'Service account key',
      hint: 'The JSON file as text. Without it the usual sources are used.',
      kind: 'secret-lines',
    },
    { name: 'cloudB_endpoint', also: 'google_endpoint', label: 'Endpoint', hint: endpoint, kind: 'text' },
    {
      name: 'cloudB_disable_tls',
      also: 'google_disable_tls',
      label: 'Without TLS',
      hint: 'Plain HTTP to the endpoint, for tests only.',
      kind: 'flag',
    },
  ],
  azure: [
    { name: 'cloudC_account_name', also: 'azure_account_name', label: 'Storage account', kind: 'text' },
    { name: 'cloudC_container_name', also: 'azure_container_name', label: 'Container', kind: 'text' },
    {
      name: 'cloudC_auth_mode',
      also: 'azure_auth_mode',
      label: 'Credential',
      kind: 'choice',
      choices: [
        ['', 'Follows from what is given'],
        ['shared', 'Key of the account'],
        ['managed', 'Managed identity'],
        ['environment', 'From the environment'],
      ],
    },
    { name: 'cloudC_account_key', also: 'azure_account_key', label: 'Key of the account', kind: 'secret' },
    {
      name: 'cloudC_client_id',
      also: 'azure_client_id',
      label: 'Identity',
      hint: 'For a managed identity.',
      kind: 'text',
    },
    { name: 'cloudC_endpoint', also: 'azure_endpoint', label: 'Endpoint', hint: endpoint, kind: 'text' },
    {
      name: 'cloudC_blob_environment',
      also: 'azure_blob_environment',
      label: 'Cloud',
      hint: 'Only where the account is not in the public cloud.',
      kind: 'text',
    },
  ],
}

const storageTypes: Readonly<Record<Service, string>> = {
  local: 'local',
  s3: 'cloudA-store',
  gcs: 'cloudB-store',
  azure: 'cloudC-store',
}

/** What is typed: the common fields, and those of all services by their names. */
export type Typed = {
  readonly name: string
  readonly service: string
  readonly interval: string
  readonly retain: string
  readonly path_prefix: string
  readonly file_prefix: string
  readonly verify: string
  readonly check: boolean
  readonly [field: `local_${string}` | `cloud${string}`]: string | boolean
}

const allFields: readonly DestinationField[] = Object.values(destinationFields).flat()

/** Where the form begins: with what is stored, secrets left empty. */
export function typedOf(settings: Readonly<Record<string, unknown>> = {}, name = '', verify = 'restore'): Typed {
  const fields = allFields.map((field) => {
    const stored = settingOf(settings, field.also ? [field.name, field.also] : [field.name])
    return [field.name, field.kind === 'flag' ? stored === true : String(stored ?? '')]
  })
  return {
    name,
    service: settings.storage_type === undefined ? 'local' : serviceOf(String(settings.storage_type)),
    interval: settings.interval === undefined ? '24h' : intervalText(Number(settings.interval)),
    retain: String(settings.retain ?? 7),
    path_prefix: String(settings.path_prefix ?? ''),
    file_prefix: String(settings.file_prefix ?? 'holdfast-snapshot'),
    verify,
    check: true,
    ...Object.fromEntries(fields),
  }
}

/** An interval as it is typed: 24h, 7d, 90m. */
export function intervalText(seconds: number): string {
  const units = [
    ['d', 86_400, 2],
    ['h', 3_600, 1],
    ['m', 60, 1],
  ] as const
  const fitting = units.find(([, unit, least]) => seconds >= unit * least && seconds % unit === 0)
  return fitting ? `${seconds / fitting[1]}${fitting[0]}` : `${seconds}s`
}

const common = ['interval', 'retain', 'path_prefix', 'file_prefix', 'verify'] as const

const typedIn = (typed: Typed, name: string): string | boolean => typed[name as keyof Typed] ?? ''

/** The body of a new configuration: what is empty is left out. */
export function bodyOf(typed: Typed): Record<string, string | boolean> {
  const fields = destinationFields[typed.service as Service].map(({ name }) => name)
  const values = [...common, ...fields].map((name) => [name, typedIn(typed, name)] as const)
  return {
    storage_type: storageTypes[typed.service as Service],
    check: typed.check,
    ...Object.fromEntries(values.filter(([, value]) => value !== '' && value !== false)),
  }
}

/** The body of a change: only what was changed; a field that was emptied is cleared. */
export function changeOf(typed: Typed, changes: readonly string[]): Record<string, string | boolean> {
  if (changes.includes('service')) return bodyOf(typed)
  const own = new Set([...common, ...destinationFields[typed.service as Service].map(({ name }) => name)] as string[])
  const values = changes.filter((name) => own.has(name)).map((name) => [name, typedIn(typed, name)])
  return { check: typed.check, ...Object.fromEntries(values) }
}

/** Which field a complaint of the server is about: it begins with its name. */
export function fieldOf(complaint: string): string | undefined {
  const word = /^(\w+)/.exec(complaint)?.[1] ?? ''
  const field = allFields.find(({ name, also }) => name === word || also === word)
  return field?.name ?? common.find((name) => name === word)
}
