import { defineFeature, type Feature } from '../../../../kit/feature.ts'
import { authMethod } from '../../../../kit/mount-kind.ts'
import { equivalentRolePaths, removeSomeRoles, renewalTermsOf } from '../../login-roles/index.ts'
import { loginEndpoints } from './login/login-endpoints.ts'
import { appRoles } from './roles/role-actions.ts'
import { appRoleEndpoints } from './roles/role-endpoints.ts'
import { tidyJob } from './secret-ids/secret-id-actions.ts'
import { secretIdEndpoints } from './secret-ids/secret-id-endpoints.ts'
import { removeSomeSecretIds } from './secret-ids/secret-id-store.ts'

/** Login with a role id and a secret id: an auth method. */
export const appRoleAuthFeature: Feature = defineFeature({
  name: 'approle-auth',
  mounts: [
    authMethod({
      type: 'approle',
      description: 'Login of applications with role ids and secret ids.',
      endpoints: [...appRoleEndpoints, ...secretIdEndpoints, ...loginEndpoints],
      countsFailures: true,
      equivalentPaths: (_deps, mount, path) => equivalentRolePaths(mount, path),
      removeSome: async (tx, mountId, limit) =>
        (await removeSomeRoles(tx, mountId, limit)) || (await removeSomeSecretIds(tx, mountId, limit)),
      renewalTerms: (deps, token, by) => renewalTermsOf(deps, appRoles, token, by),
    }),
  ],
  jobs: [tidyJob],
})
