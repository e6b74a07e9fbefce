import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { seedUserToken } from './dev-seed.ts'
import { tokenEndpoints } from './token-endpoints.ts'

export { authenticateApiToken, findTokenByText, issueToken, revokeToken } from './token-actions.ts'
export { answerNewToken, answerTokens, createTokenBase, listTokensBase } from './token-answers.ts'
export { type ApiToken, isApiToken, standardExpiry } from './token-rules.ts'
export { deleteTokens, listTokens, loadToken } from './token-store.ts'

/** API tokens: shown once, kept as keyed hashes. */
export const apiTokensFeature: Feature = defineFeature({
  name: 'api-tokens',
  endpoints: tokenEndpoints,
  devSeed: seedUserToken,
})
