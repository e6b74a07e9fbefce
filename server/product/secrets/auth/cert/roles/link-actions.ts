import { failure } from '../../../../../kernel/failure.ts'
import type { Deps } from '../../../../../kit/deps.ts'
import type { Queryable } from '../../../../../storage/open.ts'
import { findLinkedTeam, loadTeamByNames } from '../../../../people/teams/index.ts'
import { loadUserByName } from '../../../../people/users/index.ts'
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

async function teamIdOf(db: Queryable, names: string): Promise<string> {
  if (names === '') return ''
  const team = await loadTeamByNames(db, names)
  if (team) return team.id
  throw failure('invalid', 'cert-role.no-team', `Field 'platform_team' names '${names}', but there is no such team.`)
}

async function userIdOf(db: Queryable, name: string): Promise<string> {
  if (name === '') return ''
  const user = await loadUserByName(db, name)
  if (user) return user.id
  throw failure('invalid', 'cert-role.no-user', `Field 'platform_user' names '${name}', but there is no such user.`)
}

/** How the team of a role stands to it: there is none, the name is another team's by now, or it agrees or does not. */
export type TeamLink = 'none' | 'lost' | 'closed' | 'open'

/** How the team of a role stands to it; a role without the team's id acts as no team. */
export async function teamLinkOf(deps: Deps, { platformTeam, platformTeamId }: CertRole): Promise<TeamLink> {
  if (platformTeamId === '') return 'none'
  const team = await findLinkedTeam(deps, platformTeam)
  if (team?.id !== platformTeamId) return 'lost'
  return team.allowCertificateLogin ? 'open' : 'closed'
}

/** Says that the team of a role no longer has its name. */
export const lostTeamText = ({ platformTeam }: CertRole): string =>
  `The team '${platformTeam}' has been renamed or replaced since the role was written.`

/** For callers who log in, which are not told the name of the team. */
export const closedTeamText =
  "This token works under /v1 only: the team of its role does not have 'allow-certificate-login' switched on."

/** Warns about links that have no effect until the other side agrees. */
export async function linkWarnings(db: Queryable, role: CertRole): Promise<string[]> {
  const { platformTeam, platformTeamId, platformUser, platformUserId } = role
  const team = platformTeamId === '' ? undefined : await loadTeamByNames(db, platformTeam)
  const user = platformUserId === '' ? undefined : await loadUserByName(db, platformUser)
  return [
    ...(team?.allowCertificateLogin === false
      ? [
          `Tokens of this role cannot act as '${platformTeam}' under /api/v2 until an owner of the organization sets ` +
            `'allow-certificate-login' of that team (PATCH /api/v2/teams/${team.id}).`,
        ]
      : []),
    ...(user?.allowCertificateLogin === false
      ? [
          `Nobody can sign in as '${platformUser}' with this role until that person sets 'allow-certificate-login' ` +
            '(PATCH /api/v2/account/update).',
        ]
      : []),
  ]
}
