import { resolveTokenType, type TokenType } from '../../../../access/token-plan.ts'
import { computeTtl, pastMaxTtlText, ttlsOf } from '../../../../access/ttl.ts'
import { later } from '../../../../kernel/clock.ts'
import { failure } from '../../../../kernel/failure.ts'
import { permissionDenied } from '../../../../kit/access.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { type AuthAnswer, auth, type RecordedAuth, type Reply } from '../../../../kit/reply.ts'
import { isUniqueViolation } from '../../../../storage/database-errors.ts'
import type { Db, Tx } from '../../../../storage/open.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { entityForLogin, type LoginAlias, recallLogin } from '../../identity/index.ts'
import type { Token } from '../records/token.ts'
import { authAnswer, recordedAuth } from '../records/token-fields.ts'
import { insertToken } from '../records/token-store.ts'
import { newTokenText, sealBatchToken } from '../records/token-text-actions.ts'
import { countCreated } from '../token-metrics-actions.ts'
import { type LoginGrant, loginDisplayName, loginPolicies } from './login.ts'
import { blankToken } from './new-token-actions.ts'

type LoginDeps = Pick<Deps, 'db' | 'store' | 'ids' | 'clock' | 'keyring' | 'settings' | 'metrics' | 'mountKinds'>
type Entity = Awaited<ReturnType<typeof entityForLogin>>['entity']

/** What a login returns. */
export type IssuedLogin = {
  readonly auth: AuthAnswer
  readonly warnings: readonly string[]
  /** What audit records say of the token. */
  readonly recorded: RecordedAuth
  /** True when this login made the entity. */
  readonly entityCreated: boolean
}

/** The answer to a login: its token, with warnings, and what audit records say besides. */
export function loginReply(login: IssuedLogin, warn: (text: string) => void, recorded: RecordedAuth = {}): Reply {
  for (const text of login.warnings) warn(text)
  const made = login.entityCreated ? { entity_created: true } : {}
  return auth(login.auth, { ...login.recorded, ...made, ...recorded })
}

/** What a login writes besides, in the transaction that stores its token; it throws to refuse the login. */
export type Alongside = (tx: Tx) => Promise<void>

/**
 * Issues the token of a login and stores it durably, together with the entity if that is new or changed, and with what
 * `alongside` writes. If anything is thrown, there is no token.
 */
export async function issueLoginToken(deps: LoginDeps, grant: LoginGrant, alongside?: Alongside): Promise<IssuedLogin> {
  const planned = planLogin(deps, grant)
  const issued = await issue(deps, planned, aliasOf(grant), alongside)
  // Not in the transaction, whose body may run more than once.
  countCreated(deps, planned.token)
  return issued
}

async function issue(
  deps: LoginDeps,
  planned: PlannedLogin,
  alias: LoginAlias | undefined,
  alongside: Alongside | undefined,
): Promise<IssuedLogin> {
  const known = alias && (await recallLogin(deps, alias))
  if (alias && !known) return await firstLogin(deps, planned, alias, alongside)
  const who = { entity: known, created: false }
  // Only the token has to be written: one statement, which shares its commit with other logins.
  if (!alongside) return await issuePlanned(deps, planned, who, deps.db)
  return await inTransaction(deps.db, async (tx) => {
    await alongside(tx)
    return await issuePlanned(deps, planned, who, tx)
  })
}

/** If two first logins happen at the same moment, one makes the entity, and the other finds it when it tries again. */
async function firstLogin(
  deps: LoginDeps,
  planned: PlannedLogin,
  alias: LoginAlias,
  alongside: Alongside | undefined,
): Promise<IssuedLogin> {
  const attempt = () =>
    inTransaction(deps.db, async (tx) => {
      await alongside?.(tx)
      return await issuePlanned(deps, planned, await entityForLogin(deps, tx, alias), tx)
    })
  try {
    return await attempt()
  } catch (thrown) {
    if (!isUniqueViolation(thrown)) throw thrown
    return await attempt()
  }
}

type PlannedLogin = {
  readonly token: Token
  /** Empty for a batch token, whose text is made from the finished token. */
  readonly text: string
  readonly warnings: readonly string[]
}
type LoginEntity = { readonly entity: Entity | undefined; readonly created: boolean }

const aliasOf = ({ mount, alias }: LoginGrant): LoginAlias | undefined =>
  alias && { metadata: undefined, ...alias, mountAccessor: mount.accessor }

function planLogin(deps: LoginDeps, grant: LoginGrant): PlannedLogin {
  const type = resolveTokenType(grant.mount.config.tokenType, grant.tokenType ?? '')
  const text = type === 'service' ? newTokenText(deps) : ''
  const now = deps.clock.now()
  // Batch tokens cannot be renewed, but all limits apply to their only lifetime.
  const { ttl, maxTtl, period, explicitMaxTtl } = grant
  const terms = { ttl, maxTtl, period, explicitMaxTtl }
  const lifetime = computeTtl({ now, issuedAt: now, mount: ttlsOf(deps, grant.mount), ...terms })
  if (!lifetime.ok) throw failure('invalid', 'login.past-max-ttl', pastMaxTtlText)
  const token: Token = {
    ...blankToken(deps, text),
    ...(type === 'service' ? storedTerms(grant) : {}),
    type,
    policies: loginPolicies(grant),
    path: grant.path,
    displayName: loginDisplayName(grant),
    metadata: grant.metadata ?? {},
    mountId: grant.mount.loginId,
    createdAt: now,
    expiresAt: later(now, lifetime.ttl * 1_000),
    creationTtl: lifetime.ttl,
    boundCidrs: grant.boundCidrs ?? [],
    certificateFingerprint: grant.certificateFingerprint ?? '',
    platformTeam: grant.platformTeam ?? '',
    platformTeamId: grant.platformTeamId ?? '',
  }
  return { token, text, warnings: [...lifetime.warnings, ...usesWarnings(type, grant)] }
}

/** A mount may be tuned to batch tokens after its roles were written; a warning says which limit no longer applies. */
const usesWarnings = (type: TokenType, { numUses = 0 }: LoginGrant): string[] =>
  type === 'batch' && numUses > 0
    ? [`'token_num_uses' of ${numUses} has no effect: the mount issues batch tokens, whose uses are not counted`]
    : []

/** What only a stored token can have. */
const storedTerms = ({ period = 0, explicitMaxTtl = 0, numUses = 0, authData = {} }: LoginGrant) => ({
  period,
  explicitMaxTtl,
  numUses,
  usesLeft: numUses,
  renewable: true,
  authData,
})

async function issuePlanned(
  deps: LoginDeps,
  planned: PlannedLogin,
  who: LoginEntity,
  db: Db | Tx,
): Promise<IssuedLogin> {
  const { entity } = who
  if (entity?.disabled) throw permissionDenied({ cause: new Error(`The entity '${entity.name}' is disabled.`) })
  const token: Token = { ...planned.token, entityId: entity?.id ?? '' }
  const text = token.type === 'batch' ? sealBatchToken(deps, token) : planned.text
  if (token.type === 'service') await insertToken(db, token)
  const extras = { text, identityPolicies: entity?.policies ?? [], leaseDuration: token.creationTtl }
  return {
    auth: authAnswer(token, extras),
    warnings: planned.warnings,
    recorded: recordedAuth(token),
    entityCreated: who.created,
  }
}
