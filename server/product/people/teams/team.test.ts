import { expect, test } from 'vitest'
import { type TeamFacts, uniteGrants } from '../../../access/permissions/grants.ts'
import type { OrganizationAccess } from '../../../access/permissions/index.ts'
import type { ActorPrincipal } from '../../../kernel/principal.ts'
import { canFillTeam, canManageTeam, canManageTeamTokens, canSeeTeam, type Team } from './team.ts'
import { teamNameProblem } from './team-fields.ts'

const tooLong = /maximum is 90/
const faulty = /may contain only/

test.each([
  ['a', undefined],
  ['x'.repeat(90), undefined],
  ['x'.repeat(91), tooLong],
  ['', faulty],
  ['Site Ops_1.2-b', undefined],
  ['_', undefined],
  ['ops.', undefined],
  ['.ops', faulty],
  [' ops', faulty],
  ['ops ', faulty],
  ['o/ps', undefined],
  ['o/p/s 1', undefined],
  ['/ops', faulty],
  ['ops/', faulty],
  ['öps', faulty],
  ['ops\n', faulty],
])('team name: %j', (name, problem) => {
  if (problem) expect(teamNameProblem(name)).toMatch(problem)
  else expect(teamNameProblem(name)).toBeUndefined()
})

const acme = { id: 'org-1', name: 'acme', allowForceDelete: false, userTokensEnabled: true }
const user = { kind: 'user', id: 'user-1' } as ActorPrincipal
const token = { kind: 'team', id: 'team-2' } as ActorPrincipal
const another = (access: readonly OrganizationAccess[]): TeamFacts => ({ id: 'team-2', owners: false, access })

/** Who asks: the teams they are in, and the caller they come as. */
const callers = {
  'a person elsewhere': [[another([])], user],
  'a member': [[{ id: 'team-1', owners: false, access: [] }], user],
  "the token of a member's team": [[{ id: 'team-1', owners: false, access: [] }], token],
  'access-secret-teams': [[another(['access-secret-teams'])], user],
  'manage-membership': [[another(['manage-membership'])], user],
  'manage-membership, access-secret-teams': [[another(['manage-membership', 'access-secret-teams'])], user],
  'manage-teams': [[another(['manage-teams'])], user],
  'an owner': [[{ id: 'team-3', owners: true, access: [] }], user],
} as const satisfies Record<string, readonly [readonly TeamFacts[], ActorPrincipal]>

const plain = { id: 'team-1', visibility: 'organization', owners: false, allowMemberTokenManagement: false }
const teams = {
  visible: plain,
  secret: { ...plain, visibility: 'secret' },
  'whose members make tokens': { ...plain, allowMemberTokenManagement: true },
  'of the owners, whose members make tokens': { ...plain, owners: true, allowMemberTokenManagement: true },
} as unknown as Record<string, Team>

test.each<[keyof typeof callers, keyof typeof teams, string]>([
  ['a person elsewhere', 'visible', 'see'],
  ['a person elsewhere', 'secret', ''],
  ['a person elsewhere', 'whose members make tokens', 'see'],
  ['a member', 'visible', 'see'],
  ['a member', 'secret', 'see'],
  ['a member', 'whose members make tokens', 'see tokens'],
  ['a member', 'of the owners, whose members make tokens', 'see'],
  ["the token of a member's team", 'whose members make tokens', 'see'],
  ['access-secret-teams', 'secret', 'see'],
  ['access-secret-teams', 'visible', 'see'],
  ['manage-membership', 'visible', 'see fill'],
  ['manage-membership', 'secret', ''],
  ['manage-membership, access-secret-teams', 'secret', 'see fill'],
  ['manage-membership', 'of the owners, whose members make tokens', 'see'],
  ['manage-teams', 'visible', 'see manage fill tokens'],
  ['manage-teams', 'secret', 'see manage fill tokens'],
  ['manage-teams', 'of the owners, whose members make tokens', 'see'],
  ['an owner', 'secret', 'see manage fill tokens'],
  ['an owner', 'of the owners, whose members make tokens', 'see manage fill tokens'],
])('team: %s with a team %s: %j', (who, which, expected) => {
  const [facts, actor] = callers[who]
  const grants = uniteGrants(acme, facts, new Map(), [])
  const team = teams[which] as Team
  const can = {
    see: canSeeTeam(grants, team),
    manage: canManageTeam(grants, team),
    fill: canFillTeam(grants, team),
    tokens: canManageTeamTokens(grants, team, actor),
  }
  const held = Object.entries(can).filter(([, allowed]) => allowed)
  expect(held.map(([name]) => name).join(' ')).toBe(expected)
})
