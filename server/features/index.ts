import type { Feature } from '../kit/feature.ts'
import { auditDevicesFeature } from './audit-devices/index.ts'
import { identityFeature } from './identity/index.ts'
import { mountsFeature } from './mounts/index.ts'
import { policiesFeature } from './policies/index.ts'
import { sealFeature } from './seal/index.ts'
import { statusFeature } from './status/index.ts'
import { tokensFeature } from './tokens/index.ts'

/** Every part of the server. A feature that others stand on comes before them. */
export const features: readonly Feature[] = [
  sealFeature,
  auditDevicesFeature,
  mountsFeature,
  identityFeature,
  policiesFeature,
  tokensFeature,
  statusFeature,
]
