import { type Instant, toIsoNano } from '../../../../kernel/clock.ts'
import { failure } from '../../../../kernel/failure.ts'
import { fields, ignoredFields } from '../../../../kit/bodies.ts'
import { type BodyShape, type JsonShape, model, Type } from '../../../../kit/endpoint.ts'
import { field, parseFields } from '../../../../kit/fields.ts'
import {
  type Author,
  ageText,
  type CustomMetadata,
  isObject,
  mergePatch,
  parseAge,
  readCas,
  readCustomMetadata,
  requireVersionCount,
  type Value,
} from './kv.ts'

/** The most that a secret may have as JSON. */
export const mostBytes = 1024 * 1024

const WriteFields = Type.Object({
  data: field.any('The secret: any object. Policies see this field, not those inside.'),
  options: field.object('`cas`: the version that must be the current one; 0 for a secret without versions.'),
})

/** A secret that is sent, and the version that must be the current one. */
export type SentSecret = { readonly value: Value; readonly cas: number | undefined }

/** The body of a write: numbers in it keep their digits. */
export const secretBody: BodyShape<SentSecret> = {
  ...(fields(WriteFields, { maxBytes: mostBytes }) as JsonShape<unknown>),
  verbatim: true,
  parse: (raw, notes): SentSecret => {
    const { value, unknown } = parseFields(WriteFields, raw)
    if (unknown.length > 0) notes.warn(ignoredFields(unknown))
    // Clients look for these words.
    if (!isObject(value.data)) throw failure('invalid', 'kv.data', "no data provided: 'data' must be an object")
    return { value: value.data, cas: readCas('check-and-set', value.options?.cas) }
  },
}

const when = (at: Instant | null): string => (at === null ? '' : toIsoNano(at))

/** The time of a version as answers show it. */
const time = (description: string) => Type.String({ description })

const CustomMetadataShown = Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()], {
  description: 'Texts that are kept with the secret; null for none. Whoever may read the secret sees them.',
})

/** A version as reads and writes show it. */
export const VersionInfo = model('SecretVersion', {
  version: Type.Integer({ description: 'Number of the version.' }),
  created_time: time('When it was written.'),
  deletion_time: time('From when on it is hidden; empty for never.'),
  destroyed: Type.Boolean({ description: 'Whether its value was removed for good.' }),
  custom_metadata: CustomMetadataShown,
})

type Shown = {
  readonly number: number
  readonly createdAt: Instant
  readonly deletionAt: Instant | null
  readonly destroyed: boolean
}

const briefInfo = ({ createdAt, deletionAt, destroyed }: Shown) => ({
  created_time: when(createdAt),
  deletion_time: when(deletionAt),
  destroyed,
})

/** A version for an answer. */
export const versionInfo = (version: Shown & { readonly customMetadata: CustomMetadata | null }) => ({
  version: version.number,
  ...briefInfo(version),
  custom_metadata: version.customMetadata,
})

/** The `data` of a read. */
export const SecretInfo = model('Secret', {
  data: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
    description: 'The secret as it was written; null when this version is hidden or destroyed.',
  }),
  metadata: VersionInfo,
})

/** The `data` of a read of names. */
export const SubkeysInfo = model('SecretSubkeys', {
  subkeys: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
    description: 'The names, each with null or with the names in it; null when this version is hidden or destroyed.',
  }),
  metadata: VersionInfo,
})

/** The settings that a mount and a secret share. */
const ruleFields = {
  max_versions: field.whole('Versions to keep, up to 10000; 0 for 10. The larger of mount and secret counts.'),
  cas_required: field.flag('Whether each write must name the version that it replaces.'),
  delete_version_after: field.text('Hides versions so long after they were written, such as `72h`; `0s` for never.'),
  metadata_cas_required: field.flag('Whether each change of metadata must name the state that it changes.'),
} as const

/** The body of a change to the settings of a mount. */
export const ConfigBody = Type.Object({
  ...ruleFields,
  history: field.flag('Whether it is noted who reads, writes and deletes secrets, and when.'),
})

/** The settings of a mount as answers show them. */
export const ConfigInfo = model('SecretEngineConfig', {
  max_versions: Type.Integer({ description: 'Versions to keep; 0 for 10.' }),
  cas_required: Type.Boolean({ description: 'Whether each write must name the version that it replaces.' }),
  delete_version_after: Type.String({ description: 'How long versions can be read; `-1s` switches it off.' }),
  metadata_cas_required: Type.Boolean({ description: 'The same as `cas_required` for metadata.' }),
  history: Type.Boolean({ description: 'Whether it is noted who uses secrets.' }),
})

type RuleValues = {
  readonly maxVersions: number
  readonly casRequired: boolean
  readonly metadataCasRequired: boolean
  readonly deleteVersionAfter: number
}

/** The settings that were sent, as they are stored. */
export function sentRules(
  sent: {
    readonly max_versions?: number | undefined
    readonly cas_required?: boolean | undefined
    readonly delete_version_after?: string | undefined
    readonly metadata_cas_required?: boolean | undefined
  },
  { isMount }: { readonly isMount: boolean },
): Partial<RuleValues> {
  const age = sent.delete_version_after
  return {
    ...(sent.max_versions !== undefined && { maxVersions: requireVersionCount(sent.max_versions) }),
    ...(sent.cas_required !== undefined && { casRequired: sent.cas_required }),
    ...(sent.metadata_cas_required !== undefined && { metadataCasRequired: sent.metadata_cas_required }),
    ...(age !== undefined && { deleteVersionAfter: parseAge('delete_version_after', age, { isMount }) }),
  }
}

