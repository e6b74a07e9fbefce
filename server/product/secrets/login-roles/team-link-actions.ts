import { failure } from '../../../kernel/failure.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { Queryable } from '../../../storage/open.ts'
import { allowsLogin, findLinkedTeam, loadTeamByNames } from '../../people/teams/index.ts'
import type { LoginRole } from './login-role.ts'

/** What a role says about the team that its logins act as. */
export type TeamLinked = Pick<LoginRole, 'platformTeam' | 'platformTeamId'>

/** The id of the team that is named now, since another one may have the name later. */
export async function teamIdOf(db: Queryable, names: string): Promise<string> {
  if (names === '') return ''
  const team = await loadTeamByNames(db, names)
  if (team) return team.id
  throw failure('invalid', 'login-role.no-team', `Field 'platform_team' names '${names}', but there is no such team.`)
}

/** How the team of a role stands to it: there is none, the name is another team's by now, or it agrees or does not. */
export type TeamLink = 'none' | 'lost' | 'closed' | 'open'

/** How the team of a role stands to logins by this method; a role without the team's id acts as no team. */
export async function teamLinkOf(
  deps: Deps,
  { platformTeam, platformTeamId }: TeamLinked,
  method: string,
): Promise<TeamLink> {
  if (platformTeamId === '') return 'none'
  const team = await findLinkedTeam(deps, platformTeam)
  if (team?.id !== platformTeamId) return 'lost'
  return allowsLogin(team, method) ? 'open' : 'closed'
}

/** Says that the team of a role no longer has its name. */
export const lostTeamText = ({ platformTeam }: TeamLinked): string =>
  `The team '${platformTeam}' has been renamed or replaced since the role was written.`

/** The refusal of a login by a role whose team was renamed or replaced. */
export const lostTeam = (role: TeamLinked) =>
  failure('invalid', 'login.lost-team', `${lostTeamText(role)} Write 'platform_team' again.`)

/** How an owner lets logins by a method act as a team. */
const consentOf = (method: string): string =>
  method === 'cert' ? "'allow-certificate-login'" : `'${method}' in 'allowed-login-methods'`

/** For callers who log in, which are not told the name of the team. */
export const closedTeamText = (method: string): string =>
  method === 'cert'
    ? "This token works under /v1 only: the team of its role does not have 'allow-certificate-login' switched on."
    : `This token works under /v1 only: the team of its role does not have ${consentOf(method)}.`

/** Warns about a team that has not agreed yet. */
export async function teamWarnings(db: Queryable, role: TeamLinked, method: string): Promise<string[]> {
  const { platformTeam, platformTeamId } = role
  const team = platformTeamId === '' ? undefined : await loadTeamByNames(db, platformTeam)
  if (!team || allowsLogin(team, method)) return []
  return [
    `Tokens of this role cannot act as '${platformTeam}' under /api/v2 until an owner of the organization sets ` +
      `${consentOf(method)} of that team (PATCH /api/v2/teams/${team.id}).`,
  ]
}
