import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { tokenEndpoints } from './api-token-endpoints.ts'
import { seedUserToken } from './dev-seed.ts'

export { type ApiToken, isAlive, isApiToken } from './api-token.ts'
export { authenticateAgentToken, authenticateApiToken, issueToken, revokeToken } from './api-token-actions.ts'
export { answerNewToken, answerTokens, createTokenBase, listTokensBase } from './api-token-endpoints.ts'
export { deleteTokens, listTokens, loadToken } from './api-token-store.ts'

/** API tokens: shown once, kept as keyed hashes. */
export const apiTokensFeature: Feature = defineFeature({
  name: 'api-tokens',
  endpoints: tokenEndpoints,
  devSeed: seedUserToken,
})
