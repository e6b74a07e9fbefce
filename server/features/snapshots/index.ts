import { defineFeature, type Feature } from '../../kit/feature.ts'
import { configurationEndpoints } from './configurations/configuration-endpoints.ts'
import { statusEndpoints } from './status/status-endpoints.ts'

/** Automated snapshots. */
export const snapshotsFeature: Feature = defineFeature({
  name: 'snapshots',
  endpoints: [...configurationEndpoints, ...statusEndpoints],
})
