import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { secretsEngine } from '../../../kit/mount-kind.ts'
import { aliasEndpoints } from './alias-endpoints.ts'
import { pageOfHolders } from './entity-actions.ts'
import { entityEndpoints, equivalentEntityPaths } from './entity-endpoints.ts'
import { removeAliasesOfMount } from './identity-store.ts'

export { checkMetadata } from './entity.ts'
export { fitsAlias } from './identity.ts'
export { entityForLogin, identityFactsOf, type KnownEntity, type LoginAlias, recallLogin } from './identity-actions.ts'

/** Entities: who is behind the names used at login. */
export const identityFeature: Feature = defineFeature({
  name: 'identity',
  mounts: [
    secretsEngine({
      type: 'identity',
      description: 'Entities and the aliases they log in with.',
      singleton: { path: 'identity/' },
      endpoints: [...entityEndpoints, ...aliasEndpoints],
      equivalentPaths: equivalentEntityPaths,
    }),
  ],
  parts: {
    holderSource: { kind: 'entity', source: 'entity', page: pageOfHolders },
    mountStep: { removeSome: (_deps, tx, { accessor }, limit) => removeAliasesOfMount(tx, accessor, limit) },
  },
})
