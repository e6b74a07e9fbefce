import { hash } from 'node:crypto'
import { matchesCidrs } from '../../access/cidr.ts'
import { type Failure, failure } from '../../kernel/failure.ts'
import type { TokenPrincipal } from '../../kernel/principal.ts'
import type { Deps } from '../../kit/deps.ts'
import type { RequestFacts } from '../../kit/endpoint.ts'
import { identityFactsOf } from '../identity/index.ts'
import { findLiving } from './known-tokens.ts'
import { hasUses, principalOf, type Token } from './records/token-rules.ts'
import { takeUse } from './records/token-store.ts'
import { notAWrappingToken, opensOwnAnswer } from './wrapping/wrapping-rules.ts'

/** Checks a token for this request and takes one use of it. */
export async function authenticate(deps: Deps, text: string, request: RequestFacts): Promise<TokenPrincipal> {
  const token = await findLiving(deps, text)
  if (!token || !hasUses(token)) throw unusable(request)
  requireAddress(token, request)
  requireCertificate(token, request)
  const facts = identityFactsOf(deps, token.entityId)
  const { entity } = facts instanceof Promise ? await facts : facts
  if (token.entityId !== '' && (!entity || entity.disabled)) throw denied()
  if (token.numUses === 0) return principalOf(token, entity?.policies ?? [], 0)
  const left = await takeUse(deps.db, token.id)
  if (left === undefined) throw unusable(request)
  return principalOf(token, entity?.policies ?? [], left)
}

/** Where wrapped answers are opened, a token that does not work is an answer that is gone, or was taken by somebody else. */
const unusable = (request: RequestFacts): Failure => (opensOwnAnswer(request) ? notAWrappingToken() : invalid())

const invalid = (): Failure =>
  failure('forbidden', 'token.invalid', 'permission denied', {
    faults: [{ detail: 'permission denied' }, { detail: 'invalid token' }],
  })

/** Refusals that would tell a thief what is missing say no more than this. */
const denied = (): Failure => failure('forbidden', 'acl.denied', 'permission denied')

/** A token bound to addresses works only from there, on every use. One without end has no bounds. */
function requireAddress({ boundCidrs, expiresAt }: Token, request: RequestFacts): void {
  if (boundCidrs.length === 0 || expiresAt === undefined) return
  if (!matchesCidrs(boundCidrs, request.remoteAddress)) throw denied()
}

/** A token bound to a certificate works only over a connection that presents the same one (the idea of RFC 8705 §3). */
function requireCertificate(token: Token, request: RequestFacts): void {
  if (token.certificateFingerprint === '') return
  const leaf = request.certificate?.leaf
  if (!leaf || hash('sha256', leaf, 'hex') !== token.certificateFingerprint) throw denied()
}
