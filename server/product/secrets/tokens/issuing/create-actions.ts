import type { TokenPlan, TokenRequest, TokenRole } from '../../../../access/token-plan.ts'
import { unknownPolicyWarnings } from '../../../../access/token-policies.ts'
import { planToken } from '../../../../access/token-rules.ts'
import { ttlsOf } from '../../../../access/ttl.ts'
import { later } from '../../../../kernel/clock.ts'
import { failure } from '../../../../kernel/failure.ts'
import type { TokenPrincipal } from '../../../../kernel/principal.ts'
import type { Deps } from '../../../../kit/deps.ts'
import type { RequestFacts } from '../../../../kit/endpoint.ts'
import type { AuthAnswer, RecordedAuth } from '../../../../kit/reply.ts'
import { isUniqueViolation } from '../../../../storage/database-errors.ts'
import type { Tx } from '../../../../storage/open.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { entityForLogin, identityFactsOf } from '../../identity/index.ts'
import { aclOf, findPolicies } from '../../policies/index.ts'
import type { Token } from '../records/token.ts'
import { authAnswer, recordedAuth } from '../records/token-fields.ts'
import { insertTokenAtEnd, lockAncestryForShare } from '../records/token-store.ts'
import { newTokenText, sealBatchToken } from '../records/token-text-actions.ts'
import { countCreated } from '../token-metrics-actions.ts'
import { blankToken } from './new-token-actions.ts'

type CreateDeps = Pick<Deps, 'db' | 'store' | 'ids' | 'clock' | 'keyring' | 'settings' | 'metrics' | 'mountKinds'>

/** A request for a token, and everything that decides about it. */
export type CreateRequest = {
  readonly request: TokenRequest
  readonly caller: TokenPrincipal
  readonly facts: RequestFacts
  readonly meta: Readonly<Record<string, string>>
  readonly role: TokenRole | undefined
  readonly orphanPath: boolean
}

/** Every use of a token checks all its ancestors, so there may not be more than this. */
const maxGenerations = 1_000

/** Makes a token for a caller that already has one. */
export async function createToken(
  deps: CreateDeps,
  requested: CreateRequest,
): Promise<{ auth: AuthAnswer; recorded: RecordedAuth; warnings: readonly string[] }> {
  const plan = await planOrRefuse(deps, requested)
  const text = requested.request.id || (plan.type === 'service' ? newTokenText(deps) : '')
  const draft = draftToken(deps, requested, plan, text)
  const made = await storeWithRetry(requested, () =>
    inTransaction(deps.db, (tx) => store(deps, tx, requested, plan, draft)),
  )
  countCreated(deps, made)
  const { entity } = await identityFactsOf(deps, made.entityId)
  const extras = { identityPolicies: entity?.policies ?? [], leaseDuration: plan.ttl }
  const finalText = made.type === 'batch' ? sealBatchToken(deps, made) : text
  const warnings = [...plan.warnings, ...(await warnAboutPolicies(deps, plan.policies))]
  return { auth: authAnswer(made, { ...extras, text: finalText }), recorded: recordedAuth(made), warnings }
}

async function planOrRefuse(
  deps: CreateDeps,
  { request, caller, facts, role, orphanPath }: CreateRequest,
): Promise<TokenPlan> {
  const acl = await aclOf(deps, caller)
  const { type, policies, limitedUses, boundCidrs } = caller
  const decision = planToken(request, {
    parent: { type, policies, limitedUses, boundCidrs, expires: caller.expiresAt !== undefined },
    role,
    sudo: acl.check({ path: facts.path, operation: 'update' }).sudo,
    orphanPath,
    now: deps.clock.now(),
    mount: ttlsOf(deps, facts.mount),
  })
  if (decision.ok) return decision.plan
  throw failure('invalid', 'token.refused', decision.text)
}

function draftToken(
  deps: CreateDeps,
  { request, caller, meta, role }: CreateRequest,
  plan: TokenPlan,
  text: string,
): Token {
  const now = deps.clock.now()
  const { ttl, entity, warnings: _warnings, ...terms } = plan
  return {
    ...blankToken(deps, text),
    ...terms,
    parentId: terms.orphan ? '' : caller.id,
    // A child works only where its parent does; only callers who may create orphans can issue tokens for elsewhere.
    certificateFingerprint: terms.orphan ? '' : caller.certificateFingerprint,
    metadata: meta,
    entityId: entity === 'parent' ? caller.entityId : '',
    role: role?.name ?? '',
    createdAt: now,
    expiresAt: ttl === 0 ? undefined : later(now, ttl * 1_000),
    creationTtl: ttl,
    usesLeft: terms.numUses,
    authData: role ? { asked: { period: request.period, explicitMaxTtl: request.explicitMaxTtl } } : {},
  }
}

async function store(
  deps: CreateDeps,
  tx: Tx,
  requested: CreateRequest,
  plan: TokenPlan,
  draft: Token,
): Promise<Token> {
  const token = plan.entity === 'alias' ? { ...draft, entityId: await entityOfAlias(deps, tx, requested) } : draft
  // Last: the parent's row should not stay locked while this waits for something else.
  if (draft.parentId !== '') await requireParent(tx, draft.parentId)
  if (token.type === 'service') await insertTokenAtEnd(tx, token)
  return token
}

/**
 * The parent may have been revoked since it was authenticated, or be about to be; its child would be dead from the
 * start.
 */
async function requireParent(tx: Tx, id: string): Promise<void> {
  const ancestry = await lockAncestryForShare(tx, id)
  if (!ancestry.intact) throw failure('invalid', 'token.no-parent', 'the parent token was not found')
  if (ancestry.generations >= maxGenerations) {
    throw failure('invalid', 'token.too-deep', `a token cannot have more than ${maxGenerations} ancestors`)
  }
}

async function entityOfAlias(deps: CreateDeps, tx: Tx, { request, facts }: CreateRequest): Promise<string> {
  const mountAccessor = facts.mount?.accessor ?? ''
  const { entity } = await entityForLogin(deps, tx, { mountAccessor, name: request.entityAlias, metadata: undefined })
  if (entity.disabled) throw failure('refused', 'token.entity-disabled', 'the entity of the alias is disabled')
  return entity.id
}

/**
 * If two requests use an alias for the first time at the same moment, one has to try again. A second conflict means
 * that the chosen id is taken.
 */
async function storeWithRetry({ request }: CreateRequest, attempt: () => Promise<Token>): Promise<Token> {
  try {
    return await attempt()
  } catch (thrown) {
    if (!isUniqueViolation(thrown)) throw thrown
  }
  try {
    return await attempt()
  } catch (thrown) {
    if (!isUniqueViolation(thrown) || request.id === '') throw thrown
    throw failure('invalid', 'token.id-taken', 'cannot create a token with an id that is in use')
  }
}

async function warnAboutPolicies(deps: CreateDeps, names: readonly string[]): Promise<string[]> {
  const known = await findPolicies(deps, names)
  return unknownPolicyWarnings(names, (name) => known.has(name))
}
