import type { MountEndpoint } from '../../../../../kit/endpoint.ts'
import { model } from '../../../../../kit/model.ts'
import { roleEndpoints } from '../../../login-roles/index.ts'
import { jwtRoles } from './role-actions.ts'
import { RoleBody, roleAliases, roleFields } from './role-fields.ts'

/** Roles of JWT logins. */
export const jwtRoleEndpoints: readonly MountEndpoint[] = roleEndpoints({
  kind: jwtRoles,
  ids: 'jwt-roles',
  noun: 'a role of JWT logins',
  nouns: 'roles of JWT logins',
  body: RoleBody,
  aliases: roleAliases,
  answer: model('JwtRole', roleFields.shown),
  show: (role) => roleFields.toDocument(role),
  example: {
    role_type: 'jwt',
    user_claim: 'sub',
    bound_audiences: ['https://holdfast.example.com'],
    bound_claims: { repository: 'acme/app', ref: 'refs/heads/main' },
    token_policies: ['deploy'],
    token_ttl: '10m',
  },
})
