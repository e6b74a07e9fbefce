import { defineFeature, type Feature } from '../../kit/feature.ts'
import { configEndpoints } from './config/config-endpoints.ts'
import { deleteConfig } from './config/config-store.ts'
import { seedDevRole } from './dev-seed.ts'
import { loginEndpoints } from './login/login-endpoints.ts'
import { forgetDirectory } from './login/role-directory.ts'
import { renewalTermsOf } from './renewal/renewal-actions.ts'
import { roleEndpoints } from './roles/role-endpoints.ts'
import { deleteRolesOfMount } from './roles/role-store.ts'

/** Login with TLS client certificates. */
export const certAuthFeature: Feature = defineFeature({
  name: 'cert-auth',
  endpoints: [...roleEndpoints, ...configEndpoints, ...loginEndpoints],
  authMethod: (deps) => ({
    type: 'cert',
    renewalTerms: (token, mount, request) =>
      renewalTermsOf(deps, token, { mount, request, signal: AbortSignal.timeout(30_000) }),
    removeMount: async (tx, mountId) => {
      forgetDirectory(deps, mountId)
      await deleteRolesOfMount(tx, mountId)
      await deleteConfig(tx, mountId)
    },
  }),
  devSeed: seedDevRole,
})
