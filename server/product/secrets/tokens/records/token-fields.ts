import { normalizePolicyNames } from '../../../../access/policies/policy-names.ts'
import type { AuthAnswer, RecordedAuth } from '../../../../kit/reply.ts'
import type { Token } from './token.ts'

/** What an `auth` answer says besides the token's own facts. */
export type AuthExtras = {
  /** Empty if the answer must not contain the token's text. */
  readonly text: string
  readonly identityPolicies: readonly string[]
  readonly leaseDuration: number
}

/** What audit records say about an issued token besides the answer. */
export const recordedAuth = ({ displayName, createdAt }: Token): RecordedAuth => ({
  display_name: displayName,
  issuedAt: createdAt,
})

/** The `auth` part of an answer that hands out or renews a token. */
export function authAnswer(token: Token, { text, identityPolicies, leaseDuration }: AuthExtras): AuthAnswer {
  return {
    client_token: text,
    accessor: token.accessor,
    policies: normalizePolicyNames([...token.policies, ...identityPolicies]),
    ...(token.policies.length > 0 ? { token_policies: token.policies } : {}),
    ...(identityPolicies.length > 0 ? { identity_policies: identityPolicies } : {}),
    metadata: Object.keys(token.metadata).length > 0 ? token.metadata : null,
    lease_duration: leaseDuration,
    renewable: token.renewable,
    entity_id: token.entityId,
    token_type: token.type,
    orphan: token.orphan,
    mfa_requirement: null,
    num_uses: token.numUses,
  }
}
