import type { Schemas } from '../../api/client.ts'
import { targetOf } from '../names.ts'

/** What a team may do with a workspace, and by what. */
export type Grant = {
  readonly key: string
  readonly teamId: string
  readonly team: string
  /** What gives it: the workspace, its project, or a right of the whole organization. */
  readonly from: 'workspace' | 'project' | 'organization'
  readonly level: string
  readonly runs: string
  readonly variables: string
  readonly state: string
  readonly locking: boolean
}

type Rights = Pick<Grant, 'runs' | 'variables' | 'state' | 'locking'>

const read: Rights = { runs: 'read', variables: 'read', state: 'read', locking: false }
const write: Rights = { runs: 'apply', variables: 'write', state: 'write', locking: true }

const levels: Readonly<Record<string, Rights>> = {
  read,
  plan: { ...read, runs: 'plan' },
  write,
  maintain: write,
  admin: write,
}

type Team = Schemas['Team']

const nameOf = (teams: readonly Team[], id: string): string =>
  teams.find((team) => team.id === id)?.attributes.name ?? 'a team you may not see'

/** The levels that people choose for a team on a workspace. */
export const workspaceLevels = [
  ['read', 'Read: see state, variables and runs'],
  ['plan', 'Plan: read, and start plans'],
  ['write', 'Write: plan, apply, lock, and write state and variables'],
  ['admin', 'Admin: write, and change settings, access and tags'],
  ['custom', 'Custom: choose each right'],
] as const

/** What the workspace itself gives. */
export const ofWorkspace = (links: readonly Schemas['TeamWorkspace'][], teams: readonly Team[]): Grant[] =>
  links.map(({ id, attributes, relationships }) => {
    const { access = '', runs, variables, 'workspace-locking': locking } = attributes
    const own = { runs, variables, state: attributes['state-versions'], locking }
    const teamId = targetOf(relationships?.team)?.id ?? ''
    return { key: id, teamId, team: nameOf(teams, teamId), from: 'workspace', level: access, ...rightsOf(access, own) }
  })

/** What its project gives to all workspaces in it. */
export const ofProject = (links: readonly Schemas['TeamProject'][], teams: readonly Team[]): Grant[] =>
  links.map(({ id, attributes, relationships }) => {
    const { access = '', 'workspace-access': own } = attributes
    const teamId = targetOf(relationships?.team)?.id ?? ''
    const rights = { runs: own?.runs, variables: own?.variables, state: own?.['state-versions'], locking: own?.locking }
    return { key: id, teamId, team: nameOf(teams, teamId), from: 'project', level: access, ...rightsOf(access, rights) }
  })

/** What teams may do everywhere in the organization. */
export const ofOrganization = (teams: readonly Team[]): Grant[] =>
  teams.flatMap(({ id, attributes }) => {
    const { name = '', 'organization-access': access } = attributes
    const level =
      name === 'owners' || access?.['manage-workspaces'] ? 'admin' : access?.['read-workspaces'] ? 'read' : undefined
    if (level === undefined) return []
    const own = name === 'owners' ? 'owner' : level
    return [
      { key: `organization-${id}`, teamId: id, team: name, from: 'organization', level: own, ...rightsOf(level, {}) },
    ]
  })

type Maybe<T> = { readonly [Name in keyof T]?: T[Name] | undefined }

const rightsOf = (level: string, own: Maybe<Rights>): Rights => {
  const known = levels[level]
  if (known) return known
  const { runs = 'none', variables = 'none', state = 'none', locking = false } = own
  return { runs, variables, state, locking }
}
