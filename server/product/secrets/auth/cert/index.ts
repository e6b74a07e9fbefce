import { defineFeature, type Feature } from '../../../../kit/feature.ts'
import { configEndpoints } from './config/config-endpoints.ts'
import { deleteConfig } from './config/config-store.ts'
import { crlEndpoints } from './crls/crl-endpoints.ts'
import { crlJobs, measureStaleLists } from './crls/crl-jobs.ts'
import { warmCrls } from './crls/crl-memory.ts'
import { deleteCrlsOfMount } from './crls/crl-store.ts'
import { seedDevRole } from './dev-seed.ts'
import { equivalentNamePaths } from './equivalent-names.ts'
import { explainEndpoints } from './explain/explain-endpoints.ts'
import { loginEndpoints } from './login/login-endpoints.ts'
import { forgetRemovedMounts } from './mount-memory.ts'
import { renewalTermsOf } from './renewal/renewal-actions.ts'
import { objectionToUse } from './renewal/use-actions.ts'
import { roleEndpoints } from './roles/role-endpoints.ts'
import { measureExpiries, roleJobs } from './roles/role-jobs.ts'
import { deleteRolesOfMount } from './roles/role-store.ts'

export { roleOfCertificate } from './login/login-actions.ts'

/** Login with TLS client certificates. */
export const certAuthFeature: Feature = defineFeature({
  name: 'cert-auth',
  endpoints: [...roleEndpoints, ...crlEndpoints, ...configEndpoints, ...loginEndpoints, ...explainEndpoints],
  jobs: [...crlJobs, ...roleJobs],
  start: async (deps) => {
    measureExpiries(deps)
    measureStaleLists(deps)
    await warmCrls(deps)
    await forgetRemovedMounts(deps)
  },
  authMethod: (deps) => ({
    type: 'cert',
    renewalTerms: (token, mount, request) => renewalTermsOf(deps, token, { mount, request }),
    objectionToUse: (metadata, mount, request) => objectionToUse(deps, metadata.cert_name ?? '', { mount, request }),
    removeMount: async (tx, mountId) => {
      await deleteRolesOfMount(tx, mountId)
      await deleteCrlsOfMount(tx, mountId)
      await deleteConfig(tx, mountId)
    },
  }),
  equivalentPaths: { type: 'cert', with: equivalentNamePaths },
  devSeed: seedDevRole,
})
