import { textOf } from '../../../kernel/failure.ts'
import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { rootGenerationEndpoints } from './generate-root/root-generation-endpoints.ts'
import { adoptRotatedKeys, saveKeyUsage } from './key-change-actions.ts'
import { rekeyEndpoints } from './rekey/rekey-endpoints.ts'
import { keyUsageJob, rekeyRestsJob } from './seal-actions.ts'
import { sealEndpoints } from './seal-endpoints.ts'
import { sealNode } from './seal-node-actions.ts'

export type { Initialised } from './init-actions.ts'
export { adoptRestoredSeal, adoptRotatedKeys } from './key-change-actions.ts'
export { openAutoSeal, warnIfSealed } from './seal-actions.ts'
export { requireSeal, sealNode } from './seal-node-actions.ts'
export { loadSeal } from './seal-store.ts'
export { warnOfSealType } from './seal-type-actions.ts'

/** The seal: it protects the secrets of the store from those who only have its files. */
export const sealFeature: Feature = defineFeature({
  name: 'seal',
  endpoints: [...sealEndpoints, ...rekeyEndpoints, ...rootGenerationEndpoints],
  jobs: [keyUsageJob, rekeyRestsJob],
  services: (deps) => ({
    seal: { status: () => deps.keyring.state, pendingKeys: () => sealNode(deps).following },
  }),
  start: async (deps) => {
    const { store, log } = deps
    const report = (error: unknown) => log.error({ error: textOf(error) }, 'could not apply a change of the seal')
    store.versions.onChange('keyring', () => {
      const node = sealNode(deps)
      const following = adoptRotatedKeys(deps)
        .catch(report)
        .finally(() => {
          if (node.following === following) node.following = undefined
        })
      node.following = following
    })
    store.versions.onChange('key-usage', () => {
      void saveKeyUsage(deps).catch((error) =>
        log.error({ error: textOf(error) }, 'could not store the usage of the data keys'),
      )
    })
  },
})
