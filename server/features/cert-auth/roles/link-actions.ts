import { type Awaitable, andThen } from '../../../kernel/awaitable.ts'
import { failure } from '../../../kernel/failure.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { Queryable } from '../../../storage/open.ts'
import { findLinkedTeam, loadTeamByNames } from '../../teams/index.ts'
import { loadUserByName } from '../../users/index.ts'
import type { CertRole } from './role.ts'
import type { RoleInput } from './role-wire.ts'

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
  const [organization = '', name = ''] = names.split('/')
  const team = await loadTeamByNames(db, organization, name)
  if (team) return team.id
  throw failure('invalid', 'cert-role.no-team', `Field 'platform_team' names '${names}', but there is no such team.`)
}

async function userIdOf(db: Queryable, name: string): Promise<string> {
  if (name === '') return ''
  const user = await loadUserByName(db, name)
  if (user) return user.id
  throw failure('invalid', 'cert-role.no-user', `Field 'platform_user' names '${name}', but there is no such user.`)
}

/** True if the team of a role no longer has its name; a role without the team's id acts as no team anyway. */
export const hasLostTeam = (deps: Deps, { platformTeam, platformTeamId }: CertRole): Awaitable<boolean> =>
  platformTeamId !== '' && andThen(findLinkedTeam(deps, platformTeam), (team) => team?.id !== platformTeamId)

/** Says that the team of a role no longer has its name. */
export const lostTeamText = ({ platformTeam }: CertRole): string =>
  `The team '${platformTeam}' has been renamed or replaced since the role was written.`
