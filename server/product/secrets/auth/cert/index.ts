import { defineFeature, type Feature } from '../../../../kit/feature.ts'
import { authMethod } from '../../../../kit/mount-kind.ts'
import { watchTrust } from './attention-actions.ts'
import { equivalentNamePaths, forgetRemovedMounts, removeSome } from './cert-actions.ts'
import { configEndpoints } from './config/config-endpoints.ts'
import { crlJobs, measureStaleLists } from './crls/crl-actions.ts'
import { crlEndpoints } from './crls/crl-endpoints.ts'
import { warmCrls } from './crls/crl-memory-actions.ts'
import { seedDevRole } from './dev-seed.ts'
import { explainEndpoints } from './explain/explain-endpoints.ts'
import { loginEndpoints } from './login/login-endpoints.ts'
import { measureRecord, recordJobs, writeRecord } from './record/login-record-actions.ts'
import { recordEndpoints } from './record/login-record-endpoints.ts'
import { reasonToRefuseUse, renewalTermsOf } from './renewal/renewal-actions.ts'
import { measureExpiries, pageOfHolders, roleJobs } from './roles/role-actions.ts'
import { roleEndpoints } from './roles/role-endpoints.ts'
import { summaryEndpoints } from './summary/summary-endpoints.ts'

export { roleOfCertificate } from './login/login-actions.ts'

/** Login with TLS client certificates: an auth method. */
const certMethod = authMethod({
  type: 'cert',
  endpoints: [
    ...roleEndpoints,
    ...crlEndpoints,
    ...configEndpoints,
    ...loginEndpoints,
    ...explainEndpoints,
    ...recordEndpoints,
    ...summaryEndpoints,
  ],
  equivalentPaths: equivalentNamePaths,
  removeSome,
  renewalTerms: renewalTermsOf,
  reasonToRefuseUse: (deps, metadata, by) => reasonToRefuseUse(deps, metadata.cert_name ?? '', by),
})

/** The method, and what runs beside it: lists are fetched, and certificates that will expire are counted. */
export const certAuthFeature: Feature = defineFeature({
  name: 'cert-auth',
  mounts: [certMethod],
  parts: { serverWatch: watchTrust, holderSource: { kind: 'role', source: 'cert-role', page: pageOfHolders } },
  jobs: [...crlJobs, ...roleJobs, ...recordJobs],
  start: async (deps) => {
    measureExpiries(deps)
    measureStaleLists(deps)
    measureRecord(deps)
    await warmCrls(deps)
    await forgetRemovedMounts(deps)
  },
  stop: writeRecord,
  devSeed: seedDevRole,
})
