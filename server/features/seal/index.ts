import { textOf } from '../../kernel/failure.ts'
import { defineFeature, type Feature } from '../../kit/feature.ts'
import { followRotation, sealNow, submitShare } from './seal-actions.ts'
import { sealEndpoints } from './seal-endpoints.ts'

export { followRestore, type Initialised, openAutoSeal, requireSeal, sealNode } from './seal-actions.ts'

/** The seal: what keeps the secrets of the store closed to those who only have its files. */
export const sealFeature: Feature = defineFeature({
  name: 'seal',
  endpoints: sealEndpoints,
  hooks: (deps) => ({ sealStatus: () => deps.keyring.state }),
  start: async (deps) => {
    const report = (error: unknown) => deps.log.error({ error: textOf(error) }, 'seal state was not taken over')
    deps.store.versions.onChange('keyring', () => void followRotation(deps).catch(report))
    deps.peers.on('seal.seal', () => sealNow(deps))
    deps.peers.on('seal.share', (share) => void submitShare(deps, String(share)).catch(report))
  },
})
