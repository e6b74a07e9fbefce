import type { RoleKind } from '../../../login-roles/index.ts'
import { type AppRole, blankRole, checkRole, mergeRole, roleIdTaken, roleWarnings } from './role.ts'
import type { RoleInput } from './role-fields.ts'

/** Application roles, as what all methods share knows them. */
export const appRoles: RoleKind<AppRole, RoleInput> = {
  method: 'approle',
  blank: blankRole,
  merge: (stored, sent, { isNew, ids }) => mergeRole(stored, sent, isNew ? ids.uuid() : undefined),
  check: checkRole,
  warnings: roleWarnings,
  lookup: { of: ({ roleId }) => roleId, taken: roleIdTaken },
}
