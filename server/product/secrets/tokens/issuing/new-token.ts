import type { Deps } from '../../../../kit/deps.ts'
import type { Token } from '../records/token-rules.ts'
import { newAccessor, tokenId } from '../records/token-text.ts'

/** What making a new token needs. */
export type NewTokenDeps = Pick<Deps, 'ids' | 'clock' | 'keyring'>

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
