import { deleteAliasesOfMount } from './identity-store.ts'
import { defineFeature, type Feature } from '../../kit/feature.ts'

export { entityForLogin, identityFactsOf, type KnownEntity, type LoginAlias } from './identity-actions.ts'
export { knownLogin } from './known-logins.ts'

/** Entities: who is behind the names used at login. */
export const identityFeature: Feature = defineFeature({
  name: 'identity',
  endpoints: [],
  hooks: () => ({ forgetAliases: deleteAliasesOfMount }),
})
