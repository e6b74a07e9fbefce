import { useEffect, useRef, useState } from 'react'
import { partSize, useAnswer, useLongAnswer } from '../../api/answers.ts'
import { useWaitingChanges } from '../../frame/live.ts'
import { Answer, Empty } from '../../kit/Answer.tsx'
import { Button } from '../../kit/Button.tsx'
import { IconPlus } from '../../kit/icons.ts'
import { counted } from '../../kit/numbers.ts'
import { Page, type Tab } from '../../kit/Page.tsx'
import { FootEnd, InSight, Table, TextButton } from '../../kit/Table.tsx'
import { useAddress } from '../address.ts'
import { namesOf } from '../names.ts'
import { BulkBar } from './BulkBar.tsx'
import { columnsOf, type Workspace } from './columns.tsx'
import { Filters } from './Filters.tsx'
import { filterQuery, isUnfiltered, type ListSearch } from './listSearch.ts'
import { NewWorkspace } from './NewWorkspace.tsx'
import { useDuration } from './useDuration.ts'

/** The workspaces of an organization. */
export function ListPage() {
  const { organization, search, change: go } = useAddress<ListSearch>()
  const organizations = useAnswer('organizations.show', { params: { path: { organization } } })
  const mayCreate = organizations.data?.data.attributes.permissions?.['can-create-workspace']
  const waiting = useWaitingNames(organization)
  return (
    <Page
      title="Workspaces"
      tabs={useTabs(organization, waiting)}
      actions={
        <Button
          kind="primary"
          reason={mayCreate === false ? `You may not create workspaces. Ask an owner of ${organization}.` : undefined}
          onClick={() => go({ new: true })}
        >
          <IconPlus size={15} stroke={1.6} aria-hidden="true" />
          New workspace
        </Button>
      }
    >
      <Filters organization={organization} search={search} change={go} />
      {search.attention && waiting?.length === 0 ? <AllWell /> : <List waiting={waiting ?? []} />}
      {search.new && <NewWorkspace organization={organization} close={() => go(without('new'))} />}
    </Page>
  )
}

/** The member left out of the address. */
const without = (name: keyof ListSearch): Partial<ListSearch> => ({ [name]: undefined })

/** The names of those that need attention, as the overview tells it; undefined until that is known. */
function useWaitingNames(organization: string): readonly string[] | undefined {
  const { data } = useAnswer('attention.list', { params: { path: { organization } } }, { every: 60_000 })
  return data?.data.flatMap(({ attributes: { kind, name = '' } }) => (kind?.startsWith('lock-') ? [name] : []))
}

/** The fixed views, each with how many there are. */
function useTabs(organization: string, waiting: readonly string[] | undefined): readonly Tab[] {
  const path = { organization }
  const all = useAnswer('workspaces.list', { params: { path, query: { 'page[size]': 1 } } })
  const locked = useAnswer('workspaces.list', { params: { path, query: { 'page[size]': 1, 'filter[locked]': true } } })
  return [
    { label: 'All', search: {}, count: all.data?.meta.pagination['total-count'] },
    { label: 'Needs attention', search: { attention: true }, count: waiting?.length },
    { label: 'Locked', search: { locked: true }, count: locked.data?.meta.pagination['total-count'] },
    { label: 'Lately changed', search: { sort: '-latest-change-at' } },
  ].map(({ label, search, count }) => ({
    label,
    count,
    link: { to: '/$organization/workspaces', params: { organization }, search } as Tab['link'],
  }))
}

function List({ waiting }: { waiting: readonly string[] }) {
  const { organization, search: typed, change: go, replaceAll } = useAddress<ListSearch>()
  const { new: _new, attention, ...filters } = typed
  const search = attention ? { ...filters, names: waiting } : filters
  const [chosen, setChosen] = useState<ReadonlyMap<string, Workspace>>(new Map())
  const { first, parts, rows, seen, long } = useWorkspaces(organization, search)
  const took = useDuration(first.isFetching)
  useTopOn(JSON.stringify(search))
  const included = parts.flatMap((part) => part.included ?? [])
  const choose = (keys: ReadonlySet<string>) => {
    const known = new Map([...chosen, ...rows.map((row) => [row.id, row] as const)])
    setChosen(new Map([...keys].flatMap((key) => (known.has(key) ? [[key, known.get(key) as Workspace]] : []))))
  }
  return (
    <Answer of={first} failed="The workspaces could not be read">
      {() => {
        const total = long.count
        if (total === 0 && isUnfiltered(typed)) return <NoWorkspaces organization={organization} />
        return (
          <Table
            label="Workspaces"
            columns={columnsOf(organization, namesOf({ included }), included)}
            rows={rows}
            long={long}
            keyOf={({ id }) => id}
            titleOf={({ attributes }) => attributes.name ?? ''}
            sort={{ by: search.sort ?? 'name', change: (sort) => go({ sort }) }}
            selection={{
              chosen: new Set(chosen.keys()),
              change: choose,
              actions: (
                <BulkBar
                  chosen={[...chosen.values()]}
                  total={total}
                  search={search}
                  clear={() => setChosen(new Map())}
                />
              ),
            }}
            nothing={
              <>
                Nothing matches. <TextButton onClick={() => replaceAll({})}>Clear the filters</TextButton>
              </>
            }
            foot={
              <>
                <InSight {...seen} total={total} />
                <Waiting />
                {took !== undefined && <FootEnd>answered in {took} ms</FootEnd>}
              </>
            }
          />
        )
      }}
    </Answer>
  )
}

/** What has changed while somebody reads: it is shown when that person wants it, so that no row jumps. */
function Waiting() {
  const { waiting, show } = useWaitingChanges()
  if (waiting === 0) return null
  return (
    <span role="status">
      <TextButton onClick={show}>{counted(waiting, 'change')}: show now</TextButton>
    </span>
  )
}

/** Those that the filters find, as they come into sight. */
const useWorkspaces = (organization: string, search: ListSearch) =>
  useLongAnswer('workspaces.list', (part) => ({
    params: {
      path: { organization },
      query: {
        'page[size]': partSize,
        'page[number]': part,
        sort: (search.sort ?? 'name') as 'name',
        ...filterQuery(search),
        include: 'project,locked_by,effective_tag_bindings' as const,
      },
    },
  }))

/** Another list begins with its first row. */
function useTopOn(list: string): void {
  const before = useRef(list)
  useEffect(() => {
    if (before.current !== list) document.getElementById('content')?.scrollTo(0, 0)
    before.current = list
  }, [list])
}

const AllWell = () => (
  <Empty title="Nothing needs attention">Workspaces appear here whose lock has been held for a day.</Empty>
)

const NoWorkspaces = ({ organization }: { organization: string }) => (
  <Empty
    title="No workspaces yet"
    command={`terraform {\n  cloud {\n    hostname     = "${location.host}"\n    organization = "${organization}"\n    workspaces { name = "first" }\n  }\n}`}
  >
    A workspace keeps the state of one configuration, with its lock, its variables and its history. A configuration with
    this block creates one at its first use.
  </Empty>
)
