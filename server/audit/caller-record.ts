import { toIsoNano } from '../kernel/clock.ts'
import type { ActorPrincipal, Principal, TokenPrincipal } from '../kernel/principal.ts'
import type { AuditEvent } from '../kit/audit-trail.ts'
import type { Mask } from './hashing.ts'
import { compact, type Fields, field } from './record-parts.ts'

/** A caller as a device writes it down. */
export type CallerPart = {
  /** The `auth` of a record with the comma after it; empty for nobody. */
  readonly auth: string
  /** Its token and accessor, as they are written. */
  readonly token: string
  readonly accessor: string
  /** What `request` says of it: fields with a comma before each, those before the mount and those after it. */
  readonly client: string
  readonly credentials: string
}

type KnownCaller = Pick<AuditEvent, 'caller' | 'verdict'> & {
  /** The fields of `auth` beside the token, with a comma before each. */
  readonly described: string
  /** Kept for callers that are a token. People use one token or another, and the whole part depends on which one it was. */
  readonly whole: CallerPart | undefined
}

const rememberedCallers = 2_000

/**
 * Describes who calls. A caller comes again and again, each time as a new object with the same values, so the
 * description is kept while every value is the same. The object itself is not: what others know of a caller, such as
 * all that it may do, lasts as long as it does.
 */
export function createCallerWriter(mask: Mask): (event: AuditEvent) => CallerPart {
  const known = new Map<string, KnownCaller>()
  return (event) => {
    const { caller, verdict, request } = event
    if (caller.kind === 'anonymous') return writeCaller(mask, event, '')
    const found = known.get(caller.id)
    if (found && isSameCaller(found.caller, caller) && isSameVerdict(found.verdict, verdict)) {
      return found.whole ?? writeCaller(mask, event, found.described)
    }
    const described = textOf(mask.keys(describeCaller(caller, verdict)))
    const part = writeCaller(mask, event, described)
    if (known.size >= rememberedCallers) known.clear()
    const whole = caller.kind === 'token' && request.presentedToken !== '' ? part : undefined
    known.set(caller.id, { caller: { ...caller }, verdict, described, whole })
    return part
  }
}

function writeCaller(mask: Mask, { caller, request }: AuditEvent, described: string): CallerPart {
  const token = request.presentedToken === '' ? '' : mask.text(request.presentedToken)
  const accessor = caller.kind === 'token' && caller.accessor !== '' ? mask.accessor(caller.accessor) : ''
  const auth = `${field('client_token', token)}${described}`
  return {
    auth: caller.kind === 'anonymous' ? '' : `"auth":{${auth.slice(1)}},`,
    token,
    accessor,
    client: field('client_id', clientIdOf(caller)),
    credentials: field('client_token', token) + field('client_token_accessor', accessor),
  }
}

const textOf = (fields: Fields): string => {
  const text = JSON.stringify(fields)
  return text === '{}' ? '' : `,${text.slice(1, -1)}`
}

function isSameCaller(a: Principal, b: Principal): boolean {
  if (a === b) return true
  if (a.kind === 'token' && b.kind === 'token') return isSameToken(a, b)
  if (a.kind === 'token' || b.kind === 'token' || a.kind === 'anonymous' || b.kind === 'anonymous') return false
  return isSameActor(a, b)
}

/** Compares the values that the description of a token is made of. */
const isSameToken = (a: TokenPrincipal, b: TokenPrincipal): boolean =>
  a.displayName === b.displayName &&
  a.entityId === b.entityId &&
  a.accessor === b.accessor &&
  a.type === b.type &&
  a.issuedAt === b.issuedAt &&
  a.ttlSeconds === b.ttlSeconds &&
  a.remainingUses === b.remainingUses &&
  a.limitedUses === b.limitedUses &&
  a.root === b.root &&
  a.metadata === b.metadata &&
  isSameList(a.policies, b.policies) &&
  isSameList(a.identityPolicies, b.identityPolicies)

/** Compares the values that the description of an actor is made of. */
const isSameActor = (a: ActorPrincipal, b: ActorPrincipal): boolean =>
  a.kind === b.kind && a.name === b.name && a.via === b.via && a.organizationId === b.organizationId

const isSameList = (a: readonly string[] = [], b: readonly string[] = []): boolean =>
  a === b || (a.length === b.length && a.every((text, index) => text === b[index]))

const isSameVerdict = (a: AuditEvent['verdict'], b: AuditEvent['verdict']): boolean =>
  a?.allowed === b?.allowed && isSameList(a?.grantingPolicies, b?.grantingPolicies)

/** Names the caller in `client_id`; empty for nobody. */
function clientIdOf(caller: Principal): string {
  if (caller.kind === 'anonymous') return ''
  return caller.kind === 'token' ? caller.entityId : caller.id
}

function describeCaller(caller: Exclude<Principal, { kind: 'anonymous' }>, verdict: AuditEvent['verdict']): Fields {
  if (caller.kind === 'token') return describeToken(caller, verdict)
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
