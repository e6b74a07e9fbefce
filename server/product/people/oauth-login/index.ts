import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { authorizationEndpoints } from './authorization-endpoints.ts'
import { codeSweep } from './code-actions.ts'

/** How a command line gets a token through a browser. */
export const oauthLoginFeature: Feature = defineFeature({
  name: 'oauth-login',
  endpoints: authorizationEndpoints,
  jobs: [codeSweep],
})
