import { type Deps, perApp } from '../../../kit/deps.ts'
import { VersionedCache } from '../../../storage/versions.ts'
import type { Team } from './team-rules.ts'
import { loadTeamByNames } from './team-store.ts'

const linkedTeamCache = perApp((deps) => new VersionedCache<string, Team>(deps.store.versions, 'teams', { max: 1_000 }))

/** The team that `organization/team` names now, which may be another one than when the link was made. */
export async function findLinkedTeam(deps: Deps, names: string): Promise<Team | undefined> {
  const [organization, name, ...rest] = names.split('/')
  if (!organization || !name || rest.length > 0) return undefined
  const cache = linkedTeamCache(deps)
  const asOf = cache.version()
  const team = cache.get(names) ?? (await loadTeamByNames(deps.db, organization, name))
  if (team) cache.set(names, team, asOf)
  return team
}
