import { toIsoNano } from '../kernel/clock.ts'
import type { ActorPrincipal, Principal, TokenPrincipal } from '../kernel/principal.ts'
import type { AuditEvent } from '../kit/audit-trail.ts'
import { compact, type Fields, type Part, partOf } from './record-parts.ts'

const rememberedCallers = 2_000

/**
 * Describes who calls. A caller comes again and again, each time as a new object with the same values, so the
 * description is kept while every value is the same.
 */
export function rememberCallers(): (event: AuditEvent) => Part | undefined {
  const known = new Map<string, Pick<AuditEvent, 'caller' | 'verdict'> & { part: Part }>()
  return (event) => {
    const { caller, verdict } = event
    if (caller.kind === 'anonymous') return undefined
    const found = known.get(caller.id)
    if (found && isSameCaller(found.caller, caller) && isSameVerdict(found.verdict, verdict)) return found.part
    const part = partOf(describeCaller(event))
    if (known.size >= rememberedCallers) known.clear()
    known.set(caller.id, { caller, verdict, part })
    return part
  }
}

/** The values that the description of a token is made of. */
const tokenFields = [
  'displayName',
  'entityId',
  'accessor',
  'type',
  'issuedAt',
  'ttlSeconds',
  'remainingUses',
  'limitedUses',
  'root',
  'metadata',
] as const satisfies readonly (keyof TokenPrincipal)[]

const actorFields = ['kind', 'name', 'via', 'organizationId'] as const satisfies readonly (keyof ActorPrincipal)[]

function isSameCaller(a: Principal, b: Principal): boolean {
  if (a === b) return true
  if (a.kind === 'token' && b.kind === 'token') return isSameToken(a, b)
  if (a.kind === 'token' || b.kind === 'token' || a.kind === 'anonymous' || b.kind === 'anonymous') return false
  return actorFields.every((field) => a[field] === b[field])
}

const isSameToken = (a: TokenPrincipal, b: TokenPrincipal): boolean =>
  tokenFields.every((field) => a[field] === b[field]) &&
  isSameList(a.policies, b.policies) &&
  isSameList(a.identityPolicies, b.identityPolicies)

const isSameList = (a: readonly string[] = [], b: readonly string[] = []): boolean =>
  a === b || (a.length === b.length && a.every((text, index) => text === b[index]))

const isSameVerdict = (a: AuditEvent['verdict'], b: AuditEvent['verdict']): boolean =>
  a?.allowed === b?.allowed && isSameList(a?.grantingPolicies, b?.grantingPolicies)

/** Names the caller in `client_id`; empty for nobody. */
export function clientIdOf(caller: Principal): string {
  if (caller.kind === 'anonymous') return ''
  return caller.kind === 'token' ? caller.entityId : caller.id
}

/** The accessor of the caller's token, if it has one. */
export const accessorOf = (caller: Principal): string => (caller.kind === 'token' ? caller.accessor : '')

function describeCaller(event: AuditEvent): Fields {
  const { caller } = event
  if (caller.kind === 'anonymous') return {}
  if (caller.kind === 'token') return describeToken(caller, event.verdict)
  return compact({
    display_name: caller.name,
    entity_id: caller.id,
    token_type: caller.via,
    metadata: compact({ kind: caller.kind, organization_id: caller.organizationId }),
  })
}

function describeToken(token: TokenPrincipal, verdict: AuditEvent['verdict']): Fields {
  return compact({
    accessor: token.accessor,
    display_name: token.displayName,
    policies: [...new Set([...token.policies, ...token.identityPolicies])].sort(),
    token_policies: token.policies,
    identity_policies: token.identityPolicies,
    policy_results: verdict && {
      allowed: verdict.allowed,
      ...compact({
        granting_policies: verdict.grantingPolicies.map((name) => ({ name, namespace_id: 'root', type: 'acl' })),
      }),
    },
    metadata: token.metadata,
    entity_id: token.entityId,
    remaining_uses: token.limitedUses ? token.remainingUses : 0,
    token_type: token.type,
    token_ttl: token.ttlSeconds,
    token_issue_time: toIsoNano(token.issuedAt),
    no_default_policy: !token.root && !token.policies.includes('default'),
  })
}
