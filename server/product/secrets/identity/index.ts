import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { secretsEngine } from '../../../kit/mount-kind.ts'
import { aliasEndpoints } from './alias-endpoints.ts'
import { entityEndpoints, equivalentEntityPaths } from './entity-endpoints.ts'
import { deleteAliasesOfMount } from './identity-store.ts'

export { checkMetadata } from './entity-rules.ts'
export { entityForLogin, identityFactsOf, type KnownEntity, type LoginAlias } from './identity-actions.ts'
export { fitsAlias } from './identity-rules.ts'
export { recallLogin } from './known-logins.ts'

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
  parts: { mountStep: { removing: (tx, { accessor }) => deleteAliasesOfMount(tx, accessor) } },
})
