import { sweepSpool } from '../../archive/index.ts'
import { defineFeature, type Feature } from '../../kit/feature.ts'
import { configurationEndpoints } from './configurations/configuration-endpoints.ts'
import { saveEndpoints } from './manual/save-endpoints.ts'
import { statusEndpoints } from './status/status-endpoints.ts'
import { verificationEndpoints } from './verification/verification-endpoints.ts'

/** Automated snapshots. */
export const snapshotsFeature: Feature = defineFeature({
  name: 'snapshots',
  endpoints: [...configurationEndpoints, ...statusEndpoints, ...saveEndpoints, ...verificationEndpoints],
  start: async (deps) => {
    const removed = await sweepSpool(deps)
    if (removed > 0) deps.log.info({ removed }, 'spool files of ended processes removed')
  },
})
