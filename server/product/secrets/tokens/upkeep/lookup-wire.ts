import type { Instant } from '../../../../kernel/clock.ts'
import { toIsoNano } from '../../../../kernel/clock.ts'
import { model, Type } from '../../../../kit/endpoint.ts'
import { secondsLeft, type Token } from '../records/token-rules.ts'

const epochSeconds = (at: Instant): number => Math.floor(at / 1_000)

/** What a lookup says about a token besides its own facts. */
export type LookupExtras = {
  /** The token's text; empty when it was looked up by its accessor. */
  readonly text: string
  readonly identityPolicies: readonly string[]
  readonly now: Instant
}

/** The facts of a token as a lookup shows them. The parent is never shown. */
export function lookupData(token: Token, { text, identityPolicies, now }: LookupExtras): Record<string, unknown> {
  return {
    id: text,
    accessor: token.accessor,
    policies: token.policies,
    path: token.path,
    meta: Object.keys(token.metadata).length > 0 ? token.metadata : null,
    display_name: token.displayName,
    num_uses: shownUses(token),
    orphan: token.orphan,
    creation_time: epochSeconds(token.createdAt),
    creation_ttl: token.creationTtl,
    expire_time: token.expiresAt === undefined ? null : toIsoNano(token.expiresAt),
    ttl: secondsLeft(token.expiresAt, now),
    explicit_max_ttl: token.explicitMaxTtl,
    entity_id: token.entityId,
    type: token.type,
    renewable: token.renewable,
    issue_time: toIsoNano(token.createdAt),
    ...optionalFields(token, identityPolicies),
  }
}

/** Uses left; 0 would mean that they are not counted, so a token whose last use is this request shows -1. */
const shownUses = ({ numUses, usesLeft }: Token): number => (numUses === 0 ? 0 : usesLeft || -1)

function optionalFields(token: Token, identityPolicies: readonly string[]): Record<string, unknown> {
  const { role, period, boundCidrs, lastRenewedAt } = token
  return {
    ...(role === '' ? {} : { role }),
    ...(period === 0 ? {} : { period }),
    ...(boundCidrs.length === 0 ? {} : { bound_cidrs: boundCidrs }),
    ...(identityPolicies.length === 0 ? {} : { identity_policies: identityPolicies }),
    ...(lastRenewedAt === undefined
      ? {}
      : { last_renewal: toIsoNano(lastRenewedAt), last_renewal_time: epochSeconds(lastRenewedAt) }),
  }
}

/** A lookup's answer, for the reference. */
export const LookupShape = model('TokenInfo', {
  id: Type.String({ description: 'The token; empty when it was looked up by its accessor.' }),
  accessor: Type.String({ description: 'Identifies the token without giving access.' }),
  policies: Type.Array(Type.String(), { description: 'Policies of the token itself.' }),
  identity_policies: Type.Optional(Type.Array(Type.String(), { description: 'Policies of its entity.' })),
  path: Type.String({ description: 'The path that created it.' }),
  meta: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()], { description: 'Its metadata.' }),
  display_name: Type.String({ description: 'Its name in audit records.' }),
  num_uses: Type.Integer({ description: 'Uses left; 0 for no limit, -1 if this request is the last.' }),
  orphan: Type.Boolean({ description: 'Whether it is an orphan, that is, has no parent.' }),
  creation_time: Type.Integer({ description: 'Unix time in seconds.' }),
  creation_ttl: Type.Integer({ description: 'Lifetime it was created with, in seconds.' }),
  expire_time: Type.Union([Type.String(), Type.Null()], { description: 'When it expires; null for never.' }),
  ttl: Type.Integer({ description: 'Seconds left; 0 if it does not expire.' }),
  explicit_max_ttl: Type.Integer({ description: 'Maximum lifetime in seconds, regardless of renewals; 0 for none.' }),
  entity_id: Type.String({ description: 'The entity it acts for; may be empty.' }),
  type: Type.String({ description: '`service` or `batch`.' }),
  renewable: Type.Boolean({ description: 'Whether it can be renewed.' }),
  issue_time: Type.String({ description: 'When it was created.' }),
  role: Type.Optional(Type.String({ description: 'The token role it was created with.' })),
  period: Type.Optional(Type.Integer({ description: 'Lifetime that each renewal resets it to, in seconds.' })),
  bound_cidrs: Type.Optional(Type.Array(Type.String(), { description: 'Addresses it is accepted from.' })),
  last_renewal: Type.Optional(Type.String({ description: 'When it was last renewed.' })),
  last_renewal_time: Type.Optional(Type.Integer({ description: 'When it was last renewed, as Unix time in seconds.' })),
})
