import type { IdentityFacts } from '../../../access/policies/identity-template.ts'
import type { Instant } from '../../../kernel/clock.ts'
import { refuseLongName } from '../../../kit/name-length.ts'

/** Somebody or something that logs in, by whatever method. */
export type Entity = {
  readonly id: string
  readonly name: string
  readonly metadata: Readonly<Record<string, string>>
  /** Names as they are compared, in lower case. */
  readonly policies: readonly string[]
  /** The same as they were written, which is what tools that manage entities compare. */
  readonly writtenPolicies: readonly string[]
  readonly disabled: boolean
  readonly mergedIds: readonly string[]
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly aliases: readonly Alias[]
}

/** The name an entity has at one mount. */
export type Alias = {
  readonly id: string
  readonly entityId: string
  readonly mountAccessor: string
  readonly name: string
  readonly metadata: Readonly<Record<string, string>>
  readonly customMetadata: Readonly<Record<string, string>>
  readonly mergedFromIds: readonly string[]
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** The facts about an entity that templates in policies may use. */
export const factsOf = (entity: Entity | undefined): IdentityFacts =>
  entity === undefined
    ? {}
    : { entity: { id: entity.id, name: entity.name, metadata: entity.metadata, aliases: entity.aliases } }

/** What a login reports about an alias. */
export type LoginFacts = {
  /** Undefined leaves the stored metadata as it is. */
  readonly metadata: Readonly<Record<string, string>> | undefined
  /** Added to the custom metadata, except for keys that the alias has already. */
  readonly customMetadata?: Readonly<Record<string, string>>
}

/** The alias after a login; the same object when the login changes nothing. */
export function aliasAfterLogin(alias: Alias, { metadata, customMetadata = {} }: LoginFacts): Alias {
  const custom = { ...customMetadata, ...alias.customMetadata }
  const isKnown = metadata === undefined || sameTexts(metadata, alias.metadata)
  if (isKnown && sameTexts(custom, alias.customMetadata)) return alias
  return { ...alias, metadata: metadata ?? alias.metadata, customMetadata: custom }
}

function sameTexts(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name])
}

/** As many bytes as the longest name a workload may have (SPIFFE-ID §2.3). */
const maxAliasBytes = 2_048

/** True if a name is not too long for an alias. */
export const fitsAlias = (name: string): boolean => Buffer.byteLength(name.toLowerCase()) <= maxAliasBytes

/** Refuses names too long for an alias; checked in lower case, in which they are looked up. */
export const checkAliasName = (name: string): void =>
  refuseLongName('The name of the alias', name.toLowerCase(), maxAliasBytes)
