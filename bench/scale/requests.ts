import type { ChildServer } from '../harness/child-server.ts'
import type { Prober } from '../harness/prober.ts'
import { benchRootToken } from '../servers/holdfast.ts'
import { type Model, projectCount } from './generator.ts'
import { type Caller, callers, type Place, type StoreFacts, toolVersion, usersOf } from './store.ts'

/** A server on a filled store, and what is known about it. */
export type Arm = {
  readonly place: Place
  readonly facts: StoreFacts
  readonly model: Model
  readonly server: ChildServer
  readonly prober: Prober
  /** The workspace that is there besides the generated ones, at the moment. */
  extra: string | undefined
}

/** One request, in pages of any size so that no two are alike. */
export type Asked = {
  readonly verb?: string
  readonly token?: string
  /** How many entries the whole list must have. */
  readonly total?: () => number
  path(size: number): string
}

/** A kind of request. */
export type Row = {
  readonly name: string
  /** The most milliseconds of processor time. */
  readonly limit?: number
  /** Set for a list with a total, which is counted anew after a change. */
  readonly isCounted?: boolean
  /** Set if nothing is changed before it. */
  readonly unchanged?: boolean
  ask(arm: Arm): Asked
}

const below = (most: number): number => Math.floor(Math.random() * most)
const pick = <T>(all: readonly T[]): T => all[below(all.length)] as T
const twoDigits = (): string => String(below(100)).padStart(2, '0')

/** Which workspaces a list is to show, as a query and as a condition on the facts. */
type Wanted = {
  readonly query?: string
  readonly condition?: string
  readonly caller?: Caller
  readonly at?: 'first' | 'middle' | 'last'
}

const pageNumber = (at: Wanted['at'], pages: number): number =>
  at === 'last' ? pages : at === 'middle' ? Math.ceil(pages / 2) + below(pages / 10) : 1

const list = (name: string, limit: number, wanted: (arm: Arm) => Wanted): Row => ({
  name,
  limit,
  isCounted: true,
  ask: (arm) => {
    const { query = '', condition = '1 = 1', caller, at = 'first' } = wanted(arm)
    const own = caller && arm.facts.callers[caller]
    const total = () => arm.model.count(own ? `(${condition}) and (${own.condition})` : condition)
    return {
      token: own?.token ?? benchRootToken,
      total,
      path: (size) => {
        const page = `page[size]=${size}&page[number]=${pageNumber(at, Math.ceil(total() / size))}`
        return `/api/v2/organizations/big/workspaces?${page}&${query}`
      },
    }
  },
})

/** Conditions, each with the query that asks for it. */
const filters = {
  a: (): Wanted => {
    const tag = `a${twoDigits()}`
    return { query: `search[tags]=${tag}`, condition: `a = '${tag}'` }
  },
  b: (): Wanted => {
    const tag = `b${twoDigits()}`
    return { query: `search[tags]=${tag}`, condition: `b = '${tag}'` }
  },
  tag: (name: string): Wanted => ({ query: `search[tags]=${name}`, condition: `${name} is not null` }),
  without: (name: string): Wanted => ({ query: `search[exclude-tags]=${name}`, condition: `${name} is null` }),
  env: (): Wanted => {
    const value = `v${below(40)}`
    return { query: `filter[tagged][0][key]=env&filter[tagged][0][value]=${value}`, condition: `env = '${value}'` }
  },
  name: (part: string): Wanted => ({ query: `search[name]=${part}`, condition: `name like '%${part}%'` }),
  prefix: (part: string): Wanted => ({ query: `search[wildcard-name]=${part}*`, condition: `name like '${part}%'` }),
  project: ({ facts }: Arm): Wanted => {
    const n = below(projectCount)
    return { query: `filter[project][id]=${facts.projectIds[n]}`, condition: `project = ${n}` }
  },
  locked: (is: boolean): Wanted => ({ query: `filter[locked]=${is}`, condition: `locked = ${is ? 1 : 0}` }),
  updatedSince: ({ facts, model }: Arm, share: number): Wanted => {
    const since = model.newest('updated', share)
    const time = new Date(facts.begun + since).toISOString()
    return { query: `filter[updated-since]=${time}`, condition: `updated >= ${since}` }
  },
}

