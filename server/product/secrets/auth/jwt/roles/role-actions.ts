import type { RoleKind } from '../../../login-roles/index.ts'
import { blankRole, checkRole, type JwtRole, mergeRole, roleWarnings } from './role.ts'
import type { RoleInput } from './role-fields.ts'

/** Roles of JWT logins, as what all methods share knows them. */
export const jwtRoles: RoleKind<JwtRole, RoleInput> = {
  method: 'jwt',
  blank: blankRole,
  merge: mergeRole,
  check: checkRole,
  warnings: roleWarnings,
}
