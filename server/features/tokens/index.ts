import { defineFeature, type Feature } from '../../kit/feature.ts'
import { createRootToken } from './token-actions.ts'
import { authenticateServiceToken } from './token-authentication.ts'

/** Tokens: who may call `/v1`, and for how long. */
export const tokensFeature: Feature = defineFeature({
  name: 'tokens',
  endpoints: [],
  hooks: (deps) => ({
    authenticateToken: (token, request) => authenticateServiceToken(deps, token, request),
    createRootToken: (text) => createRootToken(deps, text),
  }),
})
