import type { TSchema } from 'typebox'
import { autoloadField, vendorSnapshotFields } from '../../../compat/vendor-names.ts'
import { toIsoOffset } from '../../../kernel/clock.ts'
import { parseDuration } from '../../../kernel/duration.ts'
import { Failure, failure } from '../../../kernel/failure.ts'
import { acl, type BodyShape, defineSystemEndpoints, type Endpoint, endpoint, Type } from '../../../kit/endpoint.ts'
import { KeyList } from '../../../kit/envelope.ts'
import { field, parseFields, withDeclaredNames } from '../../../kit/fields.ts'
import { listTerms, namesReply, wantedOf } from '../../../kit/list.ts'
import { data, nothing } from '../../../kit/reply.ts'
import { requireLicence } from '../licence.ts'
import { requireRights } from '../status/check-actions.ts'
import type { Configuration, SentConfiguration, Verification } from './configuration.ts'
import { readConfiguration, removeConfiguration, writeConfiguration } from './configuration-actions.ts'
import { defaultFilePrefix, invalidConfiguration, readableConfiguration, secretsIn } from './configuration-change.ts'
import {
  destinationFields,
  readStorageType,
  spellField,
  spellingsOf,
  storageTypeSpellings,
} from './configuration-fields.ts'
import { listNames } from './configuration-store.ts'

const verifications: readonly Verification[] = ['none', 'checksum', 'restore']

const destinationSchema = Object.fromEntries(
  destinationFields.map(({ name, kind, about, type }) => [name, field[kind](`${about} For \`${type}\`.`)]),
)

/** The body of a write, as the reference shows it. */
const WriteConfiguration = Type.Object({
  interval: field.seconds('Seconds between snapshots, or a duration such as `24h`. Required.'),
  retain: field.whole('Number of snapshots to keep.', { default: 1 }),
  path_prefix: field.text('Directory for `local`, otherwise the prefix of the objects. Required.'),
  file_prefix: field.text('Prefix of the names of snapshots.', { default: defaultFilePrefix }),
  storage_type: field.text(`Where snapshots go: ${storageTypeSpellings.join(', ')}. Required.`),
  verify: field.text('How each stored snapshot is verified: `none`, `checksum` or `restore`.', { default: 'restore' }),
  snapshot_timeout: field.seconds('Maximum duration of an attempt; ten minutes or the interval by default.'),
  check: field.flag('Test the destination first, and store nothing if a permission is missing.'),
  ...destinationSchema,
})

/** The fields are parsed by `readConfigurationBody`, once it is certain that the caller may know that the endpoint exists. */
export const configurationBody: BodyShape<Record<string, unknown>> = {
  kind: 'json',
  schema: WriteConfiguration,
  parse: (raw) => raw,
  aliases: vendorSnapshotFields,
}

const text = (about: string): TSchema => Type.String({ description: about })

/** The fields that every configuration shows. */
const ReadConfiguration = Type.Object(
  {
    interval: Type.Integer({ description: 'Seconds between snapshots.' }),
    retain: Type.Integer({ description: 'Number of snapshots to keep.' }),
    path_prefix: text('Directory, or prefix of the objects.'),
    file_prefix: text('Prefix of the names of snapshots.'),
    storage_type: text('Storage type, spelled as it was set.'),
  },
  { title: 'SnapshotConfiguration', additionalProperties: true },
)

/** The fields of a write, and the names they were sent under. */
type ReadBody = {
  readonly sent: SentConfiguration
  /** Whether the destination is to be tested first. */
  readonly check: boolean
  /** Every name that was sent; known fields in their proper case. */
  readonly names: readonly string[]
}

/** Clients repeat the name in the path in the body, or send back what they have read. */
const repeatedNames = ['name', 'secrets_set', 'created_time', 'updated_time']

const commonNames = ['interval', 'retain', 'path_prefix', 'file_prefix', 'storage_type', 'verify', 'snapshot_timeout']

const knownNames: ReadonlySet<string> = new Set([
  ...commonNames,
  ...repeatedNames,
  'check',
  autoloadField,
  ...destinationFields.flatMap(({ name }) => spellingsOf(name)),
])

/** Reads the fields of a write in either spelling; every field that cannot be read is named. */
export function readConfigurationBody(body: Record<string, unknown>): ReadBody {
  const raw = withDeclaredNames(body, knownNames)
  const faults: string[] = []
  const settings = readSettings(raw, faults)
  const sent: SentConfiguration = {
    ...readInterval(raw.interval, faults),
    ...readRetain(raw.retain, faults),
    ...readText('path_prefix', raw, faults),
    ...readText('file_prefix', raw, faults),
    ...readType(raw, faults),
    ...readVerify(raw, faults),
    ...readTimeout(raw.snapshot_timeout, faults),
    settings,
  }
  const check = isAbsent(raw.check) ? false : readOne('check', 'flag', raw.check, faults) === true
  const autoload = raw[autoloadField]
  if (!isAbsent(autoload) && !isCleared(autoload) && readOne(autoloadField, 'flag', autoload, faults) === true) {
    faults.push(`${autoloadField} is not supported`)
  }
  if (faults.length > 0) throw invalidConfiguration(faults)
  return { sent, check, names: Object.keys(raw) }
}

