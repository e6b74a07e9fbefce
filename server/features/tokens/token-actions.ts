import { failure } from '../../kernel/failure.ts'
import type { Deps } from '../../kit/deps.ts'
import { inTransaction } from '../../storage/transaction.ts'
import { tokenId } from './token-authentication.ts'
import { servicePrefix, type Token } from './token-rules.ts'
import { findToken, insertToken } from './token-store.ts'

type IssueDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'keyring'>

/** A token text of 190 bits behind the prefix of its kind. */
export const newTokenText = (deps: Pick<Deps, 'ids'>): string => `${servicePrefix}${deps.ids.text(32)}`

/** A token with nothing but its hash; what a caller asks for is put on top. */
export function blankToken(deps: IssueDeps, text: string): Token {
  return {
    id: tokenId(deps, text),
    accessor: deps.ids.text(24),
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
    authData: {},
    revoked: false,
  }
}

/** Makes a root token that never expires. The text may be chosen where the configuration fixes it. */
export async function createRootToken(deps: IssueDeps, chosen?: string): Promise<string> {
  const text = chosen ?? newTokenText(deps)
  if (text.length < 4) throw failure('invalid', 'token.too-short', 'A root token needs at least four characters.')
  const token: Token = { ...blankToken(deps, text), policies: ['root'], path: 'auth/token/root', displayName: 'root' }
  await inTransaction(deps.db, async (tx) => {
    if (!(await findToken(tx, token.id))) await insertToken(tx, token)
  })
  return text
}
