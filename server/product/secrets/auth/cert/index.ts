import { defineFeature, type Feature } from '../../../../kit/feature.ts'
import { authMethod } from '../../../../kit/mount-kind.ts'
import type { Tx } from '../../../../storage/open.ts'
import { equivalentNamePaths, forgetRemovedMounts } from './cert-actions.ts'
import { configEndpoints } from './config/config-endpoints.ts'
import { deleteConfig } from './config/config-store.ts'
import { crlJobs, measureStaleLists } from './crls/crl-actions.ts'
import { crlEndpoints } from './crls/crl-endpoints.ts'
import { warmCrls } from './crls/crl-memory.ts'
import { removeSomeCrls } from './crls/crl-store.ts'
import { seedDevRole } from './dev-seed.ts'
import { explainEndpoints } from './explain/explain-endpoints.ts'
import { loginEndpoints } from './login/login-endpoints.ts'
import { objectionToUse, renewalTermsOf } from './renewal/renewal-actions.ts'
import { measureExpiries, roleJobs } from './roles/role-actions.ts'
import { roleEndpoints } from './roles/role-endpoints.ts'
import { removeSomeRoles } from './roles/role-store.ts'

export { roleOfCertificate } from './login/login-actions.ts'

/** Login with TLS client certificates: an auth method. */
const certMethod = authMethod({
  type: 'cert',
  endpoints: [...roleEndpoints, ...crlEndpoints, ...configEndpoints, ...loginEndpoints, ...explainEndpoints],
  equivalentPaths: equivalentNamePaths,
  removeSome,
  renewalTerms: renewalTermsOf,
  objectionToUse: (deps, metadata, by) => objectionToUse(deps, metadata.cert_name ?? '', by),
})

async function removeSome(tx: Tx, mountId: string, limit: number): Promise<number> {
  const left = (await removeSomeRoles(tx, mountId, limit)) || (await removeSomeCrls(tx, mountId, limit))
  if (left === 0) await deleteConfig(tx, mountId)
  return left
}

/** The method, and what runs beside it: lists are fetched, and certificates that will expire are counted. */
export const certAuthFeature: Feature = defineFeature({
  name: 'cert-auth',
  mounts: [certMethod],
  jobs: [...crlJobs, ...roleJobs],
  start: async (deps) => {
    measureExpiries(deps)
    measureStaleLists(deps)
    await warmCrls(deps)
    await forgetRemovedMounts(deps)
  },
  devSeed: seedDevRole,
})
