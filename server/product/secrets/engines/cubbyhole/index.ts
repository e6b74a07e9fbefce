import { defineFeature, type Feature } from '../../../../kit/feature.ts'
import { secretsEngine } from '../../../../kit/mount-kind.ts'
import { cubbyholeEndpoints } from './cubbyhole-endpoints.ts'

/** The private store of each token. Its rows belong to the token, which takes them along, and not to the mount. */
export const cubbyholeFeature: Feature = defineFeature({
  name: 'cubbyhole',
  mounts: [
    secretsEngine({
      type: 'cubbyhole',
      description: 'Values that only one token can read.',
      singleton: { path: 'cubbyhole/', local: true },
      endpoints: cubbyholeEndpoints,
    }),
  ],
})
