import type { IdentityFacts } from '../../access/policies/index.ts'
import type { Instant } from '../../kernel/clock.ts'

/** Somebody or something that logs in, whatever the method. */
export type Entity = {
  readonly id: string
  readonly name: string
  readonly metadata: Readonly<Record<string, string>>
  readonly policies: readonly string[]
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

/** What templates in policies may say about an entity. */
export const factsOf = (entity: Entity | undefined): IdentityFacts =>
  entity === undefined
    ? {}
    : { entity: { id: entity.id, name: entity.name, metadata: entity.metadata, aliases: entity.aliases } }