/** Settings for an answer. */
export const shownRules = (rules: RuleValues) => ({
  max_versions: rules.maxVersions,
  cas_required: rules.casRequired,
  delete_version_after: ageText(rules.deleteVersionAfter),
  metadata_cas_required: rules.metadataCasRequired,
})

const MetadataFields = Type.Object({
  ...ruleFields,
  custom_metadata: field.object(
    'Texts to keep with the secret: at most 64, names of 128 bytes, values of 512. With `expires_at`, a time, the server warns before it.',
  ),
  metadata_cas: field.any('The `current_metadata_version` that is changed; 0 for a new secret.'),
})

/** What is said about a secret. */
export type SentMetadata = {
  readonly rules: Partial<RuleValues>
  readonly cas: number | undefined
  /** Whether anything is said at all. */
  readonly isEmpty: boolean
  /** The custom metadata given those until now; undefined where they stay. */
  readonly custom: ((before: CustomMetadata | null) => CustomMetadata | null) | undefined
}

/** The body of a write to metadata, which replaces the custom metadata, or of a patch, which merges into them. */
export const metadataBody = (way: 'replace' | 'merge'): BodyShape<SentMetadata> => ({
  ...(fields(MetadataFields, { maxBytes: mostBytes }) as JsonShape<unknown>),
  parse: (raw, notes): SentMetadata => {
    const { value, unknown } = parseFields(MetadataFields, raw)
    if (unknown.length > 0) notes.warn(ignoredFields(unknown))
    const { metadata_cas: sentCas, custom_metadata: custom, ...rules } = value
    return {
      rules: sentRules(rules, { isMount: false }),
      cas: readCas('metadata check-and-set', sentCas),
      isEmpty: custom === undefined && Object.keys(rules).length === 0,
      custom: custom && customChange(way, custom, raw.custom_metadata === null),
    }
  },
})

function customChange(way: 'replace' | 'merge', sent: Value, isNull: boolean): NonNullable<SentMetadata['custom']> {
  const orNull = (custom: CustomMetadata) => (Object.keys(custom).length === 0 ? null : custom)
  if (way === 'replace' || isNull) {
    const custom = readCustomMetadata(sent)
    return () => orNull(custom)
  }
  return (before) => orNull(readCustomMetadata(mergePatch(before ?? {}, sent)))
}

const AuthorInfo = Type.Object({
  actor: Type.String({ description: 'Display name of the token.' }),
  entity_id: Type.String({ description: 'Its entity; may be empty.' }),
  operation: Type.String({ description: 'What was done, such as `write` or `patch`.' }),
})

/** All that is said about a secret, as answers show it. */
export const MetadataInfo = model('SecretMetadata', {
  versions: Type.Record(
    Type.String(),
    Type.Object({
      created_time: time('When it was written.'),
      deletion_time: time('From when on it is hidden; empty for never.'),
      destroyed: Type.Boolean({ description: 'Whether its value was removed for good.' }),
      created_by: AuthorInfo,
      deleted_by: Type.Union([AuthorInfo, Type.Null()]),
    }),
    { description: 'Versions by number.' },
  ),
  current_version: Type.Integer({ description: 'Number of the latest version; 0 for none.' }),
  oldest_version: Type.Integer({ description: 'Number of the oldest version that is kept; 0 while none was removed.' }),
  created_time: time('When the secret was made.'),
  updated_time: time('When anything of it was changed last.'),
  max_versions: Type.Integer({ description: 'Versions to keep; 0 for as many as the mount says.' }),
  cas_required: Type.Boolean({ description: 'Whether each write must name the version that it replaces.' }),
  delete_version_after: Type.String({ description: 'How long versions can be read; `0s` for as the mount says.' }),
  custom_metadata: CustomMetadataShown,
  current_metadata_version: Type.Integer({ description: 'Counts the changes of metadata.' }),
  metadata_cas_required: Type.Boolean({
    description: 'Whether each change of metadata must name the state it changes.',
  }),
})

/** What metadata are made of. */
type Described = RuleValues & {
  readonly versions: readonly (Shown & { readonly createdBy: Author; readonly deletedBy: Author | null })[]
  readonly currentVersion: number
  readonly oldestVersion: number
  readonly metadataVersion: number
  readonly customMetadata: CustomMetadata | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** All that is said about a secret, for an answer. */
export const metadataInfo = (secret: Described): Record<string, unknown> => ({
  versions: Object.fromEntries(
    secret.versions.map((version) => [
      String(version.number),
      { ...briefInfo(version), created_by: version.createdBy, deleted_by: version.deletedBy },
    ]),
  ),
  current_version: secret.currentVersion,
  oldest_version: secret.oldestVersion,
  created_time: when(secret.createdAt),
  updated_time: when(secret.updatedAt),
  ...shownRules(secret),
  custom_metadata: secret.customMetadata,
  current_metadata_version: secret.metadataVersion,
})
