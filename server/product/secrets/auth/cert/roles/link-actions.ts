import { failure } from '../../../../../kernel/failure.ts'
import type { Queryable } from '../../../../../storage/open.ts'
import { loadUserByName } from '../../../../people/users/index.ts'
import { teamIdOf, teamWarnings } from '../../../login-roles/index.ts'
import type { CertRole } from './role.ts'
import type { RoleInput } from './role-fields.ts'

/**
 * Notes whom the names that were sent belong to, since somebody else may have them later. A write that does not send
 * them changes nothing about the link.
 */
export async function withLinkIds(db: Queryable, role: CertRole, sent: RoleInput): Promise<CertRole> {
  const { platformTeam, platformUser } = role
  return {
    ...role,
    ...(sent.platform_team === undefined ? {} : { platformTeamId: await teamIdOf(db, platformTeam) }),
    ...(sent.platform_user === undefined ? {} : { platformUserId: await userIdOf(db, platformUser) }),
  }
}

async function userIdOf(db: Queryable, name: string): Promise<string> {
  if (name === '') return ''
  const user = await loadUserByName(db, name)
  if (user) return user.id
  throw failure('invalid', 'cert-role.no-user', `Field 'platform_user' names '${name}', but there is no such user.`)
}

/** Warns about links that have no effect until the other side agrees. */
export async function linkWarnings(db: Queryable, role: CertRole): Promise<string[]> {
  const { platformUser, platformUserId } = role
  const user = platformUserId === '' ? undefined : await loadUserByName(db, platformUser)
  return [
    ...(await teamWarnings(db, role, 'cert')),
    ...(user?.allowCertificateLogin === false
      ? [
          `Nobody can sign in as '${platformUser}' with this role until that person sets 'allow-certificate-login' ` +
            '(PATCH /api/v2/account/update).',
        ]
      : []),
  ]
}
