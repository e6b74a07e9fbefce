import type { TObject } from 'typebox'
import { projectAccessTypes } from '../../../compat/vendor-names.ts'
import type { JsonShape } from '../../../kit/endpoint.ts'
import { attribute } from '../../../kit/jsonapi/attribute-kinds.ts'
import type { Values } from '../../../kit/jsonapi/attributes.ts'
import { relation } from '../../../kit/jsonapi/relationships.ts'
import { resourceBody } from '../../../kit/jsonapi/resource-bodies.ts'
import { toOne } from '../../../kit/jsonapi/resource-documents.ts'
import { type Resource, resourceSchema, shown } from '../../../kit/jsonapi/schemas.ts'
import {
  detailValues,
  onProjects,
  onWorkspaces,
  type ProjectDetails,
  type RequestedAccess,
  type TeamAccess,
  type WorkspaceDetails,
} from './team-access.ts'

/** A change of access as it was sent. */
type SentAccess<D> = { readonly id: string | undefined; readonly requested: RequestedAccess<D> }

/** A new access as it was sent. */
type SentNewAccess<D> = SentAccess<D> & { readonly teamId: string; readonly targetId: string }

/** How documents represent a kind of access. */
export type AccessWire<D> = {
  readonly newBody: JsonShape<SentNewAccess<D>>
  readonly changedBody: JsonShape<SentAccess<D>>
  readonly schema: TObject
  readonly toResource: (access: TeamAccess<D>) => Resource
}

/** Reads a document and converts it to the form that both kinds share. */
const mapShape = <A, B>(shape: JsonShape<A>, map: (read: A) => B): JsonShape<B> => ({
  ...shape,
  parse: (raw, notes) => map(shape.parse(raw, notes)),
})

const levelOf = (levels: object) =>
  attribute.choice('Level of access; with `custom`, each permission is set separately.', [
    ...Object.keys(levels),
    'custom',
  ])

const required = <T extends { readonly required: boolean }>(member: T): T & { readonly required: true } => ({
  ...member,
  required: true as const,
})

const workspaceDetails = {
  runs: attribute.choice('Access to runs.', detailValues.runs),
  variables: attribute.choice('Access to variables.', detailValues.variables),
  stateVersions: attribute.choice('Access to state.', detailValues.stateVersions),
  sentinelMocks: attribute.choice('Whether it may download mock data for policies.', detailValues.sentinelMocks),
  runTasks: attribute.flag('Whether it may manage run tasks.'),
  policyOverrides: attribute.flag('Stored for clients, has no effect: there are no policies.'),
} as const
const locking = attribute.flag('Whether it may lock and unlock.')

const team = relation.one('teams', 'The team.', { required: true })
const workspaceLevel = levelOf(onWorkspaces.levels)
const onWorkspaceAttributes = { ...workspaceDetails, workspaceLocking: locking } as const

const self = (type: string, id: string) => ({ self: `/api/v2/${type}/${id}` })

const onWorkspaceSchema = {
  access: shown.text('Level of access.'),
  runs: shown.text('Access to runs.'),
  variables: shown.text('Access to variables.'),
  'state-versions': shown.text('Access to state.'),
  'sentinel-mocks': shown.text('Whether it may download mock data for policies.'),
  'workspace-locking': shown.flag('Whether it may lock and unlock.'),
  'run-tasks': shown.flag('Whether it may manage run tasks.'),
  'policy-overrides': shown.flag('Stored for clients; has no effect.'),
} as const

/** Access to workspaces: the details are beside the level. */
export const workspaceAccessWire: AccessWire<WorkspaceDetails> = {
  newBody: mapShape(
    resourceBody('team-workspaces', {
      attributes: { access: required(workspaceLevel), ...onWorkspaceAttributes },
      relationships: { team, workspace: relation.one('workspaces', 'The workspace.', { required: true }) },
    }),
    ({ id, attributes: { access, ...details }, relationships }) => ({
      id,
      requested: { access, details },
      teamId: relationships.team,
      targetId: relationships.workspace,
    }),
  ),
  changedBody: mapShape(
    resourceBody('team-workspaces', { attributes: { access: workspaceLevel, ...onWorkspaceAttributes } }),
    ({ id, attributes: { access, ...details } }) => ({ id, requested: { access, details } }),
  ),
  schema: resourceSchema('team-workspaces', {
    attributes: onWorkspaceSchema,
    relationships: { team: 'The team.', workspace: 'The workspace.' },
  }),
  toResource: ({ id, access, details, team, targetId }) => ({
    type: 'team-workspaces',
    id,
    attributes: {
      access,
      runs: details.runs,
      variables: details.variables,
      'state-versions': details.stateVersions,
      'sentinel-mocks': details.sentinelMocks,
      'workspace-locking': details.workspaceLocking,
      'run-tasks': details.runTasks,
      'policy-overrides': details.policyOverrides,
    },
    relationships: {
      team: toOne('teams', team.id, `/api/v2/teams/${team.id}`),
      workspace: toOne('workspaces', targetId, `/api/v2/workspaces/${targetId}`),
    },
    links: self('team-workspaces', id),
  }),
}