/** Both conditions at once; two searches for tags are one search for both. */
function both(one: Wanted, other: Wanted): Wanted {
  const [, first] = /^search\[tags\]=(.*)$/.exec(one.query ?? '') ?? []
  const joined =
    first && other.query?.startsWith('search[tags]=') ? `${other.query},${first}` : `${one.query}&${other.query}`
  return { query: joined, condition: `${one.condition} and ${other.condition}` }
}

const sorted = ({ query, condition }: Wanted, key: string): Wanted => ({ query: `${query}&sort=${key}`, condition })

const word = (): string => pick(['network', 'dns', 'cluster', 'queue', 'database', 'cache', 'billing', 'mail'])
/** Parts of names that many workspaces have, that few have, and that none has. */
const parts = {
  many: () => `${word()}-${pick(['dev', 'prod'])}-${1 + below(9)}`,
  few: ({ place }: Arm) => String(place.total / 2 + below(place.total / 2)),
  none: () => `zz${below(1_000_000)}`,
}

const orders = ['created', 'name', '-name', 'latest-change-at', '-latest-change-at']
const places = ['first', 'middle', 'last'] as const
const sortedBy = (order: string): string => (order === 'created' ? '' : `sort=${order}`)

const onPages: Row[] = orders.flatMap((order) =>
  places.map((at) => list(`${order}: ${at} page`, 20, () => ({ at, query: sortedBy(order) }))),
)

const onFilters: Row[] = [
  list('tag of 1 %', 20, filters.a),
  list('tag of 1 %, in runs', 20, filters.b),
  list('tag of the newest 1 %', 20, () => filters.tag('fresh')),
  list('tag of five', 20, () => filters.tag('five')),
  list('tag of half', 20, () => filters.tag('half')),
  list('tag of half, last page', 20, () => ({ ...filters.tag('half'), at: 'last' })),
  list('without a tag of half', 20, () => filters.without('half')),
  list('without a tag of 10 %', 20, () => filters.without('tenth')),
  list('two tags of 1 %', 20, () => both(filters.a(), filters.b())),
  list('tags of half and 1 %', 20, () => both(filters.tag('half'), filters.a())),
  list('tag of 1 % and part of a name', 20, () => both(filters.a(), filters.name(parts.many()))),
  list('tag of 1 %, newest change first', 20, () => sorted(filters.a(), '-latest-change-at')),
  list('not locked', 20, () => filters.locked(false)),
  list('tool version that all have', 20, () => ({ query: `filter[tool-version]=${toolVersion}` })),
  list('updated since, the newest 100', 20, (arm) => filters.updatedSince(arm, 100 / arm.place.total)),
  list('updated since, 90 %', 20, (arm) => filters.updatedSince(arm, 0.9)),
  list('locked (2 %)', 60, () => filters.locked(true)),
  list('locked (2 %), by name', 60, () => sorted(filters.locked(true), 'name')),
  list('locked and a tag of 1 %', 20, () => both(filters.locked(true), filters.a())),
  list('binding of 2.5 %', 60, filters.env),
  list('binding inherited by 5 %', 60, () => ({
    query: 'filter[tagged][0][key]=tier&filter[tagged][0][value]=gold',
    condition: 'project = 1',
  })),
  list('project (5 %)', 60, filters.project),
  list('project (5 %), middle page', 60, (arm) => ({ ...filters.project(arm), at: 'middle' })),
  list('project and part of a name', 60, (arm) => both(filters.project(arm), filters.name(parts.many()))),
  list('tag of 10 %', 60, () => filters.tag('tenth')),
  list('tag of the newest 20 %', 60, () => filters.tag('late')),
  list('tag of the newest 20 %, newest change first', 60, () => sorted(filters.tag('late'), '-latest-change-at')),
]

const onNames: Row[] = [
  list('part of a name, many hits', 30, () => filters.name(parts.many())),
  list('part of a name, few hits', 30, (arm) => filters.name(parts.few(arm))),
  list('part of a name, no hits', 30, () => filters.name(parts.none())),
  list('beginning of a name', 30, () => filters.prefix(parts.many())),
  list('part of a name, by name', 30, () => sorted(filters.name(parts.many()), 'name')),
  list('two characters of a name', 300, () => filters.name(`${below(10)}${below(10)}`)),
  list('one character of a name', 300, () => filters.name(String(below(10)))),
]

