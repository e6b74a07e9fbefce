import { useQueries } from '@tanstack/react-query'
import { call, type Schemas } from '../api/client.ts'
import { type Access, ofProject, ofWorkspace } from './access.ts'
import { idIn } from './organization.ts'

/** Whether access is given to a project with all its workspaces, or to one workspace. */
export type Kind = 'project' | 'workspace'

/** The access of all teams to some projects or workspaces: by the id of those, then by the id of the team. */
export type AccessTable = ReadonlyMap<string, ReadonlyMap<string, Access>>

const largest = { 'page[size]': 100 } as const

async function ofOne(kind: Kind, id: string): Promise<ReadonlyMap<string, Access>> {
  const given: readonly (Schemas['TeamProject'] | Schemas['TeamWorkspace'])[] =
    kind === 'project'
      ? (await call('team-projects.list', { params: { query: { ...largest, 'filter[project][id]': id } } })).data
      : (await call('team-workspaces.list', { params: { query: { ...largest, 'filter[workspace][id]': id } } })).data
  return new Map(
    given.map((each) => [
      idIn(each.relationships?.team) ?? '',
      kind === 'project' ? ofProject(each as Schemas['TeamProject']) : ofWorkspace(each as Schemas['TeamWorkspace']),
    ]),
  )
}

/** Asks for each of these; one that the caller may not see has no teams. */
export function useAccess(kind: Kind, ids: readonly string[]): AccessTable {
  const asked = useQueries({
    queries: ids.map((id) => ({ queryKey: [`team-${kind}s.list`, id], queryFn: () => ofOne(kind, id), retry: false })),
  })
  return new Map(ids.map((id, at) => [id, asked[at]?.data ?? new Map()]))
}

/** What is asked for when access is given or changed. */
export type Wanted = {
  readonly level: string
  readonly runs: string
  readonly variables: string
  readonly stateVersions: string
  readonly locking: boolean
  readonly deletes: boolean
  readonly settings: string
  readonly teams: string
}

type ProjectAttributes = Schemas['TeamProjectsCreateBodyAttributes']
type WorkspaceAttributes = Schemas['TeamWorkspacesCreateBodyAttributes']

/** A level has its own details; only custom access names them. */
function attributesOf(kind: Kind, wanted: Wanted): ProjectAttributes | WorkspaceAttributes {
  const { level, runs, variables, stateVersions, locking, deletes, settings, teams } = wanted
  if (level !== 'custom') return { access: level } as ProjectAttributes
  const shared = { runs, variables, 'state-versions': stateVersions }
  const attributes =
    kind === 'project'
      ? {
          access: level,
          'project-access': { settings, teams },
          'workspace-access': { ...shared, locking, delete: deletes },
        }
      : { access: level, ...shared, 'workspace-locking': locking }
  return attributes as ProjectAttributes
}

type Change = { readonly kind: Kind; readonly team: string; readonly on: string; readonly given: Access | undefined }

/** Gives, changes or takes away access. */
export async function setAccess({ kind, team, on, given }: Change, wanted: Wanted): Promise<void> {
  const attributes = attributesOf(kind, wanted)
  if (wanted.level === 'none') {
    if (given) await removeAccess(kind, given.id)
    return
  }
  const toTeam = { team: { data: { type: 'teams', id: team } } }
  if (kind === 'project') {
    if (given)
      await call('team-projects.update', {
        params: { path: { teamProjectId: given.id } },
        body: { data: { type: 'team-projects', attributes } } as never,
      })
    else {
      const relationships = { ...toTeam, project: { data: { type: 'projects', id: on } } }
      await call('team-projects.create', {
        body: { data: { type: 'team-projects', attributes, relationships } } as never,
      })
    }
    return
  }
  if (given)
    await call('team-workspaces.update', {
      params: { path: { teamWorkspaceId: given.id } },
      body: { data: { type: 'team-workspaces', attributes } } as never,
    })
  else {
    const relationships = { ...toTeam, workspace: { data: { type: 'workspaces', id: on } } }
    await call('team-workspaces.create', {
      body: { data: { type: 'team-workspaces', attributes, relationships } } as never,
    })
  }
}

/** Takes access away. */
export const removeAccess = (kind: Kind, id: string): Promise<unknown> =>
  kind === 'project'
    ? call('team-projects.delete', { params: { path: { teamProjectId: id } } })
    : call('team-workspaces.delete', { params: { path: { teamWorkspaceId: id } } })
