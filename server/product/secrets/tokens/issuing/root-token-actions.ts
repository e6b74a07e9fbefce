import { failure } from '../../../../kernel/failure.ts'
import type { Deps } from '../../../../kit/deps.ts'
import type { DevFacts } from '../../../../kit/feature.ts'
import type { Tx } from '../../../../storage/open.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import type { Token } from '../records/token-rules.ts'
import { findToken, insertToken } from '../records/token-store.ts'
import { batchPrefix, newTokenText } from '../records/token-text.ts'
import { blankToken, type NewTokenDeps } from './new-token.ts'

/** Makes a root token that never expires. The text may be given by the configuration. */
export async function createRootToken(tx: Tx, deps: NewTokenDeps, chosen?: string): Promise<string> {
  const text = chosen ?? newTokenText(deps)
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