const onCallers: Row[] = callers.flatMap((caller) => {
  const limit = caller === 'sees20000' ? 60 : 20
  const seen = (name: string, wanted: () => Wanted): Row =>
    list(`${caller}: ${name}`, limit, () => ({ ...wanted(), caller }))
  return [
    seen('first page', () => ({})),
    seen('newest change first', () => ({ query: 'sort=-latest-change-at' })),
    seen('by name', () => ({ query: 'sort=name' })),
    seen('tag of 1 %', filters.a),
    seen('part of a name', () => filters.name(parts.many())),
  ]
})

const plain = (
  name: string,
  limit: number | undefined,
  path: (arm: Arm, size: number) => string,
  more: { verb?: string; unchanged?: boolean; total?: (arm: Arm) => number } = {},
): Row => ({
  name,
  limit,
  unchanged: more.unchanged,
  ask: (arm) => ({
    verb: more.verb,
    path: (size) => path(arm, size),
    ...(more.total ? { total: () => more.total?.(arm) ?? 0 } : {}),
  }),
})

const big = '/api/v2/organizations/big'
/** The people who were made through the API: the template, the callers and the owner. */
const otherMembers = callers.length + 2
const memberPages = ({ place }: Arm, size: number): number => Math.floor(usersOf(place.total) / size)

const onOthers: Row[] = [
  plain('members, first page', 60, (_arm, size) => `${big}/organization-memberships?page[size]=${size}`, {
    total: ({ place }) => usersOf(place.total) + otherMembers,
  }),
  plain(
    'members, middle page',
    60,
    (arm, size) =>
      `${big}/organization-memberships?page[size]=${size}&page[number]=${Math.ceil(memberPages(arm, size) / 2)}`,
  ),
  plain(
    'members, part of a name',
    60,
    ({ place }, size) => `${big}/organization-memberships?page[size]=${size}&q=person-${below(usersOf(place.total))}`,
  ),
  plain(
    'members, all names have it',
    60,
    (_arm, size) => `${big}/organization-memberships?page[size]=${size}&q=person`,
    {
      total: ({ place }) => usersOf(place.total),
    },
  ),
  plain('teams, first page', 60, (_arm, size) => `${big}/teams?page[size]=${size}`),
  plain('tokens of teams', 60, (_arm, size) => `${big}/team-tokens?page[size]=${size}`),
  plain('projects, first page', 60, (_arm, size) => `${big}/projects?page[size]=${size}`),
  plain('people, first page', 60, (_arm, size) => `/api/v2/admin/users?page[size]=${size}`),
  plain(
    'people, part of a name',
    60,
    ({ place }, size) => `/api/v2/admin/users?page[size]=${size}&q=person-${below(usersOf(place.total))}`,
  ),
  plain('flat tags of the organization', 60, (_arm, size) => `${big}/tags?page[size]=${size}`),
  plain('flat tags of the organization, all', 60, (_arm, size) => `${big}/tags?page[size]=${80 + size}&page[number]=3`),
  plain('change log, first page', 60, (_arm, size) => `${big}/changes?page[size]=${size}`),
  plain(
    'change log, a seldom type',
    60,
    (_arm, size) => `${big}/changes?page[size]=${size}&filter[subject][type]=projects`,
  ),
  plain(
    'change log, a type without changes',
    60,
    (_arm, size) => `${big}/changes?page[size]=${size}&filter[subject][type]=ssh-keys`,
  ),
  plain(
    'show a workspace',
    undefined,
    ({ place, model }) => `/api/v2/workspaces/${model.idOf(1 + below(place.total))}`,
  ),
  plain('show the organization', undefined, () => big),
  plain('LIST of certificate roles', undefined, () => '/v1/auth/cert/certs', { verb: 'LIST', unchanged: true }),
  plain('LIST of accessors', undefined, () => '/v1/auth/token/accessors', { verb: 'LIST', unchanged: true }),
  plain('LIST of leases', undefined, () => '/v1/sys/leases/lookup/auth/token/create', {
    verb: 'LIST',
    unchanged: true,
  }),
]

/** What is measured, by the table it appears in. */
export const requests: Readonly<Record<string, readonly Row[]>> = {
  'Pages of every order': onPages,
  Filters: onFilters,
  'Parts of names': onNames,
  'Callers who see a part': onCallers,
  'Other lists': onOthers,
}
