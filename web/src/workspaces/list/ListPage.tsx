import { Link } from '@tanstack/react-router'
import { useAnswer } from '../../api/answers.ts'
import type { Schemas } from '../../api/client.ts'
import { Answer, Empty } from '../../kit/Answer.tsx'
import { Chip, FilterBar, Search, Tags } from '../../kit/Filters.tsx'
import { count } from '../../kit/numbers.ts'
import { Page, type Tab } from '../../kit/Page.tsx'
import { Status } from '../../kit/Status.tsx'
import { type Column, Pager, Table, TextButton } from '../../kit/Table.tsx'
import { Time } from '../../kit/Time.tsx'
import { useAddress } from '../address.ts'
import { type ListSearch, listQuery } from './listSearch.ts'

const pageSize = 50

type Workspace = Schemas['Workspace']
type Included = ReadonlyMap<string, string>

/** The workspaces of an organization. */
export function ListPage() {
  const { organization, search, change: go, replaceAll } = useAddress<ListSearch>()
  const path = { organization }
  const query = { ...listQuery(search, pageSize), include: 'project,locked_by' as const }
  const asked = useAnswer('workspaces.list', { params: { path, query } }, { keep: true })
  const change = (next: Partial<ListSearch>) => go({ page: undefined, ...next })
  return (
    <Page title="Workspaces" tabs={tabsOf(organization)}>
      <FilterBar>
        <Search
          label="Search by name"
          value={search.search ?? ''}
          change={(text) => change({ search: text || undefined })}
        />
        {(search.tags ?? []).map((tag) => (
          <Chip
            key={tag}
            name="Tag is"
            value={tag}
            remove={() => change({ tags: search.tags?.filter((other) => other !== tag) })}
          />
        ))}
        {search.locked !== undefined && (
          <Chip
            name="Is"
            value={search.locked ? 'locked' : 'not locked'}
            remove={() => change({ locked: undefined })}
          />
        )}
      </FilterBar>
      <Answer of={asked} failed="The workspaces could not be read">
        {(page) =>
          page.meta.pagination['total-count'] === 0 && Object.keys(search).length === 0 ? (
            <NoWorkspaces organization={organization} />
          ) : (
            <Table
              label="Workspaces"
              columns={columnsOf(organization, namesOf(page))}
              rows={page.data}
              keyOf={({ id }) => id}
              sort={{ by: search.sort ?? 'name', change: (sort) => change({ sort }) }}
              nothing={
                <>
                  Nothing matches. <TextButton onClick={() => replaceAll({})}>Clear the filters</TextButton>
                </>
              }
              foot={
                <Pager
                  page={search.page ?? 1}
                  pageSize={pageSize}
                  shown={page.data.length}
                  total={page.meta.pagination['total-count']}
                  change={(next) => change({ page: next })}
                />
              }
            />
          )
        }
      </Answer>
    </Page>
  )
}

const tabsOf = (organization: string): readonly Tab[] =>
  [
    { label: 'All', search: {} },
    { label: 'Locked', search: { locked: true } },
  ].map(({ label, search }) => ({
    label,
    link: { to: '/$organization/workspaces', params: { organization }, search } as Tab['link'],
  }))

/** The names of what the rows refer to, by type and id. */
const namesOf = ({
  included = [],
}: {
  included?: readonly { type: string; id: string; attributes?: unknown }[]
}): Included =>
  new Map(
    included.map(({ type, id, attributes }) => {
      const { name, username } = Object(attributes) as { name?: string; username?: string }
      return [`${type}/${id}`, name ?? username ?? id]
    }),
  )

type Relationship = { readonly data?: { type: string; id: string } | null }

const nameIn = (names: Included, link: unknown): string => {
  const { data } = Object(link) as Relationship
  return data ? (names.get(`${data.type}/${data.id}`) ?? data.id) : ''
}

const tagsOf = ({ attributes }: Workspace) =>
  (attributes['tag-names'] ?? []).map((tag) => {
    const [key = '', ...value] = tag.split('=')
    return { key, value: value.join('=') || undefined }
  })

const columnsOf = (organization: string, names: Included): readonly Column<Workspace>[] => [
  {
    title: 'Name',
    sort: 'name',
    phone: 'name',
    grow: true,
    cell: ({ attributes }) => (
      <Link to={'/$organization/workspaces/$name' as never} params={{ organization, name: attributes.name } as never}>
        {attributes.name}
      </Link>
    ),
  },
  { title: 'Project', cell: ({ relationships }) => nameIn(names, relationships?.project), phone: 'fact' },
  { title: 'Tags', cell: (workspace) => <Tags of={tagsOf(workspace)} /> },
  {
    title: 'Lock',
    phone: 'status',
    cell: ({ attributes, relationships }) =>
      attributes.locked ? (
        <Status shape="locked" term={attributes['locked-reason'] ?? undefined}>
          {nameIn(names, relationships?.['locked-by']) || 'locked'}
        </Status>
      ) : null,
  },
  { title: 'Mode', cell: ({ attributes }) => <span className="soft">{attributes['execution-mode']}</span> },
  { title: 'Resources', right: true, cell: ({ attributes }) => count(attributes['resource-count'] ?? 0) },
  {
    title: 'Changed',
    right: true,
    sort: 'latest-change-at',
    phone: 'time',
    cell: ({ attributes }) => <Time at={attributes['latest-change-at']} />,
  },
]

const NoWorkspaces = ({ organization }: { organization: string }) => (
  <Empty
    title="No workspaces yet"
    command={`terraform {\n  cloud {\n    hostname     = "${location.host}"\n    organization = "${organization}"\n    workspaces { name = "first" }\n  }\n}`}
  >
    A workspace keeps the state of one configuration, with its lock, its variables and its history. A configuration with
    this block creates one at its first use.
  </Empty>
)
