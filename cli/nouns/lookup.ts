import type { OperationName } from '../../api-client/client.ts'
import type { Client } from '../connection/client.ts'
import {
  callOperation,
  findByOperation,
  findResource,
  listEntries,
  pageOf,
  pagesOf,
  type Resource,
  resourceOf,
} from '../connection/operations.ts'
import { variableOf } from '../connection/server-connection.ts'
import { CliFailure, type Io } from '../io.ts'
import type { Flags, NameKind, Session } from './noun.ts'

/** Where something is looked for. */
export type Scope = { readonly io: Io; readonly client: Client; readonly flags: Flags }

type Place = Readonly<Record<string, string>>

/** Resources of `/api/v2` that people name. */
type NamedResource = {
  readonly list: OperationName
  readonly show: OperationName
  /** The parameter that `show` takes. */
  readonly parameter: string
  /** The beginning of an id. */
  readonly prefix: string
  /** The attribute that is its name. */
  readonly called: string
  /** The operation that finds one by its name, and the parameter for it. */
  readonly byName?: readonly [operation: OperationName, parameter: string]
  /** Otherwise narrows the list to a name as well as the operation can. */
  readonly narrow?: (name: string) => Readonly<Record<string, string>>
  readonly place: (scope: Scope) => Promise<Place>
}

/** The organization that a command is about, as the parameter of a path. */
export const inOrganization = async (scope: Scope): Promise<{ organization: string }> => ({
  organization: await organizationOf(scope),
})

/** The workspace that a flag names, as the parameter of a path. */
export const inWorkspace = async (scope: Scope): Promise<{ workspaceId: string }> => ({
  workspaceId: (await findNamed(scope, 'workspace', String(scope.flags.workspace))).id,
})

const nowhere = async (): Promise<Place> => ({})

const named = {
  workspace: {
    list: 'workspaces.list',
    show: 'workspaces.show',
    parameter: 'workspaceId',
    prefix: 'ws',
    called: 'name',
    byName: ['workspaces.show-by-name', 'name'],
    place: inOrganization,
  },
  organization: {
    list: 'organizations.list',
    show: 'organizations.show',
    parameter: 'organization',
    prefix: 'org',
    called: 'name',
    byName: ['organizations.show', 'organization'],
    place: nowhere,
  },
  project: {
    list: 'projects.list',
    show: 'projects.show',
    parameter: 'projectId',
    prefix: 'prj',
    called: 'name',
    narrow: (name) => ({ 'filter[names]': name }),
    place: inOrganization,
  },
  team: {
    list: 'teams.list',
    show: 'teams.show',
    parameter: 'teamId',
    prefix: 'team',
    called: 'name',
    narrow: (name) => ({ 'filter[names]': name }),
    place: inOrganization,
  },
  user: {
    list: 'admin-users.list',
    show: 'admin-users.show',
    parameter: 'userId',
    prefix: 'user',
    called: 'username',
    narrow: (name) => ({ q: name }),
    place: nowhere,
  },
  variable: {
    list: 'vars.list',
    show: 'vars.show',
    parameter: 'variableId',
    prefix: 'var',
    called: 'key',
    place: inWorkspace,
  },
} as const satisfies Partial<Record<NameKind, NamedResource>>

/** Kinds of resources that are found by name or id. */
export type ResourceKind = keyof typeof named

/** How resources of a kind are named and addressed. */
export const resourceKind = (kind: ResourceKind): NamedResource => named[kind]

/** Finds what a word names: by its id, or by its name. */
export async function findNamed(scope: Scope, kind: ResourceKind, word: string): Promise<Resource> {
  const { list, show, parameter, prefix, called, byName, narrow, place }: NamedResource = named[kind]
  if (word === '') throw new CliFailure(`Name a ${kind}.`)
  const at = await place(scope)
  if (new RegExp(`^${prefix}-[A-Za-z0-9]{16}$`).test(word)) {
    const body = await findByOperation(scope.client, show, { path: { ...at, [parameter]: word } })
    if (body) return resourceOf({ body })
    throw unknownName(kind, word, at)
  }
  if (byName) {
    const body = await findByOperation(scope.client, byName[0], { path: { ...at, [byName[1]]: word } })
    if (body) return resourceOf({ body })
    throw unknownName(kind, word, at)
  }
  const input = { path: at, query: narrow?.(word) ?? {} }
  const found = await findResource(pagesOf(scope.client, list, input), (each) => each.attributes[called] === word)
  if (found) return found
  throw unknownName(kind, word, at)
}

function unknownName(kind: ResourceKind, word: string, { organization }: Place): CliFailure {
  const where = organization === undefined ? '' : ` in organization '${organization}'`
  const list = kind === 'variable' ? 'variable list --workspace NAME' : `${kind} list`
  return new CliFailure(
    `There is no ${kind} '${word}'${where} that this token can see. 'holdfast ${list}' shows all.`,
    2,
  )
}

/** The organization that a flag or a variable names, or the only one there is. */
export async function organizationOf({ io, client, flags }: Scope): Promise<string> {
  const given = flags.organization ?? variableOf(io, 'organization')
  if (given !== undefined) return String(given)
  const query = { 'page[size]': 20 }
  const { resources } = pageOf(await callOperation(client, 'organizations.list', { query }))
  const [only, ...others] = resources
  if (only && others.length === 0) return only.id
  if (!only) throw new CliFailure('This token sees no organization.', 2)
  const names = resources.map(({ id }) => id).join(', ')
  throw new CliFailure(`Say which organization: --organization, or HOLDFAST_ORGANIZATION. There are: ${names}.`)
}

const keyed = {
  policy: 'policies.list-by-read',
  'approle-role': 'approle-roles.list',
  'cert-role': 'cert-roles.list',
  'cert-crl': 'cert-crls.list',
  'jwt-role': 'jwt-roles.list',
  'snapshot-config': 'snapshots.list-configs',
} as const satisfies Partial<Record<NameKind, OperationName>>

const isKeyed = (kind: NameKind): kind is keyof typeof keyed => kind in keyed

/** All names of a kind, for completion; of paths those that go on from what was begun. */
export async function namesOf(scope: Scope, kind: NameKind, begun = ''): Promise<readonly string[]> {
  if (kind === 'kv-mount' || kind === 'secret') {
    const { mountNames, pathsAfter } = await import('./kv-paths.ts')
    return kind === 'kv-mount'
      ? await mountNames(scope.client)
      : await pathsAfter(scope.client, begun, scope.flags.mount as string | undefined)
  }
  if (isKeyed(kind)) return (await listEntries(scope.client, keyed[kind])).map(({ name }) => name)
  const { list, called, place }: NamedResource = named[kind]
  const query = { 'page[size]': 100 }
  const { resources } = pageOf(await callOperation(scope.client, list, { path: await place(scope), query }))
  return resources.map(({ attributes }) => String(attributes[called]))
}

/** The id of what a flag names; undefined if the flag was not given. */
export async function idFromFlag(session: Session, kind: ResourceKind): Promise<string | undefined> {
  const word = session.flags[kind]
  return word === undefined ? undefined : (await findNamed(session, kind, String(word))).id
}
