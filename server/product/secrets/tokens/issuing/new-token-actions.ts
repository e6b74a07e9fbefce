import { failure } from '../../../../kernel/failure.ts'
import type { Deps } from '../../../../kit/deps.ts'
import type { DevFacts } from '../../../../kit/feature.ts'
import type { Tx } from '../../../../storage/open.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import type { Token } from '../records/token.ts'
import { findToken, insertToken } from '../records/token-store.ts'
import { batchPrefix, newAccessor, newRootTokenText, tokenId } from '../records/token-text-actions.ts'

/** What making a new token needs. */
type NewTokenDeps = Pick<Deps, 'ids' | 'clock' | 'keyring'>

/** A token with only the hash of its text (none for a batch token); the caller fills in the rest. */
export function blankToken(deps: NewTokenDeps, text: string): Token {
  return {
    id: text === '' ? '' : tokenId(deps, text),
    type: 'service',
    accessor: text === '' ? '' : newAccessor(deps),
    parentId: '',
    policies: [],
    path: 'auth/token/create',
    displayName: 'token',
    metadata: {},
    entityId: '',
    role: '',
    mountId: '',
    createdAt: deps.clock.now(),
    expiresAt: undefined,
    creationTtl: 0,
    explicitMaxTtl: 0,
    period: 0,
    renewable: false,
    lastRenewedAt: undefined,
    numUses: 0,
    usesLeft: 0,
    boundCidrs: [],
    orphan: true,
    wrapping: false,
    certificateFingerprint: '',
    platformTeam: '',
    platformTeamId: '',
    authData: {},
    revoked: false,
  }
}

/** Makes a root token that never expires. The text may be given by the configuration. */
export async function createRootToken(tx: Tx, deps: NewTokenDeps, chosen?: string): Promise<string> {
  const text = chosen ?? newRootTokenText(deps)
  if (text.length < 4) throw failure('invalid', 'token.too-short', 'A root token needs at least four characters.')
  if (text.startsWith(batchPrefix)) {
    throw failure('invalid', 'token.reserved-prefix', `A root token cannot start with '${batchPrefix}'.`)
  }
  const token: Token = { ...blankToken(deps, text), policies: ['root'], path: 'auth/token/root', displayName: 'root' }
  if (!(await findToken(tx, token.id))) await insertToken(tx, token)
  return text
}

/**
 * Development mode shows a root token at every start: another one may be configured by now, and the first may be
 * revoked.
 */
export async function seedRootToken(deps: NewTokenDeps & Pick<Deps, 'db' | 'settings'>): Promise<Partial<DevFacts>> {
  const { rootToken } = deps.settings
  if (!rootToken) return {}
  return { root_token: await inTransaction(deps.db, (tx) => createRootToken(tx, deps, rootToken.reveal())) }
}