const isAbsent = (value: unknown): boolean => value === undefined

const isCleared = (value: unknown): boolean => value === null || value === ''

/** Reads one value with the readers of the `/v1` fields; undefined and a fault when it cannot be read. */
function readOne(name: string, kind: 'text' | 'flag' | 'whole', value: unknown, faults: string[]): unknown {
  // Elsewhere `true` counts as 1; here that would keep one snapshot, or allow one byte.
  const isOddNumber = kind === 'whole' && typeof value === 'boolean'
  try {
    if (!isOddNumber) return parseFields(Type.Object({ [name]: field[kind]('') }), { [name]: value }).value[name]
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
  faults.push(`${name} ${expectationOf(kind, value)}`)
  return undefined
}

function expectationOf(kind: keyof typeof expectations, value: unknown): string {
  if (kind === 'whole' && Number(value) > Number.MAX_SAFE_INTEGER) return 'is too large'
  // Keys that are JSON themselves are easily sent as objects instead of text.
  const isNested = kind === 'text' && typeof value === 'object'
  return isNested ? `${expectations.text}; JSON inside it needs its quotes and line breaks escaped` : expectations[kind]
}

const expectations = {
  text: 'must be a string',
  flag: 'must be true or false',
  whole: 'must be a whole number',
} as const

function readSettings(raw: Record<string, unknown>, faults: string[]): SentConfiguration['settings'] {
  const settings: Record<string, string | number | boolean> = {}
  for (const { name, kind } of destinationFields) {
    const spelled = spellingsOf(name).filter((each) => Object.hasOwn(raw, each))
    const values = spelled.map((each) => (isCleared(raw[each]) ? '' : readOne(each, kind, raw[each], faults)))
    if (new Set(values).size > 1) faults.push(`${spelled.join(' and ')} name the same field with different values`)
    else if (values[0] !== undefined) settings[name] = values[0] as string | number | boolean
  }
  return settings
}

function readInterval(value: unknown, faults: string[]): Pick<SentConfiguration, 'interval'> {
  if (isAbsent(value)) return {}
  if (isCleared(value)) {
    faults.push('interval is required')
    return {}
  }
  const seconds = secondsOf(value)
  if (Number.isSafeInteger(seconds)) return { interval: seconds as number }
  faults.push('interval must be whole seconds, or a string such as "24h", "90m" or "7d"')
  return {}
}

const secondsOf = (written: unknown): number | undefined => {
  if (typeof written === 'number') return written
  if (typeof written !== 'string') return undefined
  if (/^-?\d+$/.test(written)) return Number(written)
  const milliseconds = parseDuration(written)
  return milliseconds === undefined ? undefined : milliseconds / 1_000
}

function readTimeout(value: unknown, faults: string[]): Pick<SentConfiguration, 'snapshot_timeout'> {
  if (isAbsent(value)) return {}
  if (isCleared(value)) return { snapshot_timeout: 0 }
  const seconds = secondsOf(value)
  if (Number.isSafeInteger(seconds)) return { snapshot_timeout: seconds as number }
  faults.push('snapshot_timeout must be whole seconds, or a string such as "30m"')
  return {}
}

function readRetain(value: unknown, faults: string[]): Pick<SentConfiguration, 'retain'> {
  if (isAbsent(value)) return {}
  if (isCleared(value)) return { retain: 1 }
  const retain = readOne('retain', 'whole', value, faults)
  return retain === undefined ? {} : { retain: retain as number }
}

function readText(
  name: 'path_prefix' | 'file_prefix',
  raw: Record<string, unknown>,
  faults: string[],
): Partial<Pick<SentConfiguration, 'path_prefix' | 'file_prefix'>> {
  if (isAbsent(raw[name])) return {}
  const read = readOne(name, 'text', raw[name], faults)
  return read === undefined ? {} : { [name]: read as string }
}

function readType(raw: Record<string, unknown>, faults: string[]): Pick<SentConfiguration, 'type' | 'dialect'> {
  const value = raw.storage_type
  if (isAbsent(value)) return {}
  const read = typeof value === 'string' ? readStorageType(value) : undefined
  if (read) return read
  if (isCleared(value)) faults.push('storage_type is required')
  else faults.push(`storage_type must be one of: ${storageTypeSpellings.join(', ')}`)
  return {}
}

function readVerify(raw: Record<string, unknown>, faults: string[]): Pick<SentConfiguration, 'verify'> {
  if (isAbsent(raw.verify)) return {}
  if (isCleared(raw.verify)) return { verify: 'restore' }
  const verify = verifications.find((each) => each === raw.verify)
  if (verify) return { verify }
  faults.push(`verify must be one of: ${verifications.join(', ')}`)
  return {}
}

/** Warns about fields that were sent and are not stored: those of other destinations, and unknown ones. */
function ignoredFields({ type }: Configuration, names: readonly string[]): string[] {
  const foreign = destinationFields
    .filter((each) => each.type !== type)
    .flatMap(({ name }) => spellingsOf(name).filter((each) => names.includes(each)))
  const unknown = names.filter((name) => !knownNames.has(name))
  const warnings: string[] = []
  if (foreign.length > 0)
    warnings.push(`These fields belong to another storage_type and are ignored: ${foreign.join(', ')}`)
  if (unknown.length > 0) warnings.push(`Endpoint ignored these unrecognized parameters: [${unknown.sort().join(' ')}]`)
  return warnings
}

/** A configuration as it is read. A `local` one has the six keys of the contract and nothing else. */
function toWire(configuration: Configuration): Record<string, unknown> {
  const shown = readableConfiguration(configuration)
  if (configuration.type === 'local') return shown
  const { dialect } = configuration
  return {
    ...shown,
    ...(dialect === 'vendor' ? { [autoloadField]: false } : {}),
    verify: configuration.verify,
    ...(configuration.timeout > 0 ? { snapshot_timeout: configuration.timeout } : {}),
    secrets_set: secretsIn(configuration).map((name) => spellField(name, dialect)),
    created_time: toIsoOffset(configuration.createdAt),
    updated_time: toIsoOffset(configuration.updatedAt),
  }
}

/** The path parameter of everything about one configuration. */
export const nameParam = {
  name: { description: 'Name of the configuration; case-sensitive.', example: 'nightly' },
}

const longestName = 128
const base = '/storage/raft/snapshot-auto/config'
const sudo = { access: acl({ sudo: true }) } as const

const example = {
  interval: '24h',
  retain: 7,
  storage_type: 'local',
  path_prefix: '/var/backups/holdfast',
  local_max_space: 1_073_741_824,
}

/** Configurations of automated snapshots. */
export const configurationEndpoints: readonly Endpoint[] = defineSystemEndpoints([
  endpoint({
    ...sudo,
    id: 'snapshots.write-config',
    route: `POST ${base}/:name`,
    summary: 'Create or update an automated snapshot configuration.',
    description:
      'A body with `interval`, `path_prefix` and `storage_type` replaces the whole configuration; otherwise only the ' +
      'fields sent are changed; an empty string clears a field. Stored secrets are kept, but for one destination only: ' +
      'a change of endpoint, TLS, region, bucket, account or access key needs them again. The first snapshot is taken ' +
      'at once. With `check`, the destination is tested first.',
    params: nameParam,
    query: Type.Object({ check: field.flag('Same as the body field of this name.') }),
    body: configurationBody,
    returns: { 204: null },
    fails: ['invalid', 'missing'],
    example: { request: example },
    handle: async ({ deps, params: { name = '' }, query, body, warn }) => {
      requireLicence(deps)
      if (name.length > longestName) {
        throw failure('invalid', 'snapshot.long-name', `name must have at most ${longestName} characters`)
      }
      const { sent, check, names } = readConfigurationBody(body)
      const accept = check || query.check ? (merged: Configuration) => requireRights(deps, merged) : undefined
      const { configuration, warnings } = await writeConfiguration(deps, name, sent, accept)
      for (const warning of [...warnings, ...ignoredFields(configuration, names)]) warn(warning)
      return nothing()
    },
  }),
  endpoint({
    ...sudo,
    ...listTerms,
    id: 'snapshots.list-configs',
    route: `LIST ${base}`,
    summary: 'List the automated snapshot configurations.',
    returns: { 200: KeyList },
    example: { response: { keys: ['hourly', 'nightly'] } },
    handle: (call) => {
      requireLicence(call.deps)
      return namesReply(call, async (db, place) => wantedOf(await listNames(db), place))
    },
  }),
  endpoint({
    ...sudo,
    id: 'snapshots.read-config',
    route: `GET ${base}/:name`,
    summary: 'Read an automated snapshot configuration; secrets are never shown.',
    params: nameParam,
    returns: { 200: ReadConfiguration },
    fails: ['missing'],
    example: { response: { ...example, interval: 86_400, file_prefix: 'holdfast-snapshot' } },
    handle: async ({ deps, params: { name = '' } }) => {
      requireLicence(deps)
      return data(toWire(await readConfiguration(deps, name)))
    },
  }),
  endpoint({
    ...sudo,
    id: 'snapshots.delete-config',
    route: `DELETE ${base}/:name`,
    summary: 'Delete an automated snapshot configuration; stored snapshots are kept.',
    params: nameParam,
    returns: { 204: null },
    fails: ['missing'],
    handle: async ({ deps, params: { name = '' } }) => {
      requireLicence(deps)
      await removeConfiguration(deps, name)
      return nothing()
    },
  }),
])
