import type { Instant } from '../kernel/clock.ts'
import type { RolePolicyLists } from './token-policies.ts'
import type { MountTtls } from './ttl.ts'

/** The two kinds of token: stored, or carrying itself. */
export type TokenType = 'service' | 'batch'

/** What a mount, or a token role, says about the kind of its tokens: the kind itself, or the one meant where none is asked for. */
export type TokenTypeSetting = TokenType | 'default-service' | 'default-batch'

/** The kind of a token: the setting decides, and leaves the choice to what is wanted if it is only a default. */
export function resolveTokenType(setting: TokenTypeSetting, wanted: TokenType | 'default' | ''): TokenType {
  if (setting === 'service' || setting === 'batch') return setting
  if (wanted === 'service' || wanted === 'batch') return wanted
  return setting === 'default-batch' ? 'batch' : 'service'
}

/** A request for a token. Durations are as sent; blank text and 0 mean not set. */
export type TokenRequest = {
  readonly id: string
  readonly policies: readonly string[]
  readonly noParent: boolean
  readonly noDefaultPolicy: boolean
  readonly renewable: boolean
  readonly type: string
  readonly displayName: string
  readonly numUses: number
  readonly entityAlias: string
  /** The field `ttl`, or its old name `lease` where only that was sent. */
  readonly ttl: unknown
  readonly explicitMaxTtl: unknown
  readonly period: unknown
}

/** The token that asks. */
export type ParentToken = {
  readonly type: TokenType
  readonly policies: readonly string[]
  readonly limitedUses: boolean
  /** False for a root token without end. */
  readonly expires: boolean
  readonly boundCidrs: readonly string[]
}

/** What a token role lays down; durations in seconds, 0 means not set. */
export type TokenRole = RolePolicyLists & {
  readonly name: string
  readonly type: TokenTypeSetting
  readonly orphan: boolean
  readonly renewable: boolean
  readonly pathSuffix: string
  readonly allowedEntityAliases: readonly string[]
  readonly boundCidrs: readonly string[]
  /** True if the bounds were last written under their old name, so that readers expect to see it. */
  readonly boundCidrsNamed?: boolean
  readonly explicitMaxTtl: number
  readonly period: number
  readonly numUses: number
}

/** The circumstances of a request for a token. */
export type TokenCircumstances = {
  readonly parent: ParentToken
  readonly role: TokenRole | undefined
  /** True if the caller holds root or `sudo` on the path. */
  readonly sudo: boolean
  /** True on the path that makes orphans, which policies guard by itself. */
  readonly orphanPath: boolean
  readonly now: Instant
  readonly mount: MountTtls
}

/** A token as it is to be made. A TTL of 0 means without end; only root tokens have it. */
export type TokenPlan = {
  readonly type: TokenType
  readonly policies: readonly string[]
  readonly orphan: boolean
  /** Whose entity the token acts for. */
  readonly entity: 'parent' | 'alias' | 'none'
  /** Where the token came from; whole subtrees are revoked by it. */
  readonly path: string
  readonly displayName: string
  readonly numUses: number
  readonly renewable: boolean
  readonly ttl: number
  readonly explicitMaxTtl: number
  readonly period: number
  readonly boundCidrs: readonly string[]
  readonly warnings: readonly string[]
}

/** What becomes of a request for a token; a refusal is the caller's to mend. */
export type TokenDecision =
  | { readonly ok: true; readonly plan: TokenPlan }
  | { readonly ok: false; readonly text: string }
