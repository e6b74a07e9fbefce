import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { clientEndpoints } from './vcs-client-endpoints.ts'
import { tokenEndpoints } from './vcs-token-endpoints.ts'

/** Connections to version control, made with a token of the provider. */
export const vcsConnectionsFeature: Feature = defineFeature({
  name: 'vcs-connections',
  endpoints: [...clientEndpoints, ...tokenEndpoints],
})
