import { defineFeature, type Feature } from '../../../../kit/feature.ts'
import { secretsEngine } from '../../../../kit/mount-kind.ts'
import { adviseOnRules, notesOnMount } from './advice-actions.ts'
import { dataEndpoints } from './data-endpoints.ts'
import { seedSecret } from './dev-seed.ts'
import { elsewhere, meantPath, strayEndpoints } from './elsewhere-endpoints.ts'
import { expiryJobs, measureEnds, watchEnds } from './expiry-actions.ts'
import { historyEndpoints } from './history-endpoints.ts'
import { checkUpgrade, removeSome, totalsOf, variantOf } from './kv-actions.ts'
import { metadataEndpoints } from './metadata-endpoints.ts'
import { writeUses } from './use-actions.ts'
import { v1Endpoints } from './v1-endpoints.ts'

/** Secrets by path: in version 2 with their versions, in version 1 without. Both keep them in the same rows. */
export const kvFeature: Feature = defineFeature({
  name: 'kv',
  mounts: [
    secretsEngine({
      type: 'kv',
      aliases: { 'kv-v1': { version: '1' }, 'kv-v2': { version: '2' }, generic: { version: '1' } },
      variantOf,
      endpoints: {
        1: v1Endpoints,
        2: [...dataEndpoints, ...metadataEndpoints, ...historyEndpoints, ...strayEndpoints],
      },
      catchAll: elsewhere,
      meantPath,
      totals: totalsOf,
      tuned: checkUpgrade,
      notes: notesOnMount,
      removeSome,
    }),
  ],
  parts: { serverWatch: watchEnds, policyAdvice: adviseOnRules },
  jobs: expiryJobs,
  start: async (deps) => measureEnds(deps),
  stop: writeUses,
  devSeed: seedSecret,
})
