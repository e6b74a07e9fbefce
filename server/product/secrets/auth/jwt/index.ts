import { defineFeature, type Feature } from '../../../../kit/feature.ts'
import { authMethod } from '../../../../kit/mount-kind.ts'
import { equivalentRolePaths, removeSomeRoles, renewalTermsOf } from '../../login-roles/index.ts'
import { configEndpoints } from './config/config-endpoints.ts'
import { deleteConfig } from './config/config-store.ts'
import { usedIdJob } from './login/login-actions.ts'
import { loginEndpoints } from './login/login-endpoints.ts'
import { removeSomeUsedIds } from './login/used-id-store.ts'
import { jwtRoles } from './roles/role-actions.ts'
import { jwtRoleEndpoints } from './roles/role-endpoints.ts'

/** Login with tokens of a provider: an auth method. */
export const jwtAuthFeature: Feature = defineFeature({
  name: 'jwt-auth',
  mounts: [
    authMethod({
      type: 'jwt',
      description: 'Login with JSON Web Tokens of a provider.',
      endpoints: [...configEndpoints, ...jwtRoleEndpoints, ...loginEndpoints],
      equivalentPaths: (_deps, mount, path) => equivalentRolePaths(mount, path),
      removeSome: async (tx, mountId, limit) => {
        const left = (await removeSomeRoles(tx, mountId, limit)) || (await removeSomeUsedIds(tx, mountId, limit))
        if (left === 0) await deleteConfig(tx, mountId)
        return left
      },
      renewalTerms: (deps, token, by) => renewalTermsOf(deps, jwtRoles, token, by),
    }),
  ],
  jobs: [usedIdJob],
})