const projectLevel = levelOf(onProjects.levels)
const onProjectAttributes = {
  projectAccess: attribute.object('Access to the project itself.', {
    settings: attribute.choice('Access to settings.', detailValues.settings),
    teams: attribute.choice('Access to team access.', detailValues.teams),
    variableSets: attribute.choice(
      'Stored for clients, has no effect: there are no variable sets.',
      detailValues.variableSets,
    ),
  }),
  workspaceAccess: attribute.object('Access to the workspaces in the project.', {
    ...workspaceDetails,
    locking,
    create: attribute.flag('Stored for clients, has no effect: those who manage all workspaces may create them.'),
    delete: attribute.flag('Whether it may delete workspaces.'),
    move: attribute.flag('Stored for clients, has no effect: administrators of both projects may move workspaces.'),
  }),
} as const

type SentProjectDetails = Values<typeof onProjectAttributes>

function toProjectDetails({ projectAccess, workspaceAccess }: SentProjectDetails): Partial<ProjectDetails> {
  const { locking: workspaceLocking, ...others } = workspaceAccess ?? {}
  return { ...projectAccess, ...others, ...(workspaceLocking === undefined ? {} : { workspaceLocking }) }
}

const flags = (names: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(names).map(([name, description]) => [name, shown.flag(description)]))

const onProjectSchema = {
  access: shown.text('Level of access.'),
  'project-access': shown.members('Access to the project itself.', {
    settings: shown.text('Access to settings.'),
    teams: shown.text('Access to team access.'),
    'variable-sets': shown.text('Stored for clients; has no effect.'),
  }),
  'workspace-access': shown.members('Access to the workspaces in the project.', {
    runs: onWorkspaceSchema.runs,
    variables: onWorkspaceSchema.variables,
    'state-versions': onWorkspaceSchema['state-versions'],
    'sentinel-mocks': onWorkspaceSchema['sentinel-mocks'],
    ...flags({
      locking: 'Whether it may lock and unlock.',
      'run-tasks': 'Whether it may manage run tasks.',
      'policy-overrides': 'Stored for clients; has no effect.',
      create: 'Stored for clients; has no effect.',
      delete: 'Whether it may delete workspaces.',
      move: 'Stored for clients; has no effect.',
    }),
  }),
} as const

/** Access to projects: the details are in two groups, for the project and for its workspaces. */
export const projectAccessWire: AccessWire<ProjectDetails> = {
  newBody: mapShape(
    resourceBody(projectAccessTypes, {
      attributes: { access: required(projectLevel), ...onProjectAttributes },
      relationships: { team, project: relation.one('projects', 'The project.', { required: true }) },
    }),
    ({ id, attributes: { access, ...sent }, relationships }) => ({
      id,
      requested: { access, details: toProjectDetails(sent) },
      teamId: relationships.team,
      targetId: relationships.project,
    }),
  ),
  changedBody: mapShape(
    resourceBody(projectAccessTypes, { attributes: { access: projectLevel, ...onProjectAttributes } }),
    ({ id, attributes: { access, ...sent } }) => ({ id, requested: { access, details: toProjectDetails(sent) } }),
  ),
  schema: resourceSchema('team-projects', {
    attributes: onProjectSchema,
    relationships: { team: 'The team.', project: 'The project.' },
  }),
  toResource: ({ id, access, details, team, targetId }) => ({
    type: 'team-projects',
    id,
    attributes: {
      access,
      'project-access': {
        settings: details.settings,
        teams: details.teams,
        'variable-sets': details.variableSets,
      },
      'workspace-access': {
        runs: details.runs,
        variables: details.variables,
        'state-versions': details.stateVersions,
        'sentinel-mocks': details.sentinelMocks,
        locking: details.workspaceLocking,
        'run-tasks': details.runTasks,
        'policy-overrides': details.policyOverrides,
        create: details.create,
        delete: details.delete,
        move: details.move,
      },
    },
    relationships: {
      team: toOne('teams', team.id, `/api/v2/teams/${team.id}`),
      project: toOne('projects', targetId, `/api/v2/projects/${targetId}`),
    },
    links: self('team-projects', id),
  }),
}
