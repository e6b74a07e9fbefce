import type { Instant } from './clock.ts'

/** Nobody in particular; may still have presented a client certificate. */
type Anonymous = { readonly kind: 'anonymous' }

/** A root, service or batch token of the `/v1` API, as loaded for one request. */
export type TokenPrincipal = {
  readonly kind: 'token'
  /** The keyed hash under which a service token is stored; for a batch token a hash of the token itself. */
  readonly id: string
  readonly type: 'service' | 'batch'
  readonly accessor: string
  readonly displayName: string
  /** Policies written on the token. */
  readonly policies: readonly string[]
  /** Policies that come from the token's entity at this moment. */
  readonly identityPolicies: readonly string[]
  readonly entityId: string
  readonly metadata: Readonly<Record<string, string>>
  /** The path that created the token, such as `auth/cert/login`. */
  readonly path: string
  readonly parentId: string
  readonly root: boolean
  readonly issuedAt: Instant
  readonly expiresAt: Instant | undefined
  readonly ttlSeconds: number
  readonly renewable: boolean
  /** 0 means unlimited; counted after this request's use was taken. */
  readonly remainingUses: number
  readonly limitedUses: boolean
  readonly boundCidrs: readonly string[]
  /** SHA-256 of the certificate this token works with; empty when it is not bound to one. */
  readonly certificateFingerprint: string
  /** `organization/team` of the platform this token acts for, when its role links it. */
  readonly platformTeam: string
  /** The id of that team; empty for a batch token of an earlier version, which has the name alone. */
  readonly platformTeamId: string
  /** True for the one-use token that carries a wrapped answer. */
  readonly wrapping: boolean
}

/** What a run may do under `/api/v2` besides reading its own workspace. */
export type RunAccess = { readonly workspaceId: string; readonly mayWriteState: boolean }

/** A person, a team, an organization or a run acting under `/api/v2`. */
export type ActorPrincipal = {
  readonly kind: 'user' | 'team' | 'organization' | 'run'
  readonly id: string
  readonly name: string
  /** The API token this call came with, or its browser session began with; empty for none. */
  readonly tokenId: string
  /** How the caller proved who it is. */
  readonly via: 'api-token' | 'session' | 'root-token' | 'linked-token' | 'run-token'
  /** The organization of a team, organization or run principal; empty for people. */
  readonly organizationId: string
  readonly siteAdmin: boolean
  /** Of a run alone. */
  readonly run?: RunAccess
}

/** Who is calling. */
export type Principal = Anonymous | TokenPrincipal | ActorPrincipal

/** The caller without a token. */
export const anonymous: Anonymous = { kind: 'anonymous' }
